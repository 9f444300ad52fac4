"""global: bisection over the list of all generalization strings sorted by utility (thesis, figure 4)."""

from __future__ import annotations

from kanon_sql.metrics.objective import Objective
from kanon_sql.model.lattice import Lattice
from kanon_sql.search.prune import prune
from kanon_sql.search.questions import Driver
from kanon_sql.search.search_state import SearchState, Steps, run_steps
from kanon_sql.search.settings import SearchSettings
from kanon_sql.search.string_list import StringList


def global_bisection(lattice: Lattice, objective: Objective, settings: SearchSettings) -> Driver:
    """The node of least loss. Exact: a string leaves the list only when it was checked or cannot be the best."""
    state = SearchState(lattice, objective, settings)
    return run_steps("global", state, _steps(state), exact=True)


def _steps(state: SearchState) -> Steps:
    if (yield from prune(state)) is None:
        return
    strings = StringList(state)
    strings.forget_known()
    yield from bisect(state, strings)


def bisect(state: SearchState, strings: StringList) -> Steps:
    """Lines 2 to 13 of figure 4. Interrupted, what is still listed bounds what may have been missed."""
    while strings:
        state.lower_bound = strings.least_bound
        node = strings.midpoint()
        (verdict,) = yield from state.evaluate([node])
        strings.remove_after(verdict)
