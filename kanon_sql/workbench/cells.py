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
SuppressedLoss = Callable[[Dialect, Attribute, int], str]

ROUNDING = 1e-12
"""Sums of the same numbers may differ by this between two levels with the same groups."""


@dataclass(frozen=True)
class Cells:
    """The tables, and the weight of each attribute in a row's cost."""

    tables: dict[int, Relation]
    weights: tuple[float, ...]


def all_of_it(dialect: Dialect, attribute: Attribute, index: int) -> str:
    """A suppressed row costs 1 per cell."""
    return "1"


def build_cells(
    bench: Workbench,
    metric: str,
    loss: CellLoss,
    weights: tuple[float, ...] | None,
    suppressed: SuppressedLoss = all_of_it,
) -> tuple[Cells, SeparableObjective]:
    """The cell tables of a metric and the objective they sum to.

    `weights` sum to 1; without them the loss is the share of what `*` everywhere costs.
    """
    tables: dict[int, Relation] = {}
    wanted: list[tuple[int, int, Relation]] = []
    for index, attribute in enumerate(bench.attributes):
        what = f"{metric}_{index}"
        tables[index] = bench.names.work(what)
        losses = [(level, loss(bench.dialect, attribute, index, level)) for level in range(len(attribute.levels))]
        out = suppressed(bench.dialect, attribute, index)
        dictionary = bench.names.dictionary(index)
        bench.make_table(what, statements.cells(bench.dialect, tables[index], dictionary, index, losses, out))
        wanted += [(index, level, tables[index]) for level in range(len(attribute.levels))]
    sums = [[0.0] * len(attribute.levels) for attribute in bench.attributes]
    for index, level, total in bench.backend.fetch(statements.cell_sums(bench.dialect, wanted)):
        sums[int(index)][int(level)] = float(total)
    if weights is None:
        whole = sum(levels[-1] for levels in sums)
        weights = tuple(bench.rows / whole if whole > 0 else 0.0 for _ in sums)
    parts = tuple(
        tuple(_settled([weight * total / bench.rows for total in levels]))
        for weight, levels in zip(weights, sums, strict=True)
    )
    return Cells(tables, weights), SeparableObjective(metric, parts, bench.rows)


def _settled(levels: list[float]) -> list[float]:
    """Without the falls that only rounding makes: a level costs no less than the one below."""
    for level in range(1, len(levels)):
        if 0 < levels[level - 1] - levels[level] < ROUNDING:
            levels[level] = levels[level - 1]
    return levels
