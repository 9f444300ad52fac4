"""local: one bisection per attribute, all pointers moving together (thesis, figure 5)."""

from __future__ import annotations

from collections.abc import Generator

from kanon_sql.metrics.objective import Objective
from kanon_sql.model.lattice import Lattice
from kanon_sql.model.verdict import Verdict
from kanon_sql.search.ledger import Ledger, Steps, conduct
from kanon_sql.search.prune import prune
from kanon_sql.search.questions import Answer, Driver, Question
from kanon_sql.search.settings import SearchSettings


def local(lattice: Lattice, objective: Objective, settings: SearchSettings) -> Driver:
    """A node that spreads the loss over the attributes. Not exact: it looks at a few nodes only and may find nothing."""
    ledger = Ledger(lattice, objective, settings)
    ledger.notes.append("local looks at a logarithmic number of nodes: it may miss better ones, or all that pass")
    return conduct("local", ledger, _steps(ledger), exact=False, reason=lambda: _reason(ledger))


def _steps(ledger: Ledger) -> Steps:
    if (yield from prune(ledger)) is None:
        return
    yield from move_pointers(ledger)


def move_pointers(ledger: Ledger) -> Generator[Question, Answer, list[Verdict]]:
    """Lines 1 to 11 of figure 5: the verdicts of the nodes under the middle pointers, in order.

    A pointer counts steps below the most general level; [low, high) is what is left to an attribute, so the middle can reach
    both ends. It stops when no middle pointer moves.
    """
    lattice = ledger.lattice
    low = [0] * lattice.width
    high = [top - bottom + 1 for top, bottom in zip(lattice.top, lattice.bottom, strict=True)]
    verdicts: list[Verdict] = []
    middle: list[int] = []
    while (moved := [(a + b) // 2 for a, b in zip(low, high, strict=True)]) != middle:
        middle = moved
        node = tuple(top - step for top, step in zip(lattice.top, middle, strict=True))
        (verdict,) = yield from ledger.evaluate([node])
        verdicts.append(verdict)
        if verdict.passes:
            low = list(middle)
        else:
            high = list(middle)
        ledger.figures["pointer_moves"] = len(verdicts)
    return verdicts


def _reason(ledger: Ledger) -> str:
    if ledger.impossible:
        return ledger.impossible
    return "no node under the moving pointers passes; others of the lattice may (global, hybrid and best-first look at them)"
