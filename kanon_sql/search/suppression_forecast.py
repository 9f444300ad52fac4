"""A forecast of how many rows a node suppresses, learnt from every verdict so far. It only orders questions; nothing is proven by it."""

from __future__ import annotations

import math

from kanon_sql.model.lattice import Lattice, Node
from kanon_sql.model.verdict import Verdict


class SuppressionForecast:
    """log(suppressed rows) as a sum over the levels below `*`: each step down an attribute adds its own weight.

    Learnt by projection on one equation at a time (Kaczmarz), as FailureForecast is; but free of any budget.
    """

    def __init__(self, lattice: Lattice) -> None:
        self._star = lattice.star
        self._base = 0.0
        self._weights = [[0.0] * star for star in lattice.star]

    @staticmethod
    def log(rows: float) -> float:
        return math.log(rows + 0.5)

    def change(self, attribute: int, before: int, after: int) -> float:
        """What the logarithm gains when the attribute goes from one level to another."""
        weights = self._weights[attribute]
        return sum(weights[after:before]) if after < before else -sum(weights[before:after])

    def learn(self, verdict: Verdict) -> None:
        steps = 1 + sum(star - level for star, level in zip(self._star, verdict.node, strict=True))
        share = (self.log(verdict.suppressed) - self._of(verdict.node)) / steps
        self._base += share
        for weights, level in zip(self._weights, verdict.node, strict=True):
            for j in range(level, len(weights)):
                weights[j] += share

    def _of(self, node: Node) -> float:
        return self._base + sum(sum(w[level:]) for w, level in zip(self._weights, node, strict=True))
