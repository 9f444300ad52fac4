"""A guess at whether a node will fail, learnt from every verdict so far. It only orders the questions; nothing is proven by it."""

from __future__ import annotations

import math

from kanon_sql.model.lattice import Lattice, Node
from kanon_sql.model.verdict import Verdict

_REACH = 8.0


class FailureForecast:
    """log(suppressed rows / budget) as a sum over the levels below `*`: each step down an attribute adds its own weight.

    Learnt by projection on one equation at a time (Kaczmarz), so it costs next to nothing and adapts to where the search is.
    """

    def __init__(self, lattice: Lattice, budget_rows: int) -> None:
        self._star = lattice.star
        self._budget = budget_rows
        self._base = 0.0
        self._weights = [[0.0] * star for star in lattice.star]

    def of(self, node: Node) -> float:
        """Above 0: it will probably fail."""
        return self._base + sum(sum(w[level:]) for w, level in zip(self._weights, node, strict=True))

    def step(self, attribute: int, level: int) -> float:
        """What the guess loses when the attribute rises from `level` to the next."""
        return self._weights[attribute][level]

    def learn(self, verdict: Verdict, fails: bool) -> None:
        truth = math.log((verdict.suppressed + 0.5) / (self._budget + 0.5))
        if not fails:
            truth = min(truth, 0.0) - 0.7  # with no budget a node passes at log(1): keep it apart from failure
        truth = max(-_REACH, min(_REACH, truth))
        steps = 1 + sum(star - level for star, level in zip(self._star, verdict.node, strict=True))
        share = (truth - self.of(verdict.node)) / steps
        self._base += share
        for weights, level in zip(self._weights, verdict.node, strict=True):
            for j in range(level, len(weights)):
                weights[j] += share
