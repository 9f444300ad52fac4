"""local: one bisection per attribute, all pointers moving together (thesis, figure 5)."""

from __future__ import annotations

from collections.abc import Generator

from kanon_sql.metrics.objective import Objective
from kanon_sql.model.lattice import Lattice
from kanon_sql.model.verdict import Verdict
from kanon_sql.search.prune import prune
from kanon_sql.search.questions import Answer, Driver, Question
from kanon_sql.search.search_state import SearchState, Steps, run_steps
from kanon_sql.search.settings import SearchSettings


def local_bisection(lattice: Lattice, objective: Objective, settings: SearchSettings) -> Driver:
    """A node that spreads the loss over the attributes. Not exact: it looks at a few nodes only and may find nothing."""
    state = SearchState(lattice, objective, settings)
    state.notes.append("local looks at a logarithmic number of nodes: it may miss better ones, or all that pass")
    return run_steps("local", state, _steps(state), exact=False, reason=lambda: _reason(state))


def _steps(state: SearchState) -> Steps:
    if (yield from prune(state)) is None:
        return
    yield from move_pointers(state)


def move_pointers(state: SearchState) -> Generator[Question, Answer, list[Verdict]]:
    """Lines 1 to 11 of figure 5: the verdicts of the nodes under the middle pointers, in order.

    A pointer counts steps below the most general level; [low, high) is what is left to an attribute, so the middle can reach
    both ends. It stops when no middle pointer moves.
    """
    lattice = state.lattice
    low = [0] * lattice.width
    high = [top - bottom + 1 for top, bottom in zip(lattice.top, lattice.bottom, strict=True)]
    verdicts: list[Verdict] = []
    middle: list[int] = []
    while (moved := [(a + b) // 2 for a, b in zip(low, high, strict=True)]) != middle:
        middle = moved
        node = tuple(top - step for top, step in zip(lattice.top, middle, strict=True))
        (verdict,) = yield from state.evaluate([node])
        verdicts.append(verdict)
        if verdict.passes:
            low = list(middle)
        else:
            high = list(middle)
        state.figures["pointer_moves"] = len(verdicts)
    return verdicts


def _reason(state: SearchState) -> str:
    if state.impossible:
        return state.impossible
    return "no node under the moving pointers passes; others of the lattice may (global, hybrid and best-first look at them)"
