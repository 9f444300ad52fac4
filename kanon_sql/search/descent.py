"""Bettering a passing node directly: step down while it passes, shake, step down again. For a good answer early."""

from __future__ import annotations

import math
import random

from kanon_sql.model.lattice import Node
from kanon_sql.model.verdict import Verdict
from kanon_sql.search.failure_forecast import FailureForecast
from kanon_sql.search.search_state import SearchState, Steps

_KICKS = 6
_AT_ONCE = 12


class Descent:
    """Greedy descent by loss saved per suppressed rows gained, from the best node and from random neighbours of it."""

    def __init__(self, state: SearchState, forecast: FailureForecast) -> None:
        self._state = state
        self._forecast = forecast
        self._random = random.Random(state.settings.seed)
        self._ended_at: set[Node] = set()

    def improve(self) -> Steps:
        """One descent from the most promising node that is known to pass, then a few from shaken copies of the best."""
        state = self._state
        passing = [v for v in state.verdicts.values() if v.passes and v.node in state.lattice]
        if not passing:
            return
        yield from self._descend(min(passing, key=lambda v: (state.objective.bound(v.node), v.node)).node)
        for _ in range(_KICKS):
            if state.best is not None:
                yield from self._descend(self._shaken(state.best.node))

    def _descend(self, node: Node) -> Steps:
        """Down to a node none of whose specializations passes."""
        state = self._state
        (here,) = yield from state.check([node])
        while here.passes:
            below = self._below(here.node)
            passing: list[Verdict] = []
            while below and not passing:
                # The most promising first; all of them are asked only where none of those passes.
                asked, below = below[:_AT_ONCE], below[_AT_ONCE:]
                passing = [verdict for verdict in (yield from state.check(asked)) if verdict.passes]
            if not passing:
                break
            start = here
            here = max(passing, key=lambda verdict: (self._worth(start, verdict), verdict.node))
        if here.passes and here.node not in self._ended_at:
            self._ended_at.add(here.node)
            yield from state.evaluate([here.node])

    def _below(self, node: Node) -> list[Node]:
        """The direct specializations that may pass and lose no more, best worth by the forecast first."""
        state = self._state
        bound = state.objective.bound(node)
        ranked = []
        for below in state.lattice.predecessors(node):
            saved = bound - state.objective.bound(below)
            if saved >= 0 and not state.failing.covers(below):
                changed = next(i for i, (a, b) in enumerate(zip(node, below, strict=True)) if a != b)
                risk = max(self._forecast.step(changed, below[changed]), 0.0)
                ranked.append((-saved / (risk + 0.05), below))
        return [below for _, below in sorted(ranked)]

    def _worth(self, here: Verdict, below: Verdict) -> float:
        objective = self._state.objective
        if not objective.separable and objective.exact_from_counts:
            return objective.loss(here) - objective.loss(below)
        saved = objective.bound(here.node) - objective.bound(below.node)
        gained = math.log((below.suppressed + 1) / (here.suppressed + 1))
        return saved / (max(gained, 0.0) + 0.05)

    def _shaken(self, node: Node) -> Node:
        """Two or three attributes raised at random; the descent then finds other ones to lower."""
        level = list(node)
        lattice = self._state.lattice
        free = [i for i in range(lattice.width) if level[i] < lattice.top[i]]
        for i in self._random.sample(free, min(len(free), self._random.choice((1, 2, 3)))):
            level[i] = self._random.randint(level[i] + 1, lattice.top[i])
        return tuple(level)
