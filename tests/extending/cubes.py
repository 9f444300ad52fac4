"""cubes: |E|³ for every kept class, N² for every suppressed row. A throw-away measure of classes, with a sum of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from kanon_sql.metrics.class_counts import ClassCounts
from kanon_sql.metrics.measure import ClassMeasure, ClassTotals
from kanon_sql.model.lattice import Node
from kanon_sql.model.verdict import Verdict


@dataclass(frozen=True)
class CubesObjective:
    """Bounded by nothing but 0: a search checks more."""

    counts: ClassCounts
    name: ClassVar[str] = "cubes"
    separable: ClassVar[bool] = False
    monotone: ClassVar[bool] = True
    exact_from_counts: ClassVar[bool] = True

    def bound(self, node: Node) -> float:
        return 0.0

    def loss(self, verdict: Verdict) -> float:
        return verdict.sums["cubes"] + float(self.counts.rows) ** 2 * verdict.suppressed


def cubes(totals: ClassTotals) -> float:
    return totals.sums["cubes"] + float(totals.rows) ** 2 * totals.suppressed


MEASURE = ClassMeasure(cubes, lambda counts, k: CubesObjective(counts), sums=(("cubes", "n * n * n"),))
