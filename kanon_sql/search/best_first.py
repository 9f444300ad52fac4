"""best-first: the open node of least bound, again and again, with cuts from high up; exact, anytime, never lists the lattice.

Let F be the failing nodes known. The open nodes are those below none of F, and they are enumerated lazily by their bound
(kanon_sql.search.open_regions). For the least of them we do not ask whether it passes, which is unlikely, but for a generalization of it
that probably just fails: that failure cuts the node and all else below (kanon_sql.search.climb). High up such nodes are projections
on few attributes, the cheapest to check. Once the open node of least bound passes with nothing suppressed, it is the
optimum; with suppressed rows the search goes on until no open node has a bound below the best loss found.
Interrupted, the least bound among the open nodes is what the optimum cannot fall below.
"""

from __future__ import annotations

from kanon_sql.metrics.objective import Objective
from kanon_sql.model.lattice import Lattice, Node, is_generalization
from kanon_sql.search.descent import Descent
from kanon_sql.search.open_nodes import OpenNodes
from kanon_sql.search.prune import prune
from kanon_sql.search.questions import Driver
from kanon_sql.search.search_state import SearchState, Steps, run_steps
from kanon_sql.search.settings import SearchSettings

PATIENCE = 1000
"""Checks between two attempts to better the best node directly; a short search ends before the first."""
PATIENCE_WITH_A_LARGE_LATTICE = 150
LARGE_LATTICE = 1_000_000
SPLITS = 1000
"""Regions split between two such attempts: where proving is slow, half of the time goes into a better answer."""


def best_first(lattice: Lattice, objective: Objective, settings: SearchSettings) -> Driver:
    """The node of least loss. Exact when it runs to its end; stopped early, the best so far and a proven gap."""
    state = SearchState(lattice, objective, settings)
    return run_steps("best-first", state, _steps(state), exact=True)


def _steps(state: SearchState) -> Steps:
    if (yield from prune(state)) is None:
        return
    yield from explore(state)


def explore(state: SearchState) -> Steps:
    """The search proper, on whatever lattice and failures the state holds."""
    open_nodes = OpenNodes(state)
    if not open_nodes.by_loss and (floor := getattr(state.objective, "floor", None)) is not None:
        (lowest,) = yield from state.check([state.lattice.bottom])
        state.lower_bound = max(state.lower_bound, floor(lowest))
    descent = Descent(state, open_nodes.forecast)
    if not open_nodes.by_loss:
        yield from descent.improve()
    patience = PATIENCE if state.lattice.size <= LARGE_LATTICE else PATIENCE_WITH_A_LARGE_LATTICE
    checks_then, splits_then = state.checks, open_nodes.splits
    while True:
        _take_in(open_nodes)
        open_nodes.refill(max(1, state.settings.side_by_side))
        state.figures.update(
            boxes_split=open_nodes.splits, boxes_rebuilt=open_nodes.rebuilt, failing_edges=len(state.failing)
        )
        if not open_nodes.climbs:
            return
        probes: list[Node] = []
        evaluations: list[Node] = []
        for climb in open_nodes.climbs:
            probe = climb.probe(state, open_nodes.forecast)
            if probe is None or probe == climb.start:
                evaluations.append(climb.start)
            elif not any(is_generalization(other, climb.start) for other in probes):
                probes.append(probe)
        yield from state.check(probes)
        yield from state.evaluate(evaluations)
        if state.checks - checks_then >= patience or open_nodes.splits - splits_then >= SPLITS:
            _take_in(open_nodes)
            yield from descent.improve()
            checks_then, splits_then = state.checks, open_nodes.splits


def _take_in(open_nodes: OpenNodes) -> None:
    open_nodes.learn()
    for verdict in open_nodes.state.fresh_successes():
        open_nodes.close_above(verdict)
