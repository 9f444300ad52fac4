"""The cell losses of a separable metric: what each value costs at each level, as a work table per attribute."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property

from kanon_sql.frozen import dataclass
from kanon_sql.metrics.least_added import LeastAdded
from kanon_sql.metrics.objective import SeparableObjective
from kanon_sql.model.attribute import Attribute
from kanon_sql.model.lattice import LARGE_LATTICE
from kanon_sql.sql import statements
from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.workbench.workbench import Workbench

CellLoss = Callable[[Dialect, Attribute, int, int], str]
SuppressedLoss = Callable[[Dialect, Attribute, int], str]

STEPS = 256
"""What suppressing a row adds is rounded down to such a part of a cell: a bound must not be too high."""

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
        return _cell_tables(self.bench, self.metric, self.losses, self.suppressed)


def _cell_tables(
    bench: Workbench, metric: str, losses: tuple[tuple[str, ...], ...], suppressed: tuple[str, ...]
) -> dict[int, Relation]:
    tables = {index: bench.names.cells(metric, index) for index in range(len(losses))}
    for index, table in tables.items():
        if ("table", table) in bench.made:
            continue  # of another search on this bench: the losses of a metric's cells are the same for all
        dictionary, by_level = bench.names.dictionary(index), list(enumerate(losses[index]))
        bench.make_table(
            table, statements.metrics.cells(bench.dialect, table, dictionary, index, by_level, suppressed[index])
        )
    return tables


def all_of_it(dialect: Dialect, attribute: Attribute, index: int) -> str:
    """A suppressed row costs 1 per cell."""
    return "1"


def figure_sums(
    bench: Workbench, figures: Iterable[tuple[int, int, str]], tables: Mapping[int, Relation] | None = None
) -> dict[tuple[int, int], float]:
    """Figures of every value, summed over all rows. `figures`: (attribute, place, expression over its dictionary, or its table in
    `tables`); by the first two."""
    wanted: dict[int, list[tuple[int, str]]] = {}
    for index, place, expression in figures:
        wanted.setdefault(index, []).append((place, expression))
    if not wanted:
        return {}
    cells = [
        (index, tables[index] if tables else bench.names.dictionary(index), [expression for _, expression in its])
        for index, its in wanted.items()
    ]
    return {
        (int(index), place): float(total)
        for index, *totals in bench.backend.fetch(statements.metrics.cell_sums(bench.dialect, cells))
        for (place, _), total in zip(wanted[int(index)], totals, strict=False)
    }


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
    if bench.budget and bench.backend.capabilities.embedded:
        # Suppressed rows will be counted by the tables: planning what is in them takes longer than adding them up.
        tables = _cell_tables(bench, metric, losses, out)
        by_name = ((i, level, f"loss_{level}") for i, levels in enumerate(losses) for level in range(len(levels)))
        found = figure_sums(bench, by_name, tables)
    else:
        found = figure_sums(
            bench, ((i, level, loss) for i, levels in enumerate(losses) for level, loss in enumerate(levels))
        )
    sums = [[found[index, level] for level in range(len(levels))] for index, levels in enumerate(losses)]
    if weights is None:
        whole = sum(levels[-1] for levels in sums)
        weights = tuple(bench.rows / whole if whole > 0 else 0.0 for _ in sums)
    parts = tuple(
        tuple(_settled([weight * total / bench.rows for total in levels]))
        for weight, levels in zip(weights, sums, strict=True)
    )
    cells = Cells(bench, metric, losses, out, weights)
    return cells, SeparableObjective(metric, parts, bench.rows, added=_least_added(cells))


def _least_added(cells: Cells) -> tuple[tuple[LeastAdded, ...], ...] | None:
    """What suppressed rows add at each level at least. Asked for only where a search is long enough to need it, and whatever the
    budget: what such a search asks first must not depend on it.

    Not where persons are counted: how many rows they have is not known from their number.
    """
    bench = cells.bench
    if bench.counts_persons or (bench.lattice.size <= LARGE_LATTICE and bench.job.search.time_limit is None):
        return None
    wanted = [
        (index, bench.names.dictionary(index), list(losses), out)
        for index, (losses, out) in enumerate(zip(cells.losses, cells.suppressed, strict=True))
    ]
    steps: dict[tuple[int, int], list[tuple[float, int]]] = {}
    for index, level, step, rows in bench.backend.fetch(
        statements.metrics.suppression_steps(bench.dialect, wanted, STEPS)
    ):
        each = cells.weights[int(index)] * float(step) / STEPS / bench.rows
        steps.setdefault((int(index), int(level)), []).append((each, int(rows)))
    return tuple(
        tuple(LeastAdded.of(steps.get((index, level), ())) for level in range(len(losses)))
        for index, losses in enumerate(cells.losses)
    )


def _settled(levels: list[float]) -> list[float]:
    """Without the falls that only rounding makes: a level costs no less than the one below."""
    for level in range(1, len(levels)):
        if 0 < levels[level - 1] - levels[level] < ROUNDING:
            levels[level] = levels[level - 1]
    return levels
