"""The cell losses of a separable metric: what each value costs at each level, as a work table per attribute."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from kanon_sql.metrics.objective import SeparableObjective
from kanon_sql.model.attribute import Attribute
from kanon_sql.sql import statements
from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.workbench.workbench import Workbench

CellLoss = Callable[[Dialect, Attribute, int, int], str]


@dataclass(frozen=True)
class Cells:
    """The tables, the weight of each attribute in a row's cost, and what a suppressed row costs."""

    tables: dict[int, Relation]
    weights: tuple[float, ...]
    full: float


def build_cells(
    bench: Workbench, metric: str, loss: CellLoss, weights: tuple[float, ...]
) -> tuple[Cells, SeparableObjective]:
    """The cell tables of a metric and the objective they sum to. `weights` sum to 1."""
    tables: dict[int, Relation] = {}
    wanted: list[tuple[int, int, Relation]] = []
    for index, attribute in enumerate(bench.attributes):
        what = f"{metric}_{index}"
        tables[index] = bench.names.work(what)
        losses = [(level, loss(bench.dialect, attribute, index, level)) for level in range(len(attribute.levels))]
        bench.make_table(
            what, statements.cells(bench.dialect, tables[index], bench.names.dictionary(index), index, losses)
        )
        wanted += [(index, level, tables[index]) for level in range(len(attribute.levels))]
    parts = [[0.0] * len(attribute.levels) for attribute in bench.attributes]
    for index, level, total in bench.backend.fetch(statements.cell_sums(bench.dialect, wanted)):
        i, j = int(index), int(level)
        parts[i][j] = weights[i] * float(total) / bench.rows
    objective = SeparableObjective(metric, tuple(map(tuple, parts)), bench.rows)
    return Cells(tables, weights, 1.0), objective
