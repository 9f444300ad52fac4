"""An objective: what a search minimises. Every measure that can be searched for is turned into one."""

from __future__ import annotations

import itertools
from typing import Protocol

from kanon_sql.frozen import dataclass
from kanon_sql.metrics.least_added import LeastAdded
from kanon_sql.model.lattice import Node
from kanon_sql.model.verdict import Verdict


class Objective(Protocol):
    """A loss over nodes, minimised.

    `separable`: without suppression the loss is a sum over attributes, known in closed form from the dictionaries, so `bound`
    is exact for a node without suppressed rows and needs no check.
    `monotone`: generalizing never lowers the loss when nothing is suppressed. A search that prunes generalizations of a passing
    node needs it. `monotone_bound`: the same is true of `bound`.
    `exact_from_counts`: `loss(verdict)` is exact for any plain CheckNodes verdict, suppressed rows included.
    """

    @property
    def name(self) -> str: ...

    @property
    def separable(self) -> bool: ...

    @property
    def monotone(self) -> bool: ...

    @property
    def exact_from_counts(self) -> bool: ...

    def bound(self, node: Node) -> float:
        """A lower bound of the node's loss, whatever it suppresses; no check needed."""
        ...

    def loss(self, verdict: Verdict) -> float:
        """The exact loss of a node from its verdict (its `loss` if it was scored)."""
        ...


class FlooredObjective(Objective, Protocol):
    """An objective that learns from a verdict how little its generalizations can lose.

    Discernibility, average class size, classification error: merging classes never lowers the measure taken over all classes,
    and a suppressed row never costs less than a kept one. Best-first uses it where an objective is not separable.
    """

    def floor(self, special: Verdict) -> float:
        """A lower bound of the loss of this node and of all its generalizations, whatever they suppress."""
        ...


@dataclass(frozen=True)
class SeparableObjective:
    """The sum over attributes of a value per level: height, glm, ncp, research value as a loss, non-uniform entropy.

    `parts[attribute][level]` is the attribute's share of the loss with nothing suppressed. With s of N rows suppressed the loss
    is `bound + (what those rows would lose more)`, which needs ScoreNodes unless `exact_from_counts`.
    `scaled_by_kept`: research value: a suppressed row is worth nothing, so loss = ceiling - (ceiling - bound) * kept/N.
    `added[attribute][level]` says what suppressed rows add at least, whichever they are; without it nothing is said.
    """

    name: str
    parts: tuple[tuple[float, ...], ...]
    rows: int
    exact_from_counts: bool = False
    scaled_by_kept: bool = False
    ceiling: float = 1.0
    separable: bool = True
    added: tuple[tuple[LeastAdded, ...], ...] | None = None

    @property
    def prices_suppression(self) -> bool:
        """Whether a count of suppressed rows raises the bound."""
        return self.scaled_by_kept or self.added is not None

    def bound_suppressing(self, node: Node, rows: int) -> float:
        """A lower bound of the node's loss when at least so many rows are suppressed."""
        plain = self.bound(node)
        if self.scaled_by_kept:
            return self.ceiling - (self.ceiling - plain) * (self.rows - rows) / self.rows
        if self.added is None or rows <= 0:
            return plain
        return plain + sum([levels[level].by(rows) for levels, level in zip(self.added, node, strict=True)])

    def parts_suppressing(self, rows: int) -> tuple[tuple[float, ...], ...]:
        """The parts of `bound_suppressing`: their sum over a node's levels."""
        if self.scaled_by_kept:
            kept = (self.rows - rows) / self.rows
            share = self.ceiling * (1 - kept) / len(self.parts)
            return tuple(tuple(share + value * kept for value in part) for part in self.parts)
        if self.added is None or rows <= 0:
            return self.parts
        return tuple(
            tuple(value + more.by(rows) for value, more in zip(part, levels, strict=True))
            for part, levels in zip(self.parts, self.added, strict=True)
        )

    @property
    def monotone(self) -> bool:
        return all(later >= earlier for part in self.parts for earlier, later in itertools.pairwise(part))

    def bound(self, node: Node) -> float:
        return sum(part[level] for part, level in zip(self.parts, node, strict=True))

    def loss(self, verdict: Verdict) -> float:
        if verdict.loss is not None:
            return verdict.loss
        plain = self.bound(verdict.node)
        if verdict.suppressed == 0:
            return plain
        if self.scaled_by_kept:
            return self.ceiling - (self.ceiling - plain) * (self.rows - verdict.suppressed) / self.rows
        if self.exact_from_counts:
            return plain
        raise ValueError(f"{self.name} of a node with suppressed rows needs ScoreNodes")


def best_first_key(objective: Objective, verdict: Verdict, roots: int) -> tuple[float, int, Node]:
    """The order among passing nodes: least loss, then fewer `*` attributes, then the lexicographically smallest node."""
    return (round(objective.loss(verdict), 12), roots, verdict.node)
