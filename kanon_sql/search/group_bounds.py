"""What groups of attributes prove: a node costs no less than its groups cost, each at the least that the group alone can.

A node that passes passes on every subset of its attributes (subset property), and its loss is a sum over attributes. Divide the
attributes into disjoint groups: the least that any passing node of a group costs, summed over the groups, bounds every node's
loss (as additive pattern databases do: Felner, Korf and Hanan, JAIR 2004). A group is a small lattice, searched as the whole
one is, by projections that are cheap to check; while it is not done, its least open bound counts.

When all groups are done, the lattice is divided in two by the level of one attribute, and each region is bounded by its groups
anew: where the attribute stays low, the other groups have it beside them and pass less easily; where it is high, that is paid. All
failures found are kept. The region of least bound comes first, and its bound is what is proven.
"""

from __future__ import annotations

import dataclasses
import heapq
from collections.abc import Callable, Sequence
from typing import TypeVar

from kanon_sql.frozen import dataclass
from kanon_sql.model.lattice import Lattice, Node, is_generalization
from kanon_sql.model.verdict import Verdict
from kanon_sql.search.climb import Climb
from kanon_sql.search.failure_forecast import FailureForecast
from kanon_sql.search.group_facts import Facts
from kanon_sql.search.node_borders import Border
from kanon_sql.search.open_regions import OpenRegions
from kanon_sql.search.search_state import Key

Item = TypeVar("Item")

MOST_IN_A_GROUP = 20
"""Attributes of a group at most: larger groups prove more, and take far longer. A lattice of no more is searched as a whole."""
WORTH_DIVIDING = 0.25
"""An attribute is divided below its highest level where that saves at least this share of what it can cost."""
MOST_ROLL_UPS = 16
"""Bottoms that are made known at most: each may become a table of the one who answers."""
_SPLITS_BETWEEN_LOOKS_AT_THE_CLOCK = 200


@dataclass(frozen=True)
class Known:
    """What a proof shares with its groups: what fails and what holds as far as it was met before, the clock and how much it may
    remember; the forecast is the groups' own."""

    failing: Border
    holding: Border
    forecast: FailureForecast
    check_limits: Callable[[], None]
    region_limit: int


