"""A way up from an open node: a chain of generalizations, and where along it failure probably ends."""

from __future__ import annotations

import bisect
import heapq
import math
from collections.abc import Sequence

from kanon_sql.model.lattice import Lattice, Node
from kanon_sql.search.failure_forecast import FailureForecast
from kanon_sql.search.node_borders import Border

LEAST_WEIGHT = 0.02
"""What a step weighs at least, whatever the forecast says of it."""


class Climb:
    """The chain from `start` to the star, or to a `ceiling` below it, the steps that cost little for the nodes they cover first.

    One failure along it settles `start` and everything else below that failure, so the best question is the highest node that
    still fails. The forecast says where that is; what is known above and below narrows it.

    `weights`: a forecast that has learnt much. Steps that do little to make a node fail then come first as well: what still fails in the end
    are few attributes, those that weigh most, and so the cut is a strong one. A short search has learnt too little for that.
    """

    def __init__(
        self,
        lattice: Lattice,
        parts: Sequence[Sequence[float]],
        start: Node,
        ceiling: Node | None = None,
        weights: FailureForecast | None = None,
    ) -> None:
        self.start = start
        ceiling = ceiling or lattice.star
        self._steps: list[int] = []
        level = list(start)

        def rank(i: int) -> tuple[float, int]:
            here = level[i]
            cost = parts[i][here + 1] - parts[i][here]
            covered = math.log((here - lattice.bottom[i] + 2) / (here - lattice.bottom[i] + 1))
            weight = 1.0 if weights is None else max(weights.step(i, here), LEAST_WEIGHT)
            return (cost / covered * weight, i)

        queue = [rank(i) for i in range(lattice.width) if start[i] < ceiling[i]]
        heapq.heapify(queue)
        while queue:
            _, i = heapq.heappop(queue)
            self._steps.append(i)
            level[i] += 1
            if level[i] < ceiling[i]:
                heapq.heappush(queue, rank(i))

    def node(self, position: int) -> Node:
        level = list(self.start)
        for i in self._steps[:position]:
            level[i] += 1
        return tuple(level)

    def probe(self, holding: Border, forecast: FailureForecast) -> Node | None:
        """The node to ask for next; None where `start` is known to hold, so only its own verdict is of use."""
        end = bisect.bisect_left(range(len(self._steps) + 1), True, key=lambda p: holding.covers(self.node(p)))
        if end == 0:
            return None
        value = forecast.of(self.start)
        level = list(self.start)
        best = 0
        for position, i in enumerate(self._steps[: end - 1], start=1):
            value -= forecast.step(i, level[i])
            level[i] += 1
            if value >= 0:
                best = position
        return self.node(best)
