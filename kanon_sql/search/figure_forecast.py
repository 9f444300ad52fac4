"""A guess of a node's figure before it is measured: its logarithm as a sum over attributes, fitted to what was
measured.

Guesses only decide what is asked first. No proof rests on them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from kanon_sql.model.lattice import Lattice, Node

SWEEPS = 3
"""Backfitting passes per fit; a fit starts from the one before."""

SHRINKAGE = 0.3
"""Keeps the effect of a level that was seen once from being believed whole."""


class FigureForecast:
    """log figure = mean + one effect per level of each attribute, by backfitting.

    `floor` is where the figure is cut off (k and l are never below 1): a measured floor that was guessed lower is no
    error.
    """

    def __init__(self, lattice: Lattice, floor: float | None = None) -> None:
        self.floor = floor
        self.mean = 0.0
        self.effects = [[0.0] * (high + 1) for high in lattice.top]
        self._guessed: dict[Node, float] = {}

    def guess(self, node: Node) -> float:
        """The logarithm of the figure."""
        total = self._guessed.get(node)
        if total is None:
            total = self._guessed[node] = self._sum(node)
        return total

    def _sum(self, node: Node) -> float:
        total = self.mean
        for effect, level in zip(self.effects, node, strict=True):
            total += effect[level]
        return total

    def fit(self, measured: Iterable[tuple[Node, float]]) -> None:
        """Adjust to the measured figures, which are positive."""
        known = [(node, math.log(figure)) for node, figure in measured]
        if self.floor is not None:
            cut_off = math.log(self.floor)
            known = [(node, log) for node, log in known if log > cut_off or self._sum(node) > cut_off]
        if not known:
            return
        self._guessed.clear()
        for _ in range(SWEEPS):
            # What the model leaves unexplained, kept up to date while one attribute after the other is adjusted.
            residuals = [log - self._sum(node) for node, log in known]
            shift = sum(residuals) / len(residuals)
            self.mean += shift
            residuals = [residual - shift for residual in residuals]
            for i, effect in enumerate(self.effects):
                sums = [0.0] * len(effect)
                weights = [SHRINKAGE] * len(effect)
                for (node, _), residual in zip(known, residuals, strict=True):
                    sums[node[i]] += residual + effect[node[i]]
                    weights[node[i]] += 1.0
                adjusted = [total / weight for total, weight in zip(sums, weights, strict=True)]
                residuals = [
                    residual + effect[node[i]] - adjusted[node[i]]
                    for (node, _), residual in zip(known, residuals, strict=True)
                ]
                self.effects[i] = adjusted
