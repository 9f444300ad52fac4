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

    def is_generalization(self, general: int, special: int) -> bool:
        """The packed twin of `lattice.is_generalization`."""
        return ((general | self.guards) - special) & self.guards == self.guards


class Border:
    """The maximal (or minimal) nodes of a set closed downwards (or upwards). Answers whether a node lies within."""

    def __init__(self, packing: Packing, upwards: bool) -> None:
        self._packing = packing
        self._upwards = upwards
        self._packed: list[int] = []
        # The same with every guard set: one operation less for each comparison with a node below.
        self._guarded: list[int] = []
        self.nodes: list[Node] = []
        self.version = 0

    def __len__(self) -> int:
        return len(self.nodes)

    def covers(self, node: Node) -> bool:
        return self.covers_packed(self._packing.pack(node))

    def covers_packed(self, packed: int) -> bool:
        guards = self._packing.guards
        if self._upwards:
            guarded = packed | guards
            return any((guarded - edge) & guards == guards for edge in self._packed)
        return any((edge - packed) & guards == guards for edge in self._guarded)

    def above(self, node: Node) -> list[Node]:
        """The edges at or above `node`."""
        guards, packed = self._packing.guards, self._packing.pack(node)
        return [e for e, edge in zip(self.nodes, self._guarded, strict=True) if (edge - packed) & guards == guards]

    def add(self, node: Node) -> bool:
        """Take `node` in; False where it lay within already. Edges that it covers are dropped."""
        packed = self._packing.pack(node)
        if self.covers_packed(packed):
            return False
        self.version += 1
        above = self._packing.is_generalization
        keep = [not (above(edge, packed) if self._upwards else above(packed, edge)) for edge in self._packed]
        self.nodes = [edge for edge, kept in zip(self.nodes, keep, strict=True) if kept] + [node]
        self._packed = [edge for edge, kept in zip(self._packed, keep, strict=True) if kept] + [packed]
        self._guarded = [edge | self._packing.guards for edge in self._packed]
        return True

    def extend(self, nodes: Iterable[Node]) -> None:
        for node in nodes:
            self.add(node)
