"""discernibility (Bayardo and Agrawal 2005; SpatialDistance, equation 1): |E|² for every kept class, N for every suppressed row.

Does not split over attributes. Monotone while nothing is suppressed (classes merge, squares grow); not monotone with suppression: a
merge may save rows that cost N each. Its bound needs no check: see ClassCounts.least_squares; a suppressed class costs N|E| >= |E|².
"""

from __future__ import annotations

from typing import ClassVar

from kanon_sql.frozen import dataclass
from kanon_sql.metrics.class_counts import ClassCounts
from kanon_sql.metrics.measure import ClassMeasure, ClassTotals
from kanon_sql.model.lattice import Node
from kanon_sql.model.verdict import Verdict

SQUARES = ("squares", "n * n")
"""The sum over kept classes it is computed from."""


@dataclass(frozen=True)
class DiscernibilityObjective:
    """Exact from counts."""

    counts: ClassCounts
    name: ClassVar[str] = "discernibility"
    separable: ClassVar[bool] = False
    monotone: ClassVar[bool] = True
    exact_from_counts: ClassVar[bool] = True

    def bound(self, node: Node) -> float:
        return self.counts.least_squares(node)

    def loss(self, verdict: Verdict) -> float:
        return discernibility(verdict.sums["squares"], verdict.suppressed, self.counts.rows)

    def floor(self, special: Verdict) -> float:
        """Squares only grow as classes merge; a suppressed class has at least as large a square as it has rows."""
        return max(self.bound(special.node), special.sums["squares"] + special.suppressed)


def discernibility(squares: float, suppressed: int, rows: int) -> float:
    """Squares of the kept classes, and N for each suppressed row."""
    return squares + float(rows) * suppressed


def _figure(totals: ClassTotals) -> float:
    return discernibility(totals.sums["squares"], totals.suppressed, totals.rows)


MEASURE = ClassMeasure(_figure, lambda counts, k: DiscernibilityObjective(counts), (SQUARES,))
