"""hybrid: local first, striking strings from the full list as it goes, then global on what is left (thesis)."""

from __future__ import annotations

from kanon_sql.metrics.objective import Objective
from kanon_sql.model.lattice import Lattice
from kanon_sql.search.global_bisection import bisect
from kanon_sql.search.local_bisection import move_pointers
from kanon_sql.search.prune import prune
from kanon_sql.search.questions import Driver
from kanon_sql.search.search_state import SearchState, Steps, run_steps
from kanon_sql.search.settings import SearchSettings
from kanon_sql.search.string_list import StringList


def hybrid(lattice: Lattice, objective: Objective, settings: SearchSettings) -> Driver:
    """The node of least loss. Exact for the reason that global is."""
    state = SearchState(lattice, objective, settings)
    return run_steps("hybrid", state, _steps(state), exact=True)


def _steps(state: SearchState) -> Steps:
    if (yield from prune(state)) is None:
        return
    strings = StringList(state)
    yield from move_pointers(state)
    strings.forget_known()
    state.figures["strings_left_by_local"] = len(strings)
    yield from bisect(state, strings)
