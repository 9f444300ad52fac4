"""Sets of nodes as bits of one integer: the specializations of a node, its generalizations, all nodes that cost at
least so much.

The nodes are listed once, in ascending order of a closed-form loss, so those from a loss on are the bits from a
position on.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from functools import cached_property

from kanon_sql.model.lattice import Lattice, Node

NodeSet = int
"""Bit i stands for the node at position i."""


class NodeSets:
    """The nodes of a lattice by position; sets of them are integers, so that a union or a count is one machine loop."""

    def __init__(self, lattice: Lattice, bound: Callable[[Node], float]) -> None:
        self.lattice = lattice
        costed = sorted((bound(node), node) for node in lattice.nodes())
        self.nodes: list[Node] = [node for _, node in costed]
        self.bounds: list[float] = [cost for cost, _ in costed]
        self.position: dict[Node, int] = {node: place for place, node in enumerate(self.nodes)}
        self.everything: NodeSet = (1 << len(self.nodes)) - 1
        half = lattice.width // 2
        self._halves = (range(half), range(half, lattice.width))
        self._below: dict[Node, NodeSet] = {}
        self._above: dict[Node, NodeSet] = {}

    def below(self, node: Node) -> NodeSet:
        """The node and its specializations."""
        return self._half(node, 0, self._below, self._at_most) & self._half(node, 1, self._below, self._at_most)

    def above(self, node: Node) -> NodeSet:
        """The node and its generalizations."""
        return self._half(node, 0, self._above, self._at_least) & self._half(node, 1, self._above, self._at_least)

    def from_loss(self, loss: float) -> NodeSet:
        """The nodes whose closed-form loss is this or more."""
        place = bisect_left(self.bounds, loss)
        return (self.everything >> place) << place

    def single(self, node: Node) -> NodeSet:
        return 1 << self.position[node]

    def _half(self, node: Node, half: int, known: dict[Node, NodeSet], of_level: list[list[NodeSet]]) -> NodeSet:
        # Half a node has few values, so their sets are kept; those of all nodes would fill the memory.
        attributes = self._halves[half]
        key = (half, *(node[i] for i in attributes))
        found = known.get(key)
        if found is None:
            found = self.everything
            for i in attributes:
                found &= of_level[i][node[i] - self.lattice.bottom[i]]
            known[key] = found
        return found

    @cached_property
    def _at_level(self) -> list[list[NodeSet]]:
        sets = []
        for i, (low, high) in enumerate(zip(self.lattice.bottom, self.lattice.top, strict=True)):
            levels = [node[i] for node in reversed(self.nodes)]
            sets.append([int("".join("1" if x == level else "0" for x in levels), 2) for level in range(low, high + 1)])
        return sets

    @cached_property
    def _at_most(self) -> list[list[NodeSet]]:
        return [_running_unions(levels) for levels in self._at_level]

    @cached_property
    def _at_least(self) -> list[list[NodeSet]]:
        return [_running_unions(levels[::-1])[::-1] for levels in self._at_level]


def positions(nodes: NodeSet) -> Iterator[int]:
    """The positions in a set, ascending."""
    digits = bin(nodes)[:1:-1]
    place = digits.find("1")
    while place >= 0:
        yield place
        place = digits.find("1", place + 1)


def _running_unions(sets: list[NodeSet]) -> list[NodeSet]:
    unions, union = [], 0
    for one in sets:
        union |= one
        unions.append(union)
    return unions
