"""Can data of this shape be k-anonymous at all? (Thesis, "Determining the Proper k-Value", table 12.)

Random tables are made and grouped in the engine, many repetitions in one statement; the closed-form estimate stands beside. The useful
direction starts from a table's real value frequencies: how many attributes can be published at k, and how many rows would be needed?
"""

from __future__ import annotations

import dataclasses
import math
import random
import time
from collections.abc import Callable
from typing import Any

from kanon_sql.backends.base import Backend
from kanon_sql.errors import JobError
from kanon_sql.evaluate.anonymity_probability import (
    Cells,
    cells_of_frequencies,
    chance,
    crossed,
    equal_cells,
    rows_below_k,
    rows_needed,
)
from kanon_sql.frozen import dataclass
from kanon_sql.model.counted import counted
from kanon_sql.model.lattice import Node
from kanon_sql.results import Result
from kanon_sql.sql import statements
from kanon_sql.sql.class_shape import ClassShape
from kanon_sql.sql.relations import code_column
from kanon_sql.sql.statements.checks import frequency_sets
from kanon_sql.workbench.workbench import Workbench

ROWS_PER_STATEMENT = 4_000_000
WANTED = 0.95
"""The chance at which rows are enough."""


@dataclass(frozen=True)
class Shape:
    """`attributes` of `values` equally likely values each, `rows` rows: is it k-anonymous? `printed` is the rate the thesis gives."""

    attributes: int
    k: int
    rows: int
    repetitions: int
    values: int = 2
    printed: float | None = None


TABLE_12 = (
    Shape(3, 3, 50, 50, printed=0.68),
    Shape(3, 3, 75, 50, printed=1.00),
    Shape(3, 5, 75, 50, printed=0.74),
    Shape(3, 5, 100, 50, printed=1.00),
    Shape(7, 5, 1_200, 500, printed=0.0),
    Shape(7, 5, 7_500, 500, printed=1.00),
    Shape(12, 5, 30_000, 500, printed=0.0),
    Shape(12, 5, 100_000, 500, printed=1.00),
    Shape(15, 5, 750_000, 200, printed=0.96),
    Shape(18, 5, 2_000_000, 200, printed=0.0),
)
"""The rows of the thesis's table 12: attributes, k, records, repetitions, and the success rate it prints."""


@dataclass(frozen=True)
class Simulated:
    """What came of a shape. `estimate` is the closed form, `needed` the rows for a chance of 95% by it."""

    shape: Shape
    repetitions: int
    successes: int
    below_k: float
    estimate: float
    needed: int | None
    seconds: float

    @property
    def rate(self) -> float:
        return self.successes / self.repetitions

    @property
    def error(self) -> float:
        """Three standard errors of the difference from the printed rate (or of the rate itself), by the closed form's variance."""
        likely = min(max(self.estimate, 1 / (self.repetitions + 2)), 1 - 1 / (self.repetitions + 2))
        trials = 1 / self.repetitions + (1 / self.shape.repetitions if self.shape.printed is not None else 0.0)
        return 3 * math.sqrt(likely * (1 - likely) * trials)

    @property
    def agrees(self) -> bool | None:
        """Whether the rate is within sampling error of the printed one; None where none is printed."""
        return None if self.shape.printed is None else abs(self.rate - self.shape.printed) <= self.error

    def to_dict(self) -> dict[str, Any]:
        return dataclasses.asdict(self.shape) | {
            "repetitions": self.repetitions,
            "successes": self.successes,
            "rate": self.rate,
            "estimate": self.estimate,
            "error": self.error,
            "agrees": self.agrees,
            "rows_below_k": self.below_k,
            "rows_needed": self.needed,
            "seconds": round(self.seconds, 3),
        }


@dataclass(frozen=True)
class Simulation(Result):
    """Random tables of several shapes, in the order asked."""

    rows: tuple[Simulated, ...]

    def to_dict(self) -> dict[str, Any]:
        return {"rows": self.records()}

    def records(self) -> list[dict[str, Any]]:
        """One row per shape."""
        return [row.to_dict() for row in self.rows]


