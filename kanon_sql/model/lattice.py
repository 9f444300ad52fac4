"""The generalization lattice: every vector of levels between a bottom and a top."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from operator import eq

from kanon_sql.frozen import dataclass

Node = tuple[int, ...]
"""A level for each quasi-identifier, in the job's order. The thesis calls it a generalization string."""

LARGE_LATTICE = 1_000_000
"""A lattice of more nodes is searched for a good answer first, and for the proof of it then."""


def is_generalization(general: Node, special: Node) -> bool:
    """Whether `general` is at or above `special` in every attribute."""
    return all(g >= s for g, s in zip(general, special, strict=True))


@dataclass(frozen=True)
class Lattice:
    """All nodes from `bottom` to `top`; `star` holds the `*` level of each attribute, which `top` may exclude.

    A check may be asked for any node up to `star`: an attribute at `*` does not take part in the grouping,
    so the node with every attribute but a few at `*` is the projection on those few (the subset property).
    """

    names: tuple[str, ...]
    bottom: Node
    top: Node
    star: Node

    @property
    def size(self) -> int:
        return math.prod(hi - lo + 1 for lo, hi in zip(self.bottom, self.top, strict=True))

    @property
    def width(self) -> int:
        """The number of quasi-identifiers."""
        return len(self.names)

    def __contains__(self, node: object) -> bool:
        return (
            isinstance(node, tuple)
            and len(node) == self.width
            and is_generalization(node, self.bottom)
            and is_generalization(self.top, node)
        )

    def nodes(self) -> Iterator[Node]:
        """Every node, in lexicographic order. Lazy: the lattice is never listed here."""
        return itertools.product(*(range(lo, hi + 1) for lo, hi in zip(self.bottom, self.top, strict=True)))

    def successors(self, node: Node) -> list[Node]:
        """The direct generalizations: one attribute one level up."""
        return [(*node[:i], node[i] + 1, *node[i + 1 :]) for i in range(self.width) if node[i] < self.top[i]]

    def predecessors(self, node: Node) -> list[Node]:
        """The direct specializations: one attribute one level down."""
        return [(*node[:i], node[i] - 1, *node[i + 1 :]) for i in range(self.width) if node[i] > self.bottom[i]]

    def projection(self, node: Node, attributes: tuple[int, ...]) -> Node:
        """The node with every attribute at `*` but those given."""
        return tuple(level if i in attributes else self.star[i] for i, level in enumerate(node))

    def roots(self, node: Node) -> int:
        """How many attributes stand at `*` (the thesis's root count)."""
        return sum(map(eq, node, self.star))

    def without(self, bottom: Node) -> Lattice:
        """The same lattice with a higher bottom (what pre-pruning leaves)."""
        return Lattice(self.names, bottom, self.top, self.star)

    def describe(self, node: Node) -> dict[str, int]:
        return dict(zip(self.names, node, strict=True))


def height(node: Node) -> int:
    """The sum of levels."""
    return sum(node)
