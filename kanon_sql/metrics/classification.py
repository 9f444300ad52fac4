"""classification error (Iyengar 2002; POkA section 6): the share of rows that are suppressed or not of their class's majority target.

Does not split over attributes. Monotone while nothing is suppressed (a merged class has one majority where two had theirs); not
monotone with suppression. Its bound is one number for all nodes, the error at the lattice's bottom with nothing suppressed: a search
gains little by it before it checks.
"""

from __future__ import annotations

from typing import ClassVar

from kanon_sql.frozen import dataclass
from kanon_sql.metrics.class_counts import ClassCounts
from kanon_sql.metrics.measure import ClassMeasure, ClassTotals
from kanon_sql.model.lattice import Node
from kanon_sql.model.verdict import Verdict
from kanon_sql.sql.class_shape import ClassColumn

MAJORITY = ("majority_rows", "majority_of_target")
"""The sum over kept classes it is computed from."""


def majority_column(target: int) -> ClassColumn:
    """The rows of a class that have its most frequent target value (NULL being a value)."""
    return ClassColumn("majority_of_target", target, "max(m)")


@dataclass(frozen=True)
class ClassificationObjective:
    """Exact from counts."""

    counts: ClassCounts
    name: ClassVar[str] = "classification"
    separable: ClassVar[bool] = False
    monotone: ClassVar[bool] = True
    exact_from_counts: ClassVar[bool] = True

    def bound(self, node: Node) -> float:
        return classification_error(self.counts.bottom["majority_rows"], self.counts.rows)

    def loss(self, verdict: Verdict) -> float:
        return classification_error(verdict.sums["majority_rows"], self.counts.rows)

    def floor(self, special: Verdict) -> float:
        """Majorities only shrink as classes merge; those of suppressed classes have at most all their rows."""
        most = special.sums["majority_rows"] + special.suppressed
        return max(self.bound(special.node), classification_error(most, self.counts.rows))


def classification_error(majority_rows: float, rows: int) -> float:
    """Every row but those of a kept class's majority."""
    return 1.0 - majority_rows / rows


def _figure(totals: ClassTotals) -> float:
    return classification_error(totals.sums["majority_rows"], totals.rows)


MEASURE = ClassMeasure(
    _figure,
    lambda counts, k: ClassificationObjective(counts),
    (MAJORITY,),
    lambda target: (majority_column(target),),
)
