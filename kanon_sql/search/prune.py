"""Pre-pruning: cut the levels of single attributes that fail on their own (thesis, figure 3).

By the subset property a level that fails alone fails in every combination; by the generalization property failure is monotone
along an attribute's levels, so they are bisected. The probes of all attributes share one statement a step.
"""

from __future__ import annotations

from collections.abc import Generator

from kanon_sql.model.counted import counted
from kanon_sql.model.lattice import Lattice, Node
from kanon_sql.search.questions import Answer, Narrow, NothingPasses, Question
from kanon_sql.search.search_state import SearchState


def prune(state: SearchState) -> Generator[Question, Answer, Lattice | None]:
    """The lattice that is left, or None where nothing can pass; the levels cut are in the figure `pruning`."""
    lattice = state.lattice
    (top,) = yield from state.evaluate([lattice.top])
    if state.fails_below(top):
        state.impossible = _why_nothing(state)
        state.figures["pruning"] = _levels(state, lattice.top, {})
        return None
    probed: dict[tuple[int, int], bool] = {}
    low = list(lattice.bottom)
    high = list(lattice.top)  # passes alone: the top as a whole does
    while moving := [i for i in range(lattice.width) if low[i] < high[i]]:
        probes = {i: (low[i] + high[i]) // 2 for i in moving}
        nodes = [_alone(lattice, i, level) for i, level in probes.items()]
        verdicts = yield from state.check(nodes)
        for (i, level), verdict in zip(probes.items(), verdicts, strict=True):
            fails = state.fails_below(verdict)
            probed[i, level] = not fails
            if fails:
                low[i] = level + 1
            else:
                high[i] = level
    bottom = tuple(low)
    state.figures["pruning"] = _levels(state, bottom, probed)
    state.lattice = lattice.without(bottom)
    state.figures["nodes_after_pruning"] = state.lattice.size
    state.note_least_bound()
    yield Narrow(bottom)
    return state.lattice


def _alone(lattice: Lattice, attribute: int, level: int) -> Node:
    return (*lattice.star[:attribute], level, *lattice.star[attribute + 1 :])


def _why_nothing(state: SearchState) -> str:
    if state.settings.rows < state.settings.k:
        return f"the table has {counted(state.settings.rows, 'row')}, fewer than k = {state.settings.k}: even `*` everywhere fails"
    if state.lattice.top != state.lattice.star:
        return NothingPasses + ": the most general node that max_level allows fails"
    return NothingPasses + ": even `*` everywhere fails"


def _levels(state: SearchState, bottom: Node, probed: dict[tuple[int, int], bool]) -> list[dict[str, object]]:
    """The report, level by level: what was probed, and what follows from it."""
    lattice = state.lattice
    return [
        {
            "attribute": name,
            "level": level,
            "kept": level >= bottom[i],
            "probed": (i, level) in probed,
        }
        for i, name in enumerate(lattice.names)
        for level in range(lattice.bottom[i], lattice.top[i] + 1)
    ]
