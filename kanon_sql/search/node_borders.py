"""Comparing nodes fast: a node packed into one integer, and the borders of what fails and of what passes."""

from __future__ import annotations

from collections.abc import Iterable
from operator import lshift

from kanon_sql.model.lattice import Node

_FIELD = 8


class Packing:
    """A node as one integer, eight bits an attribute, the highest of them free: then `a >= b` everywhere is one subtraction."""

    def __init__(self, width: int) -> None:
        self._shifts = tuple(_FIELD * i for i in range(width))
        self.guards = sum(1 << (_FIELD * i + _FIELD - 1) for i in range(width))

    def pack(self, node: Node) -> int:
        return sum(map(lshift, node, self._shifts))

    def fields(self, attributes: Iterable[int]) -> tuple[int, int]:
        """The free bits of some attributes, and all of their bits."""
        guards = sum(1 << (_FIELD * i + _FIELD - 1) for i in attributes)
        return guards, 2 * guards - (guards >> (_FIELD - 1))

    def is_generalization(self, general: int, special: int) -> bool:
        """The packed twin of `lattice.is_generalization`."""
        return ((general | self.guards) - special) & self.guards == self.guards


class Border:
    """The maximal (or minimal) nodes of a set closed downwards (or upwards). Answers whether a node lies within.

    Every edge is a bit. For each attribute and level a number holds the bits of the edges that lie there or above (or below): a few
    ANDs answer for thousands of edges at once.
    """

    def __init__(self, width: int, upwards: bool) -> None:
        self._upwards = upwards
        self._width = width
        self._edges: list[Node] = []
        self._left = 0
        self._reaching: list[list[int]] = [[] for _ in range(width)]
        self._reached: list[list[int]] = [[] for _ in range(width)]
        self.version = 0

    def __len__(self) -> int:
        return self._left.bit_count()

    def edges(self) -> list[Node]:
        """All of them, the oldest first."""
        return [edge for place, edge in enumerate(self._edges) if self._left >> place & 1]

    def covers(self, node: Node) -> bool:
        return self._within(node, self._reached if self._upwards else self._reaching) != 0

    def above(self, node: Node) -> list[Node]:
        """The edges at or above `node`, the oldest first."""
        bits = self._within(node, self._reaching)
        edges, found = self._edges, []
        while bits:
            lowest = bits & -bits
            found.append(edges[lowest.bit_length() - 1])
            bits ^= lowest
        return found

    def add(self, node: Node) -> bool:
        """Take `node` in; False where it lay within already. Edges that it covers are dropped."""
        if self.covers(node):
            return False
        self.version += 1
        self._left &= ~self._within(node, self._reaching if self._upwards else self._reached)
        if 2 * len(self) + 64 < len(self._edges):
            self._forget_the_dropped()
        self._append(node)
        return True

    def _within(self, node: Node, index: list[list[int]]) -> int:
        """The edges that reach up to the node everywhere, or that it reaches up to."""
        bits = self._left
        for by_level, level in zip(index, node, strict=True):
            if not bits:
                return 0
            if level < len(by_level):
                bits &= by_level[level]
            elif index is self._reaching:
                return 0
        return bits

    def _append(self, node: Node) -> None:
        bit = 1 << len(self._edges)
        self._edges.append(node)
        self._left |= bit
        for i, level in enumerate(node):
            reaching, reached = self._reaching[i], self._reached[i]
            while len(reaching) <= level:
                reaching.append(0)
                reached.append(bit - 1)
            for j in range(len(reaching)):
                if j <= level:
                    reaching[j] |= bit
                if j >= level:
                    reached[j] |= bit

    def _forget_the_dropped(self) -> None:
        edges = self.edges()
        self._edges, self._left = [], 0
        self._reaching = [[] for _ in range(self._width)]
        self._reached = [[] for _ in range(self._width)]
        for edge in edges:
            self._append(edge)
