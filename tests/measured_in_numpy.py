"""An answerer without a database: the k, l and losses of nodes of a small table, from their definitions, in numpy."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from kanon_sql.metrics.objective import SeparableObjective
from kanon_sql.model.lattice import Lattice, Node
from kanon_sql.model.verdict import Verdict
from kanon_sql.search.questions import KBound

SEPARABLE = ("glm", "ncp", "rv")


@dataclass
class MeasuredTable:
    """A table of integer codes per attribute and level, nested, with the last level `*`.

    `levels[attribute][level]` is the code of every row at that level. `target` serves the classification error,
    `sensitive` the l.
    """

    levels: Sequence[Sequence[np.ndarray]]
    eta: int
    target: np.ndarray | None = None
    sensitive: np.ndarray | None = None
    names: tuple[str, ...] = ()
    asked: list[Node] = field(default_factory=list)
    known: dict[tuple[Node, str], Verdict] = field(default_factory=dict)
    objectives: dict[str, SeparableObjective | CountedObjective] = field(default_factory=dict)
    sizes: dict[Node, np.ndarray] = field(default_factory=dict)

    def with_eta(self, eta: int) -> MeasuredTable:
        """The same table with another budget."""
        return MeasuredTable(self.levels, eta, self.target, self.sensitive, self.names)

    @classmethod
    def of_values(
        cls,
        columns: Sequence[Sequence[Sequence[object]]],
        eta: int,
        target: Sequence[object] | None = None,
        sensitive: Sequence[object] | None = None,
        names: tuple[str, ...] = (),
    ) -> MeasuredTable:
        """From labels (None is a value of its own): `columns[attribute][level][row]`."""
        coded = [[_codes(level) for level in attribute] for attribute in columns]
        return cls(
            coded,
            eta,
            None if target is None else _codes(target),
            None if sensitive is None else _codes(sensitive),
            names or tuple(f"a{i}" for i in range(len(coded))),
        )

    @property
    def rows(self) -> int:
        return len(self.levels[0][0])

    @cached_property
    def lattice(self) -> Lattice:
        top = tuple(len(attribute) - 1 for attribute in self.levels)
        return Lattice(self.names, (0,) * len(top), top, top)

    @cached_property
    def cell_losses(self) -> dict[str, list[list[np.ndarray]]]:
        """The loss of every row's cell, per measure, attribute and level. Research value is that of a plain
        categorical."""
        tables: dict[str, list[list[np.ndarray]]] = {measure: [] for measure in SEPARABLE}
        for attribute in self.levels:
            domain = int(attribute[0].max()) + 1
            per_level: dict[str, list[np.ndarray]] = {measure: [] for measure in SEPARABLE}
            for level, codes in enumerate(attribute):
                pairs = np.unique(np.stack([codes, attribute[0]], axis=1), axis=0)
                under = np.bincount(pairs[:, 0])[codes]
                per_level["glm"].append((under - 1) / (domain - 1) if domain > 1 else np.zeros(self.rows))
                per_level["ncp"].append(np.where(under == 1, 0.0, under / domain))
                value = 0.0 if level == len(attribute) - 1 else (int(codes.max()) + 1) / domain
                per_level["rv"].append(np.full(self.rows, 1.0 - value))
            for measure in SEPARABLE:
                tables[measure].append(per_level[measure])
        return tables

    def objective(self, measure: str) -> SeparableObjective | CountedObjective:
        if measure not in self.objectives:
            self.objectives[measure] = self._objective(measure)
        return self.objectives[measure]

    def _objective(self, measure: str) -> SeparableObjective | CountedObjective:
        if measure in SEPARABLE:
            parts = tuple(
                tuple(float(level.mean()) / len(self.levels) for level in attribute)
                for attribute in self.cell_losses[measure]
            )
            return SeparableObjective(measure, parts, self.rows, scaled_by_kept=measure == "rv")
        return CountedObjective(measure, self.rows)

    def measure(self, node: Node, measure: str) -> Verdict:
        """Suppress whole size groups, smallest first, while their rows fit eta; what is left is k-anonymous (POkA,
        section 5.1)."""
        if (node, measure) not in self.known:
            keys = self._keys(node, np.arange(self.rows))
            _, first, klass, sizes = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
            self.known[node, measure] = self._verdict(measure, node, first, sizes, klass)
        return self.known[node, measure]

    def measure_all(self, measure: str) -> dict[Node, Verdict]:
        """Every node of the lattice, each rolled up from a neighbour's classes: brute force in seconds. No l, no
        target."""
        found: dict[Node, Verdict] = {}
        width = len(self.levels)

        def roll_up(node: Node, depth: int, first: np.ndarray, sizes: np.ndarray) -> None:
            if depth == width:
                found[node] = self._verdict(measure, node, first, sizes)
                return
            for level in range(self.lattice.top[depth] + 1):
                general = (*node[:depth], level, *node[depth + 1 :])
                if level:
                    keys = self._keys(general, first)
                    order = np.argsort(keys)
                    starts = np.concatenate([[0], np.flatnonzero(np.diff(keys[order])) + 1])
                    first, sizes = first[order[starts]], np.add.reduceat(sizes[order], starts)
                roll_up(general, depth + 1, first, sizes)

        bottom = self.lattice.bottom
        _, first, sizes = np.unique(self._keys(bottom, np.arange(self.rows)), return_index=True, return_counts=True)
        roll_up(bottom, 0, first, sizes)
        return found

    def _keys(self, node: Node, rows: np.ndarray) -> np.ndarray:
        """One packed integer per row (mixed radix)."""
        keys = np.zeros(len(rows), dtype=np.int64)
        for attribute, level in zip(self.levels, node, strict=True):
            codes = attribute[level]
            keys = keys * (int(codes.max()) + 1) + codes[rows]
        return keys

    def answer(self, nodes: Iterable[Node], measure: str) -> list[Verdict]:
        nodes = list(nodes)
        self.asked += nodes
        return [self.measure(node, measure) for node in nodes]

    def bounded(self, bounds: Iterable[KBound]) -> list[Verdict]:
        """Whether the rows in a class of at most `most` rows at some generalization pass eta; a row counts once."""
        verdicts = []
        for bound in bounds:
            small = np.zeros(self.rows, dtype=bool)
            for general in bound.generalizations:
                small |= self.class_sizes(general) <= bound.most
            known = int(small.sum())
            verdicts.append(Verdict(bound.node, known <= self.eta, 0, 0, known, bound.most))
        return verdicts

    def class_sizes(self, node: Node) -> np.ndarray:
        """The size of every row's class."""
        if node not in self.sizes:
            _, klass, sizes = np.unique(self._keys(node, np.arange(self.rows)), return_inverse=True, return_counts=True)
            self.sizes[node] = sizes[klass]
        return self.sizes[node]

    def _verdict(
        self, measure: str, node: Node, first: np.ndarray, sizes: np.ndarray, klass: np.ndarray | None = None
    ) -> Verdict:
        k = int(np.argmax(np.cumsum(np.bincount(sizes, weights=sizes)) > self.eta))
        kept = sizes >= k
        suppressed = int(sizes[~kept].sum())
        return Verdict(
            node=node,
            passes=True,
            min_class=int(sizes.min()),
            classes=len(sizes),
            suppressed=suppressed,
            k=k,
            kept_classes=int(kept.sum()),
            loss=self._loss(measure, node, first, sizes, kept, suppressed, klass),
            l=self._l(klass, kept),
        )

    def _l(self, klass: np.ndarray | None, kept: np.ndarray) -> int | None:
        if self.sensitive is None or klass is None:
            return None
        pairs = np.unique(np.stack([klass, self.sensitive], axis=1), axis=0)
        return int(np.bincount(pairs[:, 0])[kept].min())

    def _loss(
        self,
        measure: str,
        node: Node,
        first: np.ndarray,
        sizes: np.ndarray,
        kept: np.ndarray,
        suppressed: int,
        klass: np.ndarray | None,
    ) -> float:
        if measure == "discernibility":
            return float((sizes[kept].astype(float) ** 2).sum() + suppressed * self.rows)
        if measure == "classification":
            assert self.target is not None
            assert klass is not None
            counts = np.zeros((len(sizes), int(self.target.max()) + 1), dtype=np.int64)
            np.add.at(counts, (klass, self.target), 1)
            return float((suppressed + (sizes - counts.max(axis=1))[kept].sum()) / self.rows)
        if klass is None:
            # Rolled up: the mean of all cells is known per attribute and level, and only the rows suppressed are
            # looked at.
            first, sizes = first[~kept], sizes[~kept]
            spared = sum(
                float((attribute[level][first] * sizes).sum())
                for attribute, level in zip(self.cell_losses[measure], node, strict=True)
            )
            return self.objective(measure).bound(node) + (suppressed - spared / len(node)) / self.rows
        cells = [attribute[level][first] for attribute, level in zip(self.cell_losses[measure], node, strict=True)]
        per_row = np.sum(cells, axis=0) / len(cells)
        return float(((per_row * sizes)[kept].sum() + suppressed) / self.rows)


@dataclass(frozen=True)
class CountedObjective:
    """Discernibility or classification error: no closed form, a floor from evaluated specializations."""

    name: str
    rows: int
    separable: bool = False
    monotone: bool = True
    exact_from_counts: bool = True

    @property
    def suppression_cost(self) -> float:
        return float(self.rows - 1) if self.name == "discernibility" else 1.0 / self.rows

    def bound(self, node: Node) -> float:
        return float(self.rows) if self.name == "discernibility" else 0.0

    def loss(self, verdict: Verdict) -> float:
        assert verdict.loss is not None
        return verdict.loss


def _codes(values: Sequence[object]) -> np.ndarray:
    """Dense codes; None is a value like any other."""
    known: dict[object, int] = {}
    return np.array([known.setdefault(value, len(known)) for value in values], dtype=np.int64)
