"""What groups of attributes prove: a node costs no less than its groups cost, each at the least that the group alone can.

A node that passes passes on every subset of its attributes (subset property), and its loss is a sum over attributes. Divide the
attributes into disjoint groups: the least that any passing node of a group costs, summed over the groups, bounds every node's
loss (as additive pattern databases do: Felner, Korf and Hanan, JAIR 2004). A group is a small lattice, searched as the whole
one is, by projections that are cheap to check; while it is not done, its least open bound counts. Small groups first; then groups of
twice the size, under all the failures found so far. A bound once reached stays.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

from kanon_sql.model.lattice import Lattice, Node, is_generalization
from kanon_sql.search.climb import Climb
from kanon_sql.search.failure_forecast import FailureForecast
from kanon_sql.search.node_borders import Border
from kanon_sql.search.open_regions import OpenRegions
from kanon_sql.search.search_state import Key

LEAST_GROUP = 8
"""Attributes of a group at least: smaller ones are soon done, and prove little."""
_SPLITS_BETWEEN_LOOKS_AT_THE_CLOCK = 200


@dataclasses.dataclass(frozen=True)
class Known:
    """What a proof shares with its groups: the borders of failure, the forecast, the clock and how much it may remember."""

    failing: Border
    holding: Border
    forecast: FailureForecast
    check_limits: Callable[[], None]
    region_limit: int


class GroupBounds:
    """A lower bound of `parts` summed over any node of the lattice that does not fail, from ever larger groups of attributes."""

    def __init__(self, lattice: Lattice, parts: Sequence[Sequence[float]], known: Known) -> None:
        self._lattice = lattice
        self._parts = parts
        self._known = known
        self._count = 1
        while lattice.width // (2 * self._count) >= LEAST_GROUP:
            self._count *= 2
        self.bound = float("-inf")
        self._groups: list[_Group] = []
        self._divide()

    @property
    def splits(self) -> int:
        """The regions that the groups of today have split."""
        return sum(group.regions.splits for group in self._groups)

    def probes(self, count: int) -> list[Node]:
        """The nodes to ask for next; none where the groups have proven what they can."""
        while self._groups:
            waiting = [group for group in self._groups if not group.done]
            if waiting:
                group = min(waiting, key=lambda one: one.asked)
                wanted = group.probes(count)
                self._note_bound()
                if wanted:
                    return wanted
                continue
            self._count //= 2
            self._divide()
        return []

    def _divide(self) -> None:
        """Neighbours in the job are often alike, and alike attributes prove little together: every n-th makes a group."""
        width, count = self._lattice.width, self._count
        groups = [range(first, width, count) for first in range(count)] if count > 1 else []
        self._groups = [_Group(self._lattice, self._parts, self._known, group) for group in groups]

    def _note_bound(self) -> None:
        self.bound = max(self.bound, round(sum([group.bound for group in self._groups]) - 1e-12, 12))


class _Group:
    """The attributes of one group; all others are at `*` and cost nothing."""

    def __init__(
        self, lattice: Lattice, parts: Sequence[Sequence[float]], known: Known, attributes: Sequence[int]
    ) -> None:
        star = lattice.star
        inside = set(attributes)
        self._lattice = dataclasses.replace(
            lattice,
            bottom=tuple(low if i in inside else star[i] for i, low in enumerate(lattice.bottom)),
            top=tuple(high if i in inside else star[i] for i, high in enumerate(lattice.top)),
        )
        self._parts = tuple(tuple(part) if i in inside else (0.0,) * len(part) for i, part in enumerate(parts))
        self._known = known
        nothing_closed = Border(lattice.width, upwards=True)
        self.regions = OpenRegions(self._lattice, self._parts, known.failing, nothing_closed, known.region_limit)
        self._climbs: list[Climb] = []
        self._held: Key | None = None
        self.bound = sum(min(self._parts[i][lattice.bottom[i] : lattice.top[i] + 1]) for i in inside)
        self.asked = 0
        self.done = False

    def probes(self, count: int) -> list[Node]:
        """The nodes to ask for next; none where no open node can cost less than one that holds: that is what the group costs."""
        known = self._known
        self._sort_out(self._climbs)
        spent = False
        while len(self._climbs) < count:
            known.check_limits()
            before = self.regions.splits
            wanted = count - len(self._climbs)
            found = self.regions.next_nodes(wanted, (), self._held, _SPLITS_BETWEEN_LOOKS_AT_THE_CLOCK)
            spent = self.regions.splits - before >= _SPLITS_BETWEEN_LOOKS_AT_THE_CLOCK
            self._sort_out([*self._climbs, *(Climb(self._lattice, self._parts, node) for node in found)])
            if self._climbs if spent else not found:
                break
        self._note_bound()
        self.done = not self._climbs
        probes: list[Node] = []
        for climb in self._climbs:
            probe = climb.probe(known.holding, known.forecast)
            assert probe is not None
            if not any(is_generalization(other, climb.start) for other in probes):
                probes.append(probe)
        self.asked += len(probes)
        return probes

    def _sort_out(self, climbs: Sequence[Climb]) -> None:
        """Drop what fails by now; of what holds remember the cheapest, and drop what costs more."""
        known = self._known
        self._climbs = []
        for climb in climbs:
            key = self._key(climb.start)
            if known.holding.covers(climb.start):
                self._held = key if self._held is None else min(self._held, key)
            elif not known.failing.covers(climb.start):
                self._climbs.append(climb)
        if self._held is not None:
            self._climbs = [climb for climb in self._climbs if self._key(climb.start) < self._held]

    def _note_bound(self) -> None:
        keys = [self._key(climb.start) for climb in self._climbs]
        keys += [key for key in (self._held, self.regions.least_key()) if key is not None]
        if keys:
            self.bound = max(self.bound, min(keys)[0])

    def _key(self, node: Node) -> Key:
        return (round(self._cost(node), 12), self._lattice.roots(node), node)

    def _cost(self, node: Node) -> float:
        return sum([part[level] for part, level in zip(self._parts, node, strict=True)])
