"""Lazy enumeration of the nodes that no known failure covers, least loss first, without listing the lattice.

The open nodes are kept as disjoint regions (a lowest and a highest level for each attribute) in a heap ordered by a lower bound of
the loss within. A failing node f forbids every node at or below it; within a region that reads "some attribute must rise above its
level in f", so a region is split by the attribute that does. The bound of a region is its cheapest levels plus what those clauses cost
at least together: each clause is paid once, from the cost its attributes have left (dual ascent, as in soft arc consistency).
The memory grows with the work done, never with the lattice, and is capped: regions beyond the cap are given up, and the least
bound among them is remembered, so that what is proven stays true.
"""

from __future__ import annotations

import heapq
from collections.abc import Container, Sequence

from kanon_sql.model.lattice import Lattice, Node
from kanon_sql.search.node_borders import Border
from kanon_sql.search.search_state import Key

Region = tuple[Node, Node]
Clause = list[tuple[int, int]]
"""Attributes that can still satisfy it, each with the least level that does."""

_SLACK = 1e-13  # sums taken in another order differ by less; a bound must never be too high
LOOKS_PER_SPLIT = 5
"""Regions that are looked at again for each that is split, at most, before the clock is looked at: after many failures most need it."""


class OpenRegions:
    """The open part of the lattice under a separable lower bound of the loss, `parts[attribute][level]`.

    Open is what lies neither below an edge of `failing` nor above one of `closed` (nodes whose generalizations cannot win).
    """

    def __init__(
        self, lattice: Lattice, parts: Sequence[Sequence[float]], failing: Border, closed: Border, limit: int
    ) -> None:
        self._lattice = lattice
        self._failing = failing
        self._closed = closed
        self._parts = parts
        self._limit = max(limit, 16)
        self._serial = 0
        self._heap: list[tuple[Key, int, int, Region]] = []
        self.given_up: Key | None = None
        self.splits = 0
        self.spent = False
        """Whether the last look for nodes ended because its work was done, and not because nothing is left."""
        self._below_top: dict[Node, Clause] = {}
        self._least = [self._cheapest_between(i) for i in range(lattice.width)]
        self._push((lattice.bottom, lattice.top), float("-inf"))

    def __len__(self) -> int:
        return len(self._heap)

    def least_key(self) -> Key | None:
        """No open node has a key before this one; None where nothing is open."""
        heap_key = self._heap[0][0] if self._heap else None
        return min((key for key in (heap_key, self.given_up) if key is not None), default=None)

    def next_nodes(self, count: int, known: Container[Node], best: Key | None, splits: int = 1 << 62) -> list[Node]:
        """Up to `count` open nodes, least bound first; fewer when no other can beat `best`, or when the work of `splits` is done:
        then `spent` is set. Looking at a region again is work as well, though it splits nothing."""
        found: list[Node] = []
        split, looks = self.splits + splits, splits * LOOKS_PER_SPLIT
        self.spent = False
        while self._heap and len(found) < count:
            if self.splits >= split or looks <= 0:
                self.spent = True
                break
            key, _, version, region = self._heap[0]
            if best is not None and key > best:
                break
            heapq.heappop(self._heap)
            looks -= 1
            if version < self._version():
                # Clauses learnt since may raise its bound, or close it.
                tightened = self._tighten(region)
                if tightened is None:
                    continue
                key_now, region = tightened
                if key_now > key:
                    heapq.heappush(self._heap, (key_now, self._next_serial(), self._version(), region))
                    continue
            self._open(region, key[0], known, found)
        return found

    def _open(self, region: Region, bound: float, known: Container[Node], found: list[Node]) -> None:
        """Split a region, or take its cheapest node out of it."""
        low, high = region
        node = tuple(self._least[i][lo, hi][1] for i, (lo, hi) in enumerate(zip(low, high, strict=True)))
        clause = self._hardest(region, node)
        self.splits += 1
        if clause is not None:
            for attribute, level in clause:
                self._push((_with(low, attribute, level), high), bound)
                high = _with(high, attribute, level - 1)
            return
        if node not in known:
            found.append(node)
        # What is left of the region without this node, in disjoint pieces.
        for i, level in enumerate(node):
            if level < high[i]:
                self._push((_with(low, i, level + 1), high), bound)
            if level > low[i]:
                self._push((low, _with(high, i, level - 1)), bound)
            low, high = _with(low, i, level), _with(high, i, level)

    def _push(self, region: Region, bound: float) -> None:
        """Queue a region under a bound that is cheap to have; the clauses are looked at when its turn comes, if it ever does."""
        low, high = region
        key = (max(bound, round(self._cheapest(low, high) - _SLACK, 12)), self._lattice.roots(low), low)
        heapq.heappush(self._heap, (key, self._next_serial(), -1, region))
        if len(self._heap) > self._limit:
            self._give_up_the_worst()

    def _give_up_the_worst(self) -> None:
        self._heap.sort()
        keep = self._limit // 2
        dropped = self._heap[keep][0]
        self.given_up = dropped if self.given_up is None else min(self.given_up, dropped)
        del self._heap[keep:]

    def _version(self) -> int:
        return self._failing.version + self._closed.version

    def _next_serial(self) -> int:
        self._serial += 1
        return -self._serial  # among equals the newest first: it lies deeper, so a node is reached sooner

    def _tighten(self, region: Region) -> tuple[Key, Region] | None:
        """Raise the region's low end as far as the clauses force it, and bound its loss; None where no node is left in it."""
        low, high = region
        while True:
            if self._closed.covers(low):
                return None
            clauses: list[Clause] = []
            forced = None
            for edge in self._failing.above(low):
                clause = self._clause(high, edge)
                if len(clause) > 1:
                    clauses.append(clause)
                elif not clause:
                    return None
                else:
                    forced = clause[0]
                    break
            if forced is None:
                break
            low = _with(low, forced[0], forced[1])
        bound = self._cheapest(low, high) + self._price(low, high, clauses) - _SLACK
        return (round(bound, 12), self._lattice.roots(low), low), (low, high)

    def _cheapest(self, low: Node, high: Node) -> float:
        return sum([least[lo, hi][0] for least, lo, hi in zip(self._least, low, high, strict=True)])

    def _price(self, low: Node, high: Node, clauses: list[Clause]) -> float:
        """What the clauses cost together at least, beyond the cheapest levels of the region."""
        total = 0.0
        left: dict[int, list[float]] = {}
        for clause in sorted(clauses, key=len):
            price = float("inf")
            for i, start in clause:
                if i not in left:
                    least = self._least[i][low[i], high[i]][0]
                    left[i] = [part - least for part in self._parts[i][low[i] : high[i] + 1]]
                price = min(price, min(left[i][start - low[i] :]))
                if price <= 0:
                    break
            else:
                total += price
                for i, start in clause:
                    costs = left[i]
                    for j in range(start - low[i], len(costs)):
                        costs[j] -= price
        return total

    def _hardest(self, region: Region, node: Node) -> Clause | None:
        """The clause that the region's cheapest node breaks and that is dearest to mend, its attributes cheapest first."""
        low, high = region
        hardest: Clause | None = None
        rank: tuple[int, float] | None = None
        for edge in self._failing.above(node):
            clause = self._clause(high, edge)
            if rank is not None and len(clause) > rank[0]:
                continue
            cost = {i: self._least[i][start, high[i]][0] - self._least[i][low[i], high[i]][0] for i, start in clause}
            this = (len(clause), -min(cost.values()))
            if rank is None or this < rank:
                rank = this
                hardest = [(i, start) for _, i, start in sorted((cost[i], i, start) for i, start in clause)]
        return hardest

    def _clause(self, high: Node, edge: Node) -> Clause:
        """What a failing node asks of a region whose low end it covers: one of these attributes must rise."""
        levels = self._below_top.get(edge)
        if levels is None:
            top = self._lattice.top
            levels = self._below_top[edge] = [(i, limit + 1) for i, limit in enumerate(edge) if limit < top[i]]
        return [part for part in levels if high[part[0]] >= part[1]]

    def _cheapest_between(self, i: int) -> dict[tuple[int, int], tuple[float, int]]:
        """For every run of levels of an attribute: the least part and the level to take for it (not `*`, then the lowest)."""
        part, star = self._parts[i], self._lattice.star[i]
        table = {}
        for lo in range(self._lattice.bottom[i], self._lattice.top[i] + 1):
            for hi in range(lo, self._lattice.top[i] + 1):
                _, _, level = min((part[level], level == star, level) for level in range(lo, hi + 1))
                table[lo, hi] = (part[level], level)
        return table


def _with(node: Node, attribute: int, level: int) -> Node:
    return node[:attribute] + (level,) + node[attribute + 1 :]
