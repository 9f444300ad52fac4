"""average_class_size: released rows per class (LeFevre et al. 2006). c_avg is the same divided by k.

Does not split over attributes. Monotone where nothing may be suppressed (fewer classes); not monotone within a budget:
dropped rows lower it, and a privacy model beside k may drop large classes. Its bound needs no check and is weak: at least
N - budget rows are released, in no more classes than the node has combinations of groups or the bottom has classes.
"""

from __future__ import annotations

from typing import ClassVar

from kanon_sql.frozen import dataclass
from kanon_sql.metrics.class_counts import ClassCounts
from kanon_sql.metrics.measure import ClassMeasure, ClassTotals
from kanon_sql.model.lattice import Node
from kanon_sql.model.verdict import Verdict


@dataclass(frozen=True)
class AverageClassSizeObjective:
    """Exact from counts. `unit` is 1, or k for c_avg."""

    counts: ClassCounts
    name: str = "average_class_size"
    unit: int = 1
    separable: ClassVar[bool] = False
    exact_from_counts: ClassVar[bool] = True

    @property
    def monotone(self) -> bool:
        return self.counts.budget == 0

    def bound(self, node: Node) -> float:
        return (self.counts.rows - self.counts.budget) / self.counts.most_classes(node) / self.unit

    def loss(self, verdict: Verdict) -> float:
        return average_class_size(self.counts.rows - verdict.suppressed, verdict.kept_classes) / self.unit

    def floor(self, special: Verdict) -> float:
        """A generalization has no more classes, and releases all rows but the budget's."""
        classes = max(1, special.classes)
        return max(self.bound(special.node), (self.counts.rows - self.counts.budget) / classes / self.unit)


def average_class_size(released: int, classes: int) -> float:
    """Rows per class; an empty release is the worst there is."""
    return released / classes if classes else float("inf")


def _figure(totals: ClassTotals) -> float:
    return average_class_size(totals.released, totals.classes)


MEASURE = ClassMeasure(_figure, lambda counts, k: AverageClassSizeObjective(counts))
