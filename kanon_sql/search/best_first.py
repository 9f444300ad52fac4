"""best-first: the open node of least bound, again and again, with cuts from high up; exact, anytime, never lists the lattice.

Let F be the failing nodes known. The open nodes are those below none of F, and they are enumerated lazily by their bound
(kanon_sql.search.boxes). For the least of them we do not ask whether it passes, which is unlikely, but for a generalization of it
that probably just fails: that failure cuts the node and all else below (kanon_sql.search.climb). High up such nodes are projections
on few attributes, the cheapest to check. Once the open node of least bound passes with nothing suppressed, it is the
optimum; with suppressed rows the search goes on until no open node has a bound below the best loss found.
Interrupted, the least bound among the open nodes is what the optimum cannot fall below.
"""

from __future__ import annotations

from kanon_sql.metrics.objective import Objective
from kanon_sql.model.lattice import Lattice, Node, is_generalization
from kanon_sql.search.descent import Descent
from kanon_sql.search.frontier import Frontier
from kanon_sql.search.ledger import Ledger, Steps, conduct
from kanon_sql.search.prune import prune
from kanon_sql.search.questions import Driver
from kanon_sql.search.settings import SearchSettings

PATIENCE = 1000
"""Checks between two attempts to better the best node directly; a short search ends before the first."""
PATIENCE_WITH_A_LARGE_LATTICE = 150
LARGE_LATTICE = 1_000_000
SPLITS = 1000
"""Boxes split between two such attempts: where proving is slow, half of the time goes into a better answer."""


def best_first(lattice: Lattice, objective: Objective, settings: SearchSettings) -> Driver:
    """The node of least loss. Exact when it runs to its end; stopped early, the best so far and a proven gap."""
    ledger = Ledger(lattice, objective, settings)
    return conduct("best-first", ledger, _steps(ledger), exact=True)


def _steps(ledger: Ledger) -> Steps:
    if (yield from prune(ledger)) is None:
        return
    yield from explore(ledger)


def explore(ledger: Ledger) -> Steps:
    """The search proper, on whatever lattice and failures the ledger holds."""
    frontier = Frontier(ledger)
    if not frontier.by_loss and (floor := getattr(ledger.objective, "floor", None)) is not None:
        (lowest,) = yield from ledger.check([ledger.lattice.bottom])
        ledger.lower_bound = max(ledger.lower_bound, floor(lowest))
    descent = Descent(ledger, frontier.guess)
    if not frontier.by_loss:
        yield from descent.improve()
    patience = PATIENCE if ledger.lattice.size <= LARGE_LATTICE else PATIENCE_WITH_A_LARGE_LATTICE
    checks_then, splits_then = ledger.checks, frontier.splits
    while True:
        _take_in(frontier)
        frontier.refill(max(1, ledger.settings.side_by_side))
        ledger.figures.update(
            boxes_split=frontier.splits, boxes_rebuilt=frontier.rebuilt, failing_edges=len(ledger.failing)
        )
        if not frontier.climbs:
            return
        probes: list[Node] = []
        evaluations: list[Node] = []
        for climb in frontier.climbs:
            probe = climb.probe(ledger, frontier.guess)
            if probe is None or probe == climb.start:
                evaluations.append(climb.start)
            elif not any(is_generalization(other, climb.start) for other in probes):
                probes.append(probe)
        yield from ledger.check(probes)
        yield from ledger.evaluate(evaluations)
        if ledger.checks - checks_then >= patience or frontier.splits - splits_then >= SPLITS:
            _take_in(frontier)
            yield from descent.improve()
            checks_then, splits_then = ledger.checks, frontier.splits


def _take_in(frontier: Frontier) -> None:
    frontier.learn()
    for verdict in frontier.ledger.fresh_successes():
        frontier.close_above(verdict)
