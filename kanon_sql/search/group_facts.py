"""What is known to fail or to hold, as far as it bears on a group of attributes while the others stand at certain levels.

A group's proof meets few of all failures, and none of its own attributes' neighbours: with borders of its own, in its own attributes
alone, it has less than half to go through at every step.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kanon_sql.model.lattice import Node
from kanon_sql.search.node_borders import Border, Packing


class Facts:
    """All that is known to fail or to hold, and what of it bears on a group."""

    def __init__(self, width: int, failing: Iterable[Node], holding: Iterable[Node]) -> None:
        self._packing = Packing(width)
        self._fails: list[tuple[int, Node]] = []
        self._holds: list[tuple[int, Node]] = []
        self._of: dict[tuple[tuple[int, ...], Node], FactsOfGroup] = {}
        for node in failing:
            self.add(node, True)
        for node in holding:
            self.add(node, False)

    def add(self, node: Node, fails: bool) -> None:
        (self._fails if fails else self._holds).append((self._packing.pack(node), node))

    def of_group(self, attributes: Sequence[int], others: Node) -> FactsOfGroup:
        """What bears on a group while the other attributes stand at `others`; one for all regions where they do."""
        key = (tuple(attributes), tuple(0 if i in attributes else level for i, level in enumerate(others)))
        if key not in self._of:
            self._of[key] = FactsOfGroup(self, key[0], key[1])
        return self._of[key]

    def bearing_failures(self, others: int, guards: int, start: int) -> list[Node]:
        """Failures from the `start`-th on that stand no lower than `others`."""
        return [node for packed, node in self._fails[start:] if ((packed | guards) - others) & guards == guards]

    def bearing_successes(self, others: int, guards: int, mask: int, start: int) -> list[Node]:
        """What holds, from the `start`-th on, and stands no higher than `others`."""
        return [
            node for packed, node in self._holds[start:] if ((others | guards) - (packed & mask)) & guards == guards
        ]

    def packed(self, others: Node, outside: Sequence[int]) -> tuple[int, int, int]:
        """The levels of the other attributes, their guards, and all their bits."""
        guards, mask = self._packing.fields(outside)
        return self._packing.pack(others), guards, mask

    @property
    def counts(self) -> tuple[int, int]:
        return len(self._fails), len(self._holds)


class FactsOfGroup:
    """The borders of failure and success in a group's own attributes, while the others stand where they do."""

    def __init__(self, facts: Facts, attributes: tuple[int, ...], others: Node) -> None:
        self._facts = facts
        self._attributes = attributes
        outside = [i for i in range(len(others)) if i not in attributes]
        self._others, self._guards, self._mask = facts.packed(others, outside)
        self._read = (0, 0)
        self.failing = Border(len(attributes), upwards=False)
        self.holding = Border(len(attributes), upwards=True)

    def catch_up(self) -> None:
        """Take in what was learnt since."""
        failures, successes = self._read
        if self._read == self._facts.counts:
            return
        for node in self._facts.bearing_failures(self._others, self._guards, failures):
            self.failing.add(tuple([node[i] for i in self._attributes]))
        for node in self._facts.bearing_successes(self._others, self._guards, self._mask, successes):
            self.holding.add(tuple([node[i] for i in self._attributes]))
        self._read = self._facts.counts