class GroupBounds:
    """A lower bound of `parts` summed over any node of the lattice that does not fail, from groups of attributes."""

    def __init__(self, lattice: Lattice, parts: Sequence[Sequence[float]], known: Known) -> None:
        self._parts = parts
        self._known = known
        self._facts = Facts(lattice.width, known.failing.edges(), known.holding.edges())
        count = -(-lattice.width // MOST_IN_A_GROUP)
        size = -(-lattice.width // count)
        self._groups = [range(first, min(first + size, lattice.width)) for first in range(0, lattice.width, size)]
        self._serial = 0
        self._heap: list[tuple[float, int, _Region]] = []
        self._bottoms: list[Node] = []
        self._named = 0
        self.bound = float("-inf")
        self.splits = 0
        """The regions that the groups have split."""
        if count > 1:
            self._begin(_Region(lattice, parts, known, self._facts, self._groups, self.bound))

    def probes(self, count: int) -> list[Node]:
        """The nodes to ask for next; none where the groups have proven what they can."""
        while self._heap:
            _, _, region = heapq.heappop(self._heap)
            before = region.splits
            wanted = region.probes(count)
            self.splits += region.splits - before
            if not region.empty and (wanted or not region.done):
                self._push(region)
            elif not region.empty and not self._divide(region):
                self.bound = max(self.bound, region.bound)
                self._heap.clear()
                return []
            self.bound = max(self.bound, self._heap[0][0] if self._heap else float("inf"))
            if wanted:
                return wanted
        return []

    def learn(self, verdict: Verdict, fails: bool) -> None:
        """What was asked since the groups began. What the walks met before, far below these projections, would mislead their forecast."""
        self._known.forecast.learn(verdict, fails)
        self._facts.add(verdict.node, fails)

    def fresh_bottoms(self) -> list[Node]:
        """Nodes, since this was last asked for, at or above which most of the next questions lie: the levels below cost next to nothing
        less, so that failures are looked for above them first."""
        fresh, self._bottoms = self._bottoms, []
        return fresh

    def _begin(self, region: _Region) -> None:
        self._push(region)
        low, high = region.lattice.bottom, region.lattice.top
        for group in self._groups:
            if self._named < MOST_ROLL_UPS:
                self._named += 1
                kept = [self._kept_level(i, low[i], high[i]) if i in group else None for i in range(len(high))]
                pairs = zip(kept, high, strict=True)
                self._bottoms.append(tuple(top if level is None else level for level, top in pairs))

    def _kept_level(self, attribute: int, low: int, high: int) -> int | None:
        """The highest level below the highest that saves much of what that costs."""
        part = self._parts[attribute]
        least = WORTH_DIVIDING * (part[high] - min(part[low : high + 1]))
        return max((level for level in range(low, high) if part[high] - part[level] > least), default=None)

    def _push(self, region: _Region) -> None:
        self._serial += 1
        heapq.heappush(self._heap, (region.bound, self._serial, region))

    def _divide(self, region: _Region) -> bool:
        """Two regions in the place of one whose groups are done; False where no attribute is worth dividing."""
        divided = self._best_division(region)
        if divided is None:
            return False
        i, level = divided
        low, high = region.lattice.bottom, region.lattice.top
        for bottom, top in (
            (low, (*high[:i], level, *high[i + 1 :])),
            ((*low[:i], level + 1, *low[i + 1 :]), high),
        ):
            part = dataclasses.replace(region.lattice, bottom=bottom, top=top)
            self._begin(_Region(part, self._parts, self._known, self._facts, self._groups, region.bound))
        return True

    def _best_division(self, region: _Region) -> tuple[int, int] | None:
        """The attribute, and its highest level in the lower region, that raise the bounds of both regions most by the forecast."""
        found: list[tuple[float, float, int, int]] = []
        for i, (low, high) in enumerate(zip(region.lattice.bottom, region.lattice.top, strict=True)):
            part, level = self._parts[i], self._kept_level(i, low, high)
            if level is not None:
                harder = max(0.0, sum(self._known.forecast.step(i, j) for j in range(level, high)))
                found.append((harder, part[high] - part[level], i, level))
        if not found:
            return None
        price = sum(cost for _, cost, _, _ in found) / max(sum(harder for harder, _, _, _ in found), 1e-9)

        def worth(harder: float, i: int, level: int) -> tuple[float, float]:
            held = region.held_level(i)
            paid = self._parts[i][region.lattice.top[i]] - self._parts[i][held] if held <= level else 0.0
            return min(price * harder, max(paid - price * harder, 0.0)), price * harder

        _, i, level = max((worth(harder, i, level), i, level) for harder, _, i, level in found)
        return i, level


class _Region:
    """A part of the lattice and what its groups prove there; `floor` is proven already."""

    def __init__(
        self,
        lattice: Lattice,
        parts: Sequence[Sequence[float]],
        known: Known,
        facts: Facts,
        groups: Sequence[Sequence[int]],
        floor: float,
    ) -> None:
        self.lattice = lattice
        self._groups = [_Group(lattice, parts, known, facts, group) for group in groups]
        self._floor = floor

    @property
    def bound(self) -> float:
        return max(self._floor, round(sum([group.bound for group in self._groups]) - 1e-12, 12))

    @property
    def splits(self) -> int:
        return sum(group.regions.splits for group in self._groups)

    @property
    def done(self) -> bool:
        return all(group.done for group in self._groups)

    @property
    def empty(self) -> bool:
        """Whether no node of the region passes: none of a group does."""
        return any(group.empty for group in self._groups)

    def probes(self, count: int) -> list[Node]:
        """What the group asks for that asked least so far; none where it has nothing to ask."""
        waiting = [group for group in self._groups if not group.done]
        return min(waiting, key=lambda one: one.asked).probes(count) if waiting else []

    def held_level(self, attribute: int) -> int:
        """The attribute's level in the cheapest node of its group; its highest where that is not known."""
        held = next(group.held_level(attribute) for group in self._groups if attribute in group.attributes)
        return self.lattice.top[attribute] if held is None else held


class _GroupForecast(FailureForecast):
    """The forecast of all attributes, for the nodes of a group."""

    def __init__(self, whole: FailureForecast, group: _Group) -> None:
        self._whole, self._group = whole, group

    def of(self, node: Node) -> float:
        return self._whole.of(self._group.in_the_whole(node))

    def step(self, attribute: int, level: int) -> float:
        return self._whole.step(self._group.attributes[attribute], level)


class _Group:
    """The attributes of one group as a lattice of their own; all others are as high as the region has them, and cost nothing.

    The others stay where they are in every question: there they make nodes fail that would pass without them.
    """

    def __init__(
        self,
        lattice: Lattice,
        parts: Sequence[Sequence[float]],
        known: Known,
        facts: Facts,
        attributes: Sequence[int],
    ) -> None:
        self.attributes = tuple(attributes)
        self._others = lattice.top
        own = self._own
        self._lattice = Lattice(own(lattice.names), own(lattice.bottom), own(lattice.top), own(lattice.star))
        self._parts = self._own(parts)
        self._known = known
        self._facts = facts.of_group(self.attributes, lattice.top)
        self._facts.catch_up()
        self._forecast = _GroupForecast(known.forecast, self)
        nothing_closed = Border(len(self.attributes), upwards=True)
        self.regions = OpenRegions(self._lattice, self._parts, self._facts.failing, nothing_closed, known.region_limit)
        self._climbs: list[Climb] = []
        self._held: Key | None = None
        runs = zip(self._parts, self._lattice.bottom, self._lattice.top, strict=True)
        self.bound = sum(min(part[low : high + 1]) for part, low, high in runs)
        self.asked = 0
        self.done = False

    def _own(self, each: Sequence[Item]) -> tuple[Item, ...]:
        return tuple([each[i] for i in self.attributes])

    def in_the_whole(self, node: Node) -> Node:
        """A node of the group among all attributes."""
        whole = list(self._others)
        for i, level in zip(self.attributes, node, strict=True):
            whole[i] = level
        return tuple(whole)

    @property
    def empty(self) -> bool:
        """Whether every node of the group is known to fail."""
        return self.done and self._held is None and self.regions.given_up is None

    def held_level(self, attribute: int) -> int | None:
        """The level of an attribute in the cheapest node that holds."""
        return None if self._held is None else self._held[2][self.attributes.index(attribute)]

    def probes(self, count: int) -> list[Node]:
        """The nodes to ask for next; none where no open node can cost less than one that holds: that is what the group costs."""
        known, facts = self._known, self._facts
        facts.catch_up()
        self._sort_out(self._climbs)
        while len(self._climbs) < count:
            known.check_limits()
            wanted = count - len(self._climbs)
            found = self.regions.next_nodes(wanted, (), self._held, _SPLITS_BETWEEN_LOOKS_AT_THE_CLOCK)
            self._sort_out([*self._climbs, *(self._climb(node) for node in found)])
            if self._climbs if self.regions.spent else not found:
                break
        self._note_bound()
        self.done = not self._climbs
        probes: list[Node] = []
        for climb in self._climbs:
            probe = climb.probe(facts.holding, self._forecast)
            assert probe is not None
            if not any(is_generalization(other, climb.start) for other in probes):
                probes.append(probe)
        self.asked += len(probes)
        return [self.in_the_whole(probe) for probe in probes]

    def _climb(self, node: Node) -> Climb:
        return Climb(self._lattice, self._parts, node, weights=self._forecast)

    def _sort_out(self, climbs: Sequence[Climb]) -> None:
        """Drop what fails by now; of what holds remember the cheapest, and drop what costs more."""
        facts = self._facts
        self._climbs = []
        for climb in climbs:
            key = self._key(climb.start)
            if facts.holding.covers(climb.start):
                self._held = key if self._held is None else min(self._held, key)
            elif not facts.failing.covers(climb.start):
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
