"""incognito: all passing nodes, subset by subset of the attributes (LeFevre, DeWitt, Ramakrishnan, SIGMOD 2005).

A node over m attributes is looked at only where its projections on m - 1 of them pass (subset property); within a subset the
search is breadth first from below, and generalizations of a passing node pass without a check (generalization property).
"""

from __future__ import annotations

import itertools

from kanon_sql.metrics.objective import Objective
from kanon_sql.model.lattice import Lattice, Node
from kanon_sql.search.prune import prune
from kanon_sql.search.questions import Driver
from kanon_sql.search.search_state import SearchState, Steps, run_steps
from kanon_sql.search.settings import SearchSettings
from kanon_sql.search.string_list import check_list_size

Part = tuple[int, ...]


def incognito(lattice: Lattice, objective: Objective, settings: SearchSettings) -> Driver:
    """Every node that passes, and the best of them. Exact; the number of subsets grows as 2 to the power of the attributes."""
    state = SearchState(lattice, objective, settings)
    return run_steps("incognito", state, _steps(state), exact=True)


def _steps(state: SearchState) -> Steps:
    if (yield from prune(state)) is None:
        return
    check_list_size(state)
    lattice = state.lattice
    holding: dict[Part, set[Part]] = {(): {()}}
    for size in range(1, lattice.width + 1):
        smaller, holding = holding, {}
        for subset in itertools.combinations(range(lattice.width), size):
            found: set[Part] = set()
            holding[subset] = found
            yield from _search_subset(state, subset, smaller, found)
    passing = holding[tuple(range(lattice.width))]
    state.figures["passing_nodes"] = len(passing)
    yield from state.evaluate_in_order(passing)


def _search_subset(state: SearchState, subset: Part, smaller: dict[Part, set[Part]], found: set[Part]) -> Steps:
    """Fill `found` with the level vectors of the subset that hold, every other attribute at `*`."""
    for at_height in _candidates(state.lattice, subset, smaller):
        asked: list[Part] = []
        for part in at_height:
            if _follows(state.lattice, subset, part, found):
                found.add(part)
            else:
                asked.append(part)
        verdicts = yield from state.check(_node(state.lattice, subset, part) for part in asked)
        found.update(part for part, v in zip(asked, verdicts, strict=True) if not state.fails_below(v))


def _candidates(lattice: Lattice, subset: Part, smaller: dict[Part, set[Part]]) -> list[list[Part]]:
    """The vectors whose every projection on one attribute less holds, by height."""
    last = len(subset) - 1
    heights: dict[int, list[Part]] = {}
    for start in smaller[subset[:last]]:
        for level in range(lattice.bottom[subset[last]], lattice.top[subset[last]] + 1):
            part = (*start, level)
            if all(part[:i] + part[i + 1 :] in smaller[subset[:i] + subset[i + 1 :]] for i in range(last)):
                heights.setdefault(sum(part), []).append(part)
    return [sorted(heights[height]) for height in sorted(heights)]


def _follows(lattice: Lattice, subset: Part, part: Part, found: set[Part]) -> bool:
    """Whether it holds without a check: a direct specialization does, or an attribute at `*` makes it a smaller subset's node."""
    if any(level == lattice.star[i] for i, level in zip(subset, part, strict=True)):
        return True
    return any((*part[:i], part[i] - 1, *part[i + 1 :]) in found for i in range(len(part)))


def _node(lattice: Lattice, subset: Part, part: Part) -> Node:
    level = list(lattice.star)
    for i, at in zip(subset, part, strict=True):
        level[i] = at
    return tuple(level)
