"""datafly: generalize the attribute with the most distinct values until the table passes (Sweeney 2002)."""

from __future__ import annotations

from kanon_sql.metrics.objective import Objective
from kanon_sql.model.lattice import Lattice
from kanon_sql.search.prune import prune
from kanon_sql.search.questions import Driver
from kanon_sql.search.search_state import SearchState, Steps, run_steps
from kanon_sql.search.settings import SearchSettings


def datafly(lattice: Lattice, objective: Objective, settings: SearchSettings) -> Driver:
    """The first passing node on one greedy path. Not exact: it usually generalizes more than is needed."""
    state = SearchState(lattice, objective, settings)
    state.notes.append("datafly follows one greedy path: most of the lattice is never looked at")
    return run_steps("datafly", state, _steps(state), exact=False)


def _steps(state: SearchState) -> Steps:
    if (yield from prune(state)) is None:
        return
    lattice = state.lattice
    node = lattice.bottom
    while True:
        (verdict,) = yield from state.evaluate([node])
        free = [i for i in range(lattice.width) if node[i] < lattice.top[i]]
        if verdict.passes or not free:
            return
        alone = yield from state.check(lattice.projection(node, (i,)) for i in free)
        distinct = {i: single.classes for i, single in zip(free, alone, strict=True)}
        widest = max(free, key=lambda i: (distinct[i], -i))
        node = (*node[:widest], node[widest] + 1, *node[widest + 1 :])
        state.figures["steps"] = 1 + int(str(state.figures.get("steps", 0)))
