"""The three kinds of measures: of cells, of classes, of nodes. A file in metrics/ makes one of them, under the name MEASURE.

Written once, a measure is computed in three places: for the nodes a search looks at (its objective), for the node a plan chose, and
for a release scored against its source.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

from kanon_sql.frozen import dataclass
from kanon_sql.metrics.covered import Cover, dictionary_cover
from kanon_sql.model.attribute import Attribute
from kanon_sql.model.measures import MEASURES
from kanon_sql.sql.class_shape import ClassColumn
from kanon_sql.sql.dialect import Dialect

if TYPE_CHECKING:
    from kanon_sql.metrics.class_counts import ClassCounts
    from kanon_sql.metrics.objective import Objective, SeparableObjective
    from kanon_sql.metrics.research_value import LevelValues, RowValue
    from kanon_sql.model.verdict import Verdict

Expression = Callable[[Cover], str]
Together = Literal["mean", "weighted", "sum", "share"]
"""How the attributes' figures make one: their mean; by the job's weights; their sum; the share of what `*` everywhere loses."""


@dataclass(frozen=True)
class CellSums:
    """An attribute's cells, each figure summed over rows: `lost` by all rows, the suppressed ones included; `most` at `*` everywhere."""

    lost: float
    most: float = 0.0


@dataclass(frozen=True)
class CellMeasure:
    """A measure that adds up over cells: `covered` is what a cell loses by its label, `at_star` the same at `*` (by default, `covered`).

    `own`: what the cell's own value takes off that, an expression over n, its rows: kept apart, for a release no longer tells which
    value a row had. `suppressed`: what a cell of a suppressed row loses; None where that is as much as at `*`.
    `together`: how attributes are put together, `searched_together` the same for a search.
    """

    covered: Expression
    at_star: Expression | None = None
    own: Callable[[Dialect], str] | None = None
    suppressed: float | None = 1.0
    together: Together = "mean"
    searched_together: Together | None = None

    def cell_loss(self, dialect: Dialect, attribute: Attribute, index: int, level: int) -> str:
        """What a dictionary row's value loses at a level."""
        cover = dictionary_cover(dialect, attribute, index, level)
        loss = self.star(cover) if level == attribute.star else self.covered(cover)
        return loss if self.own is None else f"{loss} - {self.own(dialect)}"

    def suppressed_loss(self, dialect: Dialect, attribute: Attribute, index: int) -> str:
        """What a dictionary row's value loses when its row is suppressed."""
        if self.suppressed is None:
            return self.cell_loss(dialect, attribute, index, attribute.star)
        return f"{self.suppressed:g}"

    def star(self, cover: Cover) -> str:
        return (self.at_star or self.covered)(cover)

    @property
    def needs_star(self) -> bool:
        """Whether what `*` loses is part of the figure."""
        return self.suppressed is None or self.together == "share"

    def figure(self, attributes: Sequence[CellSums], rows: int, weights: Sequence[float]) -> float:
        """The table's figure."""
        if self.together == "share":
            most = sum(part.most for part in attributes)
            return sum(part.lost for part in attributes) / most if most > 0 else 0.0
        losses = [part.lost / rows for part in attributes]
        if self.together == "weighted":
            return sum(weight * loss for weight, loss in zip(weights, losses, strict=True))
        return sum(losses) / (len(losses) if self.together == "mean" else 1)

    def of_attribute(self, part: CellSums, rows: int) -> float:
        """One attribute's figure, unweighted."""
        if self.together == "share":
            return part.lost / part.most if part.most > 0 else 0.0
        return part.lost / rows


@dataclass(frozen=True)
class RowMeasure:
    """A measure of a release's cells that a node alone does not have: the value of a cell, summed over attributes, averaged over rows."""

    value: Callable[[Cover, RowValue], str]
    at_star: Callable[[Cover, RowValue], str]


@dataclass(frozen=True)
class ClassTotals:
    """What is counted of the kept classes. `sums`: the measures' own, by name."""

    rows: int
    suppressed: int
    classes: int
    k: int
    sums: Mapping[str, float] = field(default_factory=dict)

    @property
    def released(self) -> int:
        return self.rows - self.suppressed


@dataclass(frozen=True)
class ClassMeasure:
    """A measure of class sizes. `figure` is made of totals, `objective` of what is known of all nodes before any check, and k.

    `sums`: (name, expression over a class's n and columns), added up over kept classes. `columns`: figures of a class about the
    target column, which is given by its place; `kanon score` knows of them majority_of_target alone.
    """

    figure: Callable[[ClassTotals], float]
    objective: Callable[[ClassCounts, int], Objective]
    sums: tuple[tuple[str, str], ...] = ()
    columns: Callable[[int], tuple[ClassColumn, ...]] = lambda target: ()


@dataclass(frozen=True)
class Levels:
    """What is known of levels: the attributes, the rows, and what each level is worth by the job's rules, computed when asked for."""

    attributes: Sequence[Attribute]
    rows: int
    importance: float
    values: Callable[[], Sequence[LevelValues]]


@dataclass(frozen=True)
class NodeMeasure:
    """A measure of a node's levels. `figure` turns the objective's loss into what is reported.

    `without_node`: the measure that stands in for it where a release has no node (local recoding); without one it is left out.
    """

    objective: Callable[[Levels], SeparableObjective]
    figure: Callable[[SeparableObjective, Verdict], float] = lambda objective, verdict: objective.loss(verdict)
    without_node: str | None = None


Computation = CellMeasure | RowMeasure | ClassMeasure | NodeMeasure


def computation(name: str) -> Computation:
    """How a registered measure is computed."""
    found: Any = import_module(MEASURES[name].module).MEASURE
    assert isinstance(found, CellMeasure | RowMeasure | ClassMeasure | NodeMeasure)
    return found


def measures_for(target: bool) -> dict[str, Computation]:
    """Every measure of the table, those of a target column only where the job has one."""
    return {name: computation(name) for name, measure in MEASURES.items() if target or not measure.needs_target}
