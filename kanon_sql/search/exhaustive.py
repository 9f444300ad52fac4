"""exhaustive: check every node. The truth the others are compared with; needs no monotonicity of anything."""

from __future__ import annotations

import itertools

from kanon_sql.metrics.objective import Objective
from kanon_sql.model.lattice import Lattice
from kanon_sql.search.questions import Driver
from kanon_sql.search.search_state import SearchState, Steps, run_steps
from kanon_sql.search.settings import SearchSettings


def exhaustive(lattice: Lattice, objective: Objective, settings: SearchSettings) -> Driver:
    """Every node of the lattice, in lexicographic order, a batch at a time."""
    state = SearchState(lattice, objective, settings)
    return run_steps("exhaustive", state, _steps(state), exact=True)


def _steps(state: SearchState) -> Steps:
    nodes = state.lattice.nodes()
    while batch := tuple(itertools.islice(nodes, max(1, state.settings.batch))):
        yield from state.evaluate(batch)
