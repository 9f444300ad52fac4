"""partitioned: subsets of the attributes searched on their own, their passing substrings combined (thesis, distributed version).

Every passing substring is kept, not only the best: a node that passes has only passing substrings (subset property), so the
combinations hold all that can pass, and the search is exact.
"""

from __future__ import annotations

import itertools
import math

from kanon_sql.errors import JobError
from kanon_sql.metrics.objective import Objective
from kanon_sql.model.lattice import Lattice, Node
from kanon_sql.search.best_first import explore
from kanon_sql.search.global_bisection import bisect
from kanon_sql.search.prune import prune
from kanon_sql.search.questions import Driver
from kanon_sql.search.search_state import SearchState, Steps, run_steps
from kanon_sql.search.settings import SearchSettings
from kanon_sql.search.string_list import StringList


def partitioned(lattice: Lattice, objective: Objective, settings: SearchSettings) -> Driver:
    """The node of least loss, from the combinations of passing substrings. Exact."""
    subsets = subsets_of(lattice, settings)
    state = SearchState(lattice, objective, settings)
    return run_steps("partitioned", state, _steps(state, subsets), exact=True)


def subsets_of(lattice: Lattice, settings: SearchSettings) -> list[tuple[int, ...]]:
    """Runs of `subset_width` attributes, in the job's order."""
    positions = range(lattice.width)
    width = max(1, settings.subset_width)
    return [tuple(positions[start : start + width]) for start in range(0, lattice.width, width)]


def _steps(state: SearchState, subsets: list[tuple[int, ...]]) -> Steps:
    if (yield from prune(state)) is None:
        return
    substrings = [_Substrings(state, subset) for subset in subsets]
    # Side by side: one probe of each subset goes into the same statement.
    while probes := [node for part in substrings if (node := part.next_probe()) is not None]:
        yield from state.check(probes)
    passing = [part.holding() for part in substrings]
    state.figures["passing_substrings"] = {
        "+".join(state.lattice.names[i] for i in subset): len(found)
        for subset, found in zip(subsets, passing, strict=True)
    }
    state.figures["combinations"] = combinations = math.prod(map(len, passing))
    if combinations > state.settings.list_limit:
        state.notes.append("too many combinations to list: they are enumerated lazily by their bound")
        yield from explore(state)
        return
    strings = StringList(state, (_joined(subsets, choice) for choice in itertools.product(*passing)))
    strings.forget_known()
    yield from bisect(state, strings)


def _joined(subsets: list[tuple[int, ...]], choice: tuple[Node, ...]) -> Node:
    level = {i: at for subset, part in zip(subsets, choice, strict=True) for i, at in zip(subset, part, strict=True)}
    return tuple(level[i] for i in range(len(level)))


class _Substrings:
    """The nodes of one subset, every other attribute at `*`: bisected by height until each is known to hold or to fail."""

    def __init__(self, state: SearchState, subset: tuple[int, ...]) -> None:
        self._state = state
        self._subset = subset
        lattice = state.lattice
        runs = [range(lattice.bottom[i], lattice.top[i] + 1) for i in subset]
        if (size := math.prod(map(len, runs))) > state.settings.list_limit:
            raise JobError(f"a subset has {size:,} substrings", hint="search.algorithm: best-first never lists them")
        self._all = sorted(itertools.product(*runs), key=lambda part: (sum(part), part))
        self._open = self._all

    def _node(self, part: Node) -> Node:
        level = list(self._state.lattice.star)
        for i, at in zip(self._subset, part, strict=True):
            level[i] = at
        return tuple(level)

    def next_probe(self) -> Node | None:
        failing, holding = self._state.failing, self._state.holding
        nodes = ((part, self._node(part)) for part in self._open)
        self._open = [part for part, node in nodes if not failing.covers(node) and not holding.covers(node)]
        return self._node(self._open[len(self._open) // 2]) if self._open else None

    def holding(self) -> list[Node]:
        return [part for part in self._all if not self._state.failing.covers(self._node(part))]
