"""The thesis's list of generalization strings, sorted by utility, and the ways it shrinks (figure 4, lines 6, 7, 10, 12)."""

from __future__ import annotations

from collections.abc import Iterable

from kanon_sql.errors import JobError
from kanon_sql.model.lattice import Node
from kanon_sql.model.verdict import Verdict
from kanon_sql.search.node_borders import Packing
from kanon_sql.search.search_state import Key, SearchState


def check_list_size(state: SearchState) -> None:
    """Refuse to list a lattice that is too large for it, before memory does."""
    size, limit = state.lattice.size, state.settings.list_limit
    if size > limit:
        raise JobError(
            f"the lattice has {size:,} nodes; this search lists them all and stops at {limit:,}",
            hint="search.algorithm: best-first never lists the lattice",
        )


class StringList:
    """Every node still open, best utility first. The lattice is listed here, so its size is limited.

    A removal is made only where it cannot cost the optimum: by utility where the bound says so; generalizations of a success
    where the objective is monotone and nothing was suppressed; specializations of a failure where the failure is monotone.
    """

    def __init__(self, state: SearchState, nodes: Iterable[Node] | None = None) -> None:
        lattice = state.lattice
        if nodes is None:
            check_list_size(state)
            nodes = lattice.nodes()
        self._state = state
        self._packing = Packing(lattice.width)
        pack = self._packing.pack
        self._open: list[tuple[Key, int]] = sorted((state.least_key(node), pack(node)) for node in nodes)
        state.figures["strings_generated"] = len(self._open)
        if self._open:
            state.figures["least_loss_of_all"] = self._open[0][0][0]
            state.figures["greatest_loss_of_all"] = self._open[-1][0][0]

    def __bool__(self) -> bool:
        return bool(self._open)

    def __len__(self) -> int:
        return len(self._open)

    @property
    def least_bound(self) -> float:
        return self._open[0][0][0] if self._open else float("inf")

    def midpoint(self) -> Node:
        return self._open[len(self._open) // 2][0][2]

    def remove_after(self, verdict: Verdict) -> None:
        """Shrink the list by what one verdict says."""
        state = self._state
        guards = self._packing.guards
        packed = self._packing.pack(verdict.node)
        guarded = packed | guards
        if verdict.passes:
            best = state.best_key
            if best is not None:
                self._open = [entry for entry in self._open if entry[0] <= best]
            if state.objective.monotone and verdict.suppressed == 0:
                self._open = [entry for entry in self._open if ((entry[1] | guards) - packed) & guards != guards]
        elif state.fails_below(verdict):
            self._open = [entry for entry in self._open if (guarded - entry[1]) & guards != guards]
        self._open = [entry for entry in self._open if entry[1] != packed]

    def forget_known(self) -> None:
        """Strike what earlier verdicts (pre-pruning) have settled."""
        state = self._state
        for verdict in list(state.verdicts.values()):
            unscored = verdict.passes and verdict.node in state.lattice and verdict.node not in state.seen
            if not unscored:
                self.remove_after(verdict)
