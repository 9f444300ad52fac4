"""Nodes many attributes away from a good one: the cheapest levels whose forecast of suppressed rows fits a limit.

By the forecast, each step down an attribute adds its own weight to the logarithm of the suppressed rows. The cheapest levels
within a limit are then a knapsack with one level to choose for each attribute; a Lagrange multiplier solves it well enough
(Everett, Operations Research 1963). The forecast is shaken a little each time and some attributes are held, so that every
draw is another node. Nothing is proven by it: the nodes are candidates, and are checked like all others.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

from kanon_sql.model.lattice import Lattice, Node
from kanon_sql.search.suppression_forecast import SuppressionForecast

SHAKES = (0.05, 0.15, 0.3, 0.5)
"""By how much a step's weight is shaken: the standard deviation of its logarithm."""
HELD = (0.0, 0.5, 0.75)
"""The share of attributes that keep their level."""
LEAST_STEP = 0.003
BISECTIONS = 22


class FarChanges:
    """Draws of nodes that the forecast takes for cheaper than a given one within a limit of suppressed rows."""

    def __init__(
        self,
        lattice: Lattice,
        parts: Sequence[Sequence[float]],
        forecast: SuppressionForecast,
        draw: random.Random,
    ) -> None:
        self._lattice = lattice
        self._parts = parts
        self._forecast = forecast
        self._random = draw

    def from_node(self, node: Node, suppressed: int, limit: int) -> Node | None:
        """One draw; None where no choice of levels fits."""
        room = self._room(suppressed, limit)
        choices = self._choices(node)
        found: Node | None = None
        low, high = 1e-5, 10.0
        for _ in range(BISECTIONS):
            price = math.sqrt(low * high)
            chosen = [min(levels, key=lambda one: one[0] + price * one[1]) for levels in choices]
            if sum(gained for _, gained, _ in chosen) <= room:
                found, high = tuple(level for _, _, level in chosen), price
            else:
                low = price
        return found

    def _room(self, suppressed: int, limit: int) -> float:
        """How far the logarithm of the suppressed rows may rise: up to the limit, or near where it is."""
        log = self._forecast.log
        most = log(limit) - log(suppressed)
        return most if self._random.random() < 0.5 else min(most, self._random.uniform(-0.3, 0.3))

    def _choices(self, node: Node) -> list[list[tuple[float, float, int]]]:
        """For every attribute the levels to choose from, each with its cost and what it adds to the logarithm."""
        draw, lattice = self._random, self._lattice
        shake, held = draw.choice(SHAKES), draw.choice(HELD)
        choices = []
        for i, here in enumerate(node):
            part = self._parts[i]
            if draw.random() < held:
                choices.append([(part[here], 0.0, here)])
                continue
            added, total = [0.0], 0.0
            for level in range(lattice.top[i], lattice.bottom[i], -1):
                step = max(self._forecast.change(i, level, level - 1), LEAST_STEP)
                total += step * math.exp(draw.gauss(0.0, shake))
                added.append(total)
            levels = range(lattice.top[i], lattice.bottom[i] - 1, -1)
            base = added[lattice.top[i] - here]
            choices.append([(part[level], gained - base, level) for level, gained in zip(levels, added, strict=True)])
        return choices
