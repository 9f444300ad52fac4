"""top-only: the top node, whatever it costs. A throw-away search."""

from __future__ import annotations

from kanon_sql.metrics.objective import Objective
from kanon_sql.model.lattice import Lattice
from kanon_sql.search.questions import Driver
from kanon_sql.search.search_state import SearchState, Steps, run_steps
from kanon_sql.search.settings import SearchSettings


def top_only(lattice: Lattice, objective: Objective, settings: SearchSettings) -> Driver:
    """Not exact: every other node may be better."""
    state = SearchState(lattice, objective, settings)
    return run_steps("top-only", state, _steps(state), exact=False)


def _steps(state: SearchState) -> Steps:
    yield from state.evaluate([state.lattice.top])
