"""The cell losses of a separable metric: what each value costs at each level, as a work table per attribute."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

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
    """The losses of a metric's cells, and the weight of each attribute in a row's cost."""

    bench: Workbench
    metric: str
    losses: tuple[tuple[str, ...], ...]
    suppressed: tuple[str, ...]
    weights: tuple[float, ...]

    @cached_property
    def tables(self) -> dict[int, Relation]:
        """The tables, made when first wanted: they are needed to count suppressed rows only."""
        bench, tables = self.bench, {}
        for index, (losses, out) in enumerate(zip(self.losses, self.suppressed, strict=True)):
            what = f"{self.metric}_{index}"
            tables[index] = bench.names.work(what)
            if ("table", tables[index]) in bench.made:
                continue  # of another search on this bench: the losses of a metric's cells are the same for all
            dictionary = bench.names.dictionary(index)
            statement = statements.cells(bench.dialect, tables[index], dictionary, index, list(enumerate(losses)), out)
            bench.make_table(what, statement)
        return tables


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
    """The cells of a metric and the objective they sum to.

    `weights` sum to 1; without them the loss is the share of what `*` everywhere costs.
    """
    losses = tuple(
        tuple(loss(bench.dialect, attribute, index, level) for level in range(len(attribute.levels)))
        for index, attribute in enumerate(bench.attributes)
    )
    out = tuple(suppressed(bench.dialect, attribute, index) for index, attribute in enumerate(bench.attributes))
    wanted = [(index, bench.names.dictionary(index), levels) for index, levels in enumerate(losses)]
    sums = [[0.0] * len(levels) for levels in losses]
    for row in bench.backend.fetch(statements.cell_sums(bench.dialect, wanted)):
        index = int(row[0])
        sums[index] = [float(total) for total in row[1 : 1 + len(losses[index])]]
    if weights is None:
        whole = sum(levels[-1] for levels in sums)
        weights = tuple(bench.rows / whole if whole > 0 else 0.0 for _ in sums)
    parts = tuple(
        tuple(_settled([weight * total / bench.rows for total in levels]))
        for weight, levels in zip(weights, sums, strict=True)
    )
    return Cells(bench, metric, losses, out, weights), SeparableObjective(metric, parts, bench.rows)


def _settled(levels: list[float]) -> list[float]:
    """Without the falls that only rounding makes: a level costs no less than the one below."""
    for level in range(1, len(levels)):
        if 0 < levels[level - 1] - levels[level] < ROUNDING:
            levels[level] = levels[level - 1]
    return levels
