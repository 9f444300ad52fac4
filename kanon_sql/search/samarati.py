"""samarati: bisection over the height of the lattice (Samarati, TKDE 2001): a passing node of least height.

Where some node of a height passes, some node of every greater height does, as long as the model is monotone. Of the passing nodes
of the least height the best under the job's objective is taken; that is the optimum only where the objective is the height.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from kanon_sql.metrics.objective import Objective, SeparableObjective
from kanon_sql.model.lattice import Lattice, Node, height
from kanon_sql.search.prune import prune
from kanon_sql.search.questions import Driver
from kanon_sql.search.search_state import SearchState, Steps, run_steps
from kanon_sql.search.settings import SearchSettings


def samarati(lattice: Lattice, objective: Objective, settings: SearchSettings) -> Driver:
    """The best node of the least height at which one passes. Exact for the height alone, and a monotone model."""
    state = SearchState(lattice, objective, settings)
    exact = settings.model_monotone and is_height(objective)
    if not exact:
        state.notes.append("samarati minimises the height; a node of greater height may be better under this objective")
    return run_steps("samarati", state, _steps(state), exact=exact)


def is_height(objective: Objective) -> bool:
    """Whether the loss grows by the same for every step, and suppressed rows cost nothing."""
    if not isinstance(objective, SeparableObjective) or objective.scaled_by_kept or not objective.exact_from_counts:
        return False
    steps = {round(b - a, 12) for part in objective.parts for a, b in itertools.pairwise(part)}
    return len(steps) <= 1 and all(step > 0 for step in steps)


def _steps(state: SearchState) -> Steps:
    if (yield from prune(state)) is None:
        return
    low, high = height(state.lattice.bottom), height(state.lattice.top)
    while low < high:
        middle = (low + high) // 2
        found: list[Node] = []
        yield from _look_for_one(state, middle, found)
        if found:
            high = middle
        else:
            low = middle + 1
    state.figures["least_height"] = high
    # What the bisection met on its way lies higher; it may lose less, but it is not what was asked for.
    state.keep_successes(lambda node: height(node) == high)
    open_nodes = (n for n in nodes_of_height(state.lattice, high) if state.settled(n) is not False)
    while batch := list(itertools.islice(open_nodes, max(1, state.settings.batch))):
        yield from state.evaluate(batch)


def _look_for_one(state: SearchState, at: int, found: list[Node]) -> Steps:
    """Put the first node of this height that passes into `found`; a batch of them is asked for at a time."""
    batch: list[Node] = []
    for node in itertools.chain(nodes_of_height(state.lattice, at), [None]):
        if node is not None:
            known = state.settled(node)
            if known:
                found.append(node)
                return
            if known is None:
                batch.append(node)
        if batch and (node is None or len(batch) >= max(1, state.settings.batch)):
            found += [verdict.node for verdict in (yield from state.check(batch)) if verdict.passes]
            if found:
                return
            batch = []


def nodes_of_height(lattice: Lattice, at: int) -> Iterator[Node]:
    """Every node whose levels sum to `at`, lexicographically, without listing the others."""
    width = lattice.width
    least = [sum(lattice.bottom[i:]) for i in range(width + 1)]
    most = [sum(lattice.top[i:]) for i in range(width + 1)]

    def rest(i: int, left: int) -> Iterator[Node]:
        if i == width:
            yield ()
            return
        for level in range(lattice.bottom[i], lattice.top[i] + 1):
            if least[i + 1] <= left - level <= most[i + 1]:
                for tail in rest(i + 1, left - level):
                    yield (level, *tail)

    return rest(0, at)
