"""best-first: the open node of least bound, again and again, with cuts from high up; exact, anytime, never lists the lattice.

Let F be the failing nodes known. The open nodes are those below none of F, and they are enumerated lazily by their bound
(kanon_sql.search.open_regions). For the least of them we do not ask whether it passes, which is unlikely, but for a generalization of it
that probably just fails: that failure cuts the node and all else below (kanon_sql.search.climb). High up such nodes are projections
on few attributes, the cheapest to check. Once the open node of least bound passes with nothing suppressed, it is the
optimum; with suppressed rows the search goes on until no open node has a bound below the best loss found.
Interrupted, the least bound among the open nodes is what the optimum cannot fall below.

A search that may not come to its end (a large lattice, or a limit of time or checks) begins with an answer instead
(kanon_sql.search.nested_budgets); the proof then has it as its bound, and replaces it where it ends. Where much may be suppressed,
the proof is led for bands of suppressed rows one by one: what suppresses more than a band allows fails in it, and what suppresses less
than it asks for belongs to another, so every node of the band pays for that many rows at least.
"""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.metrics.objective import Objective, SeparableObjective
from kanon_sql.model.lattice import LARGE_LATTICE, Lattice, Node, is_generalization
from kanon_sql.search.descent import Descent
from kanon_sql.search.nested_budgets import NestedBudgets
from kanon_sql.search.open_nodes import Band, OpenNodes
from kanon_sql.search.prune import prune
from kanon_sql.search.questions import Driver, Narrow, StopSearch
from kanon_sql.search.search_state import SearchState, Steps, run_steps
from kanon_sql.search.settings import SearchSettings

PATIENCE = 1000
"""Checks between two attempts to better the best node directly; a short search ends before the first."""
SPLITS = 2500
"""Regions split between two such attempts, where proving is slow."""
BANDS = (0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.7)
"""Where bands of suppressed rows end, as shares of all rows."""


def best_first(lattice: Lattice, objective: Objective, settings: SearchSettings) -> Driver:
    """The node of least loss. Exact when it runs to its end; stopped early, the best so far and a proven gap."""
    state = SearchState(lattice, objective, settings)
    return run_steps("best-first", state, _steps(state), exact=True)


def _steps(state: SearchState) -> Steps:
    answered = state.lattice.size > LARGE_LATTICE or state.settings.limited
    if answered:
        try:
            yield from NestedBudgets(state).improve()
        except (StopSearch, KeyboardInterrupt):
            _bound_by_what_is_known(state)
            raise
        state.settle_answer()
    if (yield from prune(state)) is None:
        return
    yield from explore(state, answered)


def explore(state: SearchState, answered: bool = False) -> Steps:
    """The search proper, on whatever lattice and failures the state holds. `answered`: the best node known is a good one."""
    large = state.lattice.size > LARGE_LATTICE
    bands = [OpenNodes(state, band) for band in _bands(state, answered)]
    known = list(state.verdicts.values())
    for open_nodes in bands:
        open_nodes.learn(known)
        if large and answered:
            open_nodes.prove_by_groups()
    state.fresh_verdicts()
    first = bands[0]
    if not first.by_loss and (floor := getattr(state.objective, "floor", None)) is not None:
        (lowest,) = yield from state.check([state.lattice.bottom])
        state.lower_bound = max(state.lower_bound, floor(lowest))
    descent = Descent(state, first.forecast)
    if not first.by_loss and not answered:
        yield from descent.improve()
    try:
        yield from _proof(state, bands, None if answered else descent)
    except StopSearch:
        # Cut off between two questions: what is open, in bands not begun as well, is still what no node falls below.
        for one in bands:
            one.note_bound()
        _note_bound(state, bands)
        raise


def _proof(state: SearchState, bands: Sequence[OpenNodes], descent: Descent | None) -> Steps:
    """Ask about what is open until nothing is; where no answer came first, with an attempt at a better one now and then."""
    unfinished = list(bands)
    checks_then, splits_then = state.checks, 0
    while True:
        _take_in(bands)
        open_nodes = min(unfinished, key=lambda one: one.bound)
        probes = open_nodes.group_probes(max(1, state.settings.side_by_side))
        evaluations: list[Node] = []
        if not probes and open_nodes.may_hold_the_best:
            open_nodes.refill(max(1, state.settings.side_by_side))
            for climb in open_nodes.climbs:
                probe = climb.probe(open_nodes.holding, open_nodes.forecast)
                if probe is None or probe == climb.start:
                    evaluations.append(climb.start)
                elif not any(is_generalization(other, climb.start) for other in probes):
                    probes.append(probe)
        _note_bound(state, bands)
        if not probes and not evaluations:
            unfinished.remove(open_nodes)
            if unfinished:
                continue
            return
        for bottom in open_nodes.fresh_bottoms():
            yield Narrow(bottom, mostly=True)
        yield from state.check(probes)
        yield from state.evaluate(evaluations)
        splits = sum(one.splits for one in bands)
        if descent is not None and (state.checks - checks_then >= PATIENCE or splits - splits_then >= SPLITS):
            _take_in(bands)
            yield from descent.improve()
            checks_then, splits_then = state.checks, splits


def _bands(state: SearchState, answered: bool) -> list[Band | None]:
    """The bands of suppressed rows that together hold every node that passes; one for all where that serves as well."""
    objective, rows, budget = state.objective, state.settings.rows, state.settings.budget_rows
    priced = isinstance(objective, SeparableObjective) and objective.prices_suppression
    if not (answered and priced and state.settings.model_monotone):
        return [None]
    ends = sorted({int(share * rows) for share in BANDS if int(share * rows) < budget} | {budget})
    if len(ends) == 1:
        return [None]
    return [(start, end) for start, end in zip([0, *(end + 1 for end in ends)], ends, strict=False)]


def _take_in(bands: Sequence[OpenNodes]) -> None:
    state = bands[0].state
    verdicts, successes = state.fresh_verdicts(), state.fresh_successes()
    for open_nodes in bands:
        open_nodes.learn(verdicts)
        for verdict in successes:
            open_nodes.close_above(verdict)


def _note_bound(state: SearchState, bands: Sequence[OpenNodes]) -> None:
    if bands[0].by_loss:
        state.raise_bound(min(one.bound for one in bands))
    state.figures.update(
        boxes_split=sum(one.splits for one in bands),
        boxes_rebuilt=sum(one.rebuilt for one in bands),
        failing_edges=len(state.failing),
    )


def _bound_by_what_is_known(state: SearchState) -> None:
    """Interrupted before the proof began: what the failures met on the way prove already."""
    state.note_least_bound()
    if not isinstance(state.objective, SeparableObjective):
        return
    open_nodes = OpenNodes(state)
    open_nodes.settle()
    state.raise_bound(open_nodes.bound)