def simulate_shape(
    backend: Backend,
    shape: Shape,
    seed: int = 1,
    most_rows: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Simulated:
    """Make and group the shape's random tables; `most_rows` bounds the rows made in all, and so the repetitions."""
    cells = shape.values**shape.attributes
    repetitions = shape.repetitions
    if most_rows is not None:
        repetitions = max(1, min(repetitions, most_rows // shape.rows))
    if cells >= statements.evaluate.PRIME:
        raise JobError(
            f"{counted(shape.values, 'value')} of {counted(shape.attributes, 'attribute')} make {cells:,} combinations: too many to simulate",
            "at most 2^30; such a table is never k-anonymous below billions of rows",
        )
    if repetitions * shape.rows >= statements.evaluate.PRIME:
        raise JobError("rows times repetitions must stay below 2^31", "ask for fewer repetitions")
    rounds = _rounds(seed, shape)
    started = time.perf_counter()
    successes, below = 0, 0
    batch = max(1, ROWS_PER_STATEMENT // shape.rows)
    for first in range(0, repetitions, batch):
        last = min(first + batch, repetitions) - 1
        statement = statements.evaluate.simulation(backend.dialect, first, last, shape.rows, cells, shape.k, rounds)
        _, passed, few = backend.fetch_one(statement)
        successes, below = successes + int(passed), below + int(few)
        if progress is not None:
            progress(last + 1)
    likely = equal_cells(cells)
    return Simulated(
        shape=shape,
        repetitions=repetitions,
        successes=successes,
        below_k=below / repetitions,
        estimate=chance(likely, shape.rows, shape.k),
        needed=rows_needed(likely, shape.k, WANTED),
        seconds=time.perf_counter() - started,
    )


def _rounds(seed: int, shape: Shape) -> list[tuple[int, int]]:
    """The hash's constants: every shape and seed its own."""
    draw = random.Random(f"{seed} {shape.attributes} {shape.values} {shape.rows}")
    prime = statements.evaluate.PRIME
    return [(draw.randrange(prime // 4, prime), draw.randrange(prime)) for _ in range(3)]


# -- from a table's real frequencies


@dataclass(frozen=True)
class Step:
    """One attribute more: what the frequencies alone promise for all so far, and what the table really holds."""

    attribute: str
    level: int
    values: int
    combinations: float
    chance: float
    expected_below_k: float
    actual_below_k: int
    needed: int | None
    publishable: bool


@dataclass(frozen=True)
class Outlook(Result):
    """How many attributes can be published at k: attributes in the order that hurts least, one step each."""

    k: int
    rows: int
    budget: int
    steps: tuple[Step, ...]

    @property
    def publishable(self) -> int:
        """How many attributes the table really allows, within the suppression budget."""
        return sum(step.publishable for step in self.steps)

    @property
    def promised(self) -> int:
        """How many attributes the frequencies alone promise with a chance of 95%, or with the budget where there is one."""
        enough = [
            step.chance >= WANTED or (self.budget > 0 and step.expected_below_k <= self.budget) for step in self.steps
        ]
        return enough.index(False) if False in enough else len(enough)

    def to_dict(self) -> dict[str, Any]:
        return {
            "k": self.k,
            "rows": self.rows,
            "budget": self.budget,
            "publishable": self.publishable,
            "promised": self.promised,
            "steps": [dataclasses.asdict(step) for step in self.steps],
        }

    def records(self) -> list[dict[str, Any]]:
        """One row per attribute, in the order that hurts least."""
        return [dataclasses.asdict(step) for step in self.steps]


def outlook(bench: Workbench, level: int = 0) -> Outlook:
    """Add attributes one by one, always the one that leaves fewest rows in classes below k, by real checks of projections.

    `level` is the level to look at, bounded by each attribute's min_level and by the last level before `*`.
    """
    levels = [max(a.min_level, min(level, a.star - 1)) for a in bench.attributes]
    frequencies = _frequencies(bench, levels)
    k = bench.job.privacy.k
    chosen: list[int] = []
    cells: Cells = {1.0: 1.0}
    steps: list[Step] = []
    intact = True
    while len(chosen) < len(levels):
        rest = [i for i in range(len(levels)) if i not in chosen]
        below = _rows_below(bench, [[*chosen, i] for i in rest], levels, k)
        found, best = min(zip(below, rest, strict=True))
        chosen.append(best)
        cells = crossed(cells, frequencies[best])
        intact = intact and found <= bench.budget
        steps.append(
            Step(
                attribute=bench.attributes[best].name,
                level=levels[best],
                values=round(sum(frequencies[best].values())),
                combinations=sum(cells.values()),
                chance=chance(cells, bench.rows, k),
                expected_below_k=rows_below_k(cells, bench.rows, k),
                actual_below_k=found,
                needed=rows_needed(cells, k, WANTED),
                publishable=intact,
            )
        )
    return Outlook(k, bench.rows, bench.budget, tuple(steps))


def _frequencies(bench: Workbench, levels: list[int]) -> list[Cells]:
    wanted = [
        (i, bench.names.dictionary(i), code_column(i, level) if level < bench.attributes[i].star else None)
        for i, level in enumerate(levels)
    ]
    found: list[list[tuple[int, int]]] = [[] for _ in levels]
    for index, rows, values in bench.backend.fetch(statements.evaluate.value_frequencies(bench.dialect, wanted)):
        found[int(index)].append((int(rows), int(values)))
    return [cells_of_frequencies(sorted(each)) for each in found]


def _rows_below(bench: Workbench, subsets: list[list[int]], levels: list[int], k: int) -> list[int]:
    """The rows in classes below k of each projection: everything but a subset's attributes at `*`."""
    nodes: list[Node] = [
        tuple(levels[i] if i in subset else star for i, star in enumerate(bench.lattice.star)) for subset in subsets
    ]
    below = [0] * len(nodes)
    size = bench.backend.capabilities.nodes_per_statement
    for start in range(0, len(nodes), size):
        keys = [bench.keys(node) for node in nodes[start : start + size]]
        statement = frequency_sets(bench.dialect, bench.frequency_source, keys, ClassShape(k))
        for row in bench.backend.fetch(statement):
            below[start + int(row[0])] = int(row[3])
    return below
