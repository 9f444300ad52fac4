"""Every measure in plain Python, straight from the definitions, over lists of rows; and random tables to compare on."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from tests.metrics.tables import COLUMNS, LEVELS, NUMERIC, RESOLUTION, Row

Cover = frozenset[Any]
"""The values of the source that a published label covers."""


@dataclass(frozen=True)
class Measured:
    """A release: for each released row, what each label covers; `star[i]` marks labels that are `*`."""

    source: list[Row]
    covers: list[tuple[Cover, ...]]
    stars: list[tuple[bool, ...]]
    targets: list[Any]
    labels: list[tuple[Any, ...]]
    weights: dict[str, float]
    rules: dict[str, list[tuple[Callable[[Any], bool], Callable[[Any], bool], float]]]
    base: float
    importance: float
    k: int

    @property
    def rows(self) -> int:
        return len(self.source)

    @property
    def suppressed(self) -> int:
        return self.rows - len(self.covers)

    def column(self, i: int) -> list[Any]:
        return [row[i] for row in self.source]

    def weight(self, i: int) -> float:
        return self.weights[COLUMNS[i]] / sum(self.weights.values())

    def over_cells(self, cell: Callable[[int, Cover, bool], float], weighted: bool = False) -> float:
        """The (weighted) mean over all cells; a suppressed row costs 1 per cell."""
        width = len(COLUMNS)
        total = 0.0
        for i in range(width):
            lost = sum(cell(i, cover[i], star[i]) for cover, star in zip(self.covers, self.stars, strict=True))
            total += (self.weight(i) if weighted else 1 / width) * (lost + self.suppressed) / self.rows
        return total

    def share(self, i: int, cover: Cover) -> float:
        numbers = [v for v in set(self.column(i)) if v is not None]
        covered = [v for v in cover if v is not None]
        if not covered or max(numbers) == min(numbers):
            return 0.0
        return float(max(covered) - min(covered)) / float(max(numbers) - min(numbers))

    def glm(self) -> float:
        def cell(i: int, cover: Cover, star: bool) -> float:
            domain = len(set(self.column(i)))
            if star:
                return 1.0 if domain > 1 else 0.0
            if COLUMNS[i] in NUMERIC:
                return self.share(i, cover)
            return (len(cover) - 1) / (domain - 1) if domain > 1 else 0.0

        return self.over_cells(cell)

    def ncp(self, weighted: bool = False) -> float:
        def cell(i: int, cover: Cover, star: bool) -> float:
            domain = len(set(self.column(i)))
            if star:
                return 1.0 if domain > 1 else 0.0
            if COLUMNS[i] in NUMERIC:
                return self.share(i, cover)
            return 0.0 if len(cover) == 1 else len(cover) / domain

        return self.over_cells(cell, weighted)

    def entropy(self) -> float:
        lost = most = 0.0
        for i in range(len(COLUMNS)):
            counts = Counter(self.column(i))
            own = sum(n * math.log2(n) for n in counts.values())
            under = sum(math.log2(sum(counts[v] for v in cover[i])) for cover in self.covers)
            lost += under + self.suppressed * math.log2(self.rows) - own
            most += self.rows * math.log2(self.rows) - own
        return lost / most if most > 1e-12 else 0.0

    def classes(self) -> dict[tuple[Any, ...], list[int]]:
        found: dict[tuple[Any, ...], list[int]] = {}
        for number, labels in enumerate(self.labels):
            found.setdefault(labels, []).append(number)
        return found

    def discernibility(self) -> float:
        return sum(len(m) ** 2 for m in self.classes().values()) + self.rows * self.suppressed

    def average_class_size(self) -> float:
        return len(self.covers) / len(self.classes()) if self.covers else math.inf

    def classification(self) -> float:
        right = sum(max(Counter(self.targets[m] for m in members).values()) for members in self.classes().values())
        return 1 - right / self.rows

    def rules_factor(self, i: int, covers: Sequence[Cover]) -> float:
        """A rule holds where no label covers values of both its sides."""
        rules = self.rules.get(COLUMNS[i], [])
        kept = sum(
            importance
            for left, right, importance in rules
            if not any(any(left(v) for v in cover) and any(right(v) for v in cover) for cover in covers)
        )
        whole = self.base + sum(importance for _, _, importance in rules)
        return 1.0 if whole == 0 else (self.base + kept) / whole

    def worth(self, i: int, granularity: float, rules: float) -> float:
        f = self.importance
        return self.weight(i) * granularity ** (2 * (1 - f)) * rules ** (2 * f)

    def span(self, i: int, cover: Cover) -> float:
        numbers = [v for v in cover if v is not None]
        return float(max(numbers) - min(numbers)) / RESOLUTION[COLUMNS[i]] + 1 if numbers else 1.0

    def rv_of_node(self, node: Sequence[int]) -> float:
        """The thesis's formula over the whole table, scaled by the rows kept."""
        total = 0.0
        for i, level in enumerate(node):
            if level == len(LEVELS[COLUMNS[i]]) - 1:
                continue
            values = self.column(i)
            covers = covers_at(values, i, level)
            if COLUMNS[i] in NUMERIC:
                granularity = self.rows / sum(self.span(i, covers[v]) for v in values)
            else:
                granularity = len(set(covers.values())) / len(set(values))
            total += self.worth(i, granularity, self.rules_factor(i, list(covers.values())))
        return total * len(self.covers) / self.rows

    def rv_by_rows(self) -> float:
        total = 0.0
        for cover, star in zip(self.covers, self.stars, strict=True):
            for i in range(len(COLUMNS)):
                if not star[i]:
                    granularity = 1 / (self.span(i, cover[i]) if COLUMNS[i] in NUMERIC else len(cover[i]))
                    total += self.worth(i, granularity, self.rules_factor(i, [cover[i]]))
        return total / self.rows

    def measures(self) -> dict[str, float]:
        return {
            "glm": self.glm(),
            "ncp": self.ncp(),
            "weighted_ncp": self.ncp(weighted=True),
            "entropy": self.entropy(),
            "discernibility": self.discernibility(),
            "average_class_size": self.average_class_size(),
            "c_avg": self.average_class_size() / self.k,
            "classification": self.classification(),
        }


def covers_at(values: Sequence[Any], i: int, level: int) -> dict[Any, Cover]:
    """What each value's label covers at a level."""
    group = LEVELS[COLUMNS[i]][level]
    members: dict[Any, set[Any]] = {}
    for value in set(values):
        members.setdefault(group(value), set()).add(value)
    return {value: frozenset(members[group(value)]) for value in set(values)}


@dataclass(frozen=True)
class World:
    """A random table with its job's settings. The last column of a row is the target."""

    rows: list[Row]
    k: int
    suppression: str
    weights: dict[str, float]
    rules: dict[str, list[dict[str, Any]]]
    base: float
    importance: float
    nodes: list[tuple[int, ...]] = field(default_factory=list)

    @property
    def budget(self) -> int:
        return int(Fraction(self.suppression) * len(self.rows))

    def released(self, node: Sequence[int]) -> Measured:
        """The release of a node: classes below k are out."""
        keys = [tuple(LEVELS[c][node[i]](row[i]) for i, c in enumerate(COLUMNS)) for row in self.rows]
        sizes = Counter(keys)
        covers = [covers_at([row[i] for row in self.rows], i, level) for i, level in enumerate(node)]
        kept = [number for number, key in enumerate(keys) if sizes[key] >= self.k]
        star = tuple(level == len(LEVELS[c]) - 1 for c, level in zip(COLUMNS, node, strict=True))
        return self.measured(
            kept,
            [tuple(covers[i][self.rows[n][i]] for i in range(len(COLUMNS))) for n in kept],
            [star for _ in kept],
            [keys[n] for n in kept],
        )

    def measured(
        self,
        kept: list[int],
        covers: list[tuple[Cover, ...]],
        stars: list[tuple[bool, ...]],
        labels: list[tuple[Any, ...]],
    ) -> Measured:
        return Measured(
            [row[: len(COLUMNS)] for row in self.rows],
            covers,
            stars,
            [self.rows[n][-1] for n in kept],
            labels,
            self.weights,
            {name: [_rule(rule) for rule in rules] for name, rules in self.rules.items()},
            self.base,
            self.importance,
            self.k,
        )


def _rule(rule: dict[str, Any]) -> tuple[Callable[[Any], bool], Callable[[Any], bool], float]:
    if "cut" in rule:
        cut = rule["cut"]
        return (lambda v: v is not None and v < cut), (lambda v: v is not None and v >= cut), rule["importance"]
    left, right = (set(side if isinstance(side, list) else [side]) for side in rule["apart"])
    return (lambda v: v in left), (lambda v: v in right), rule["importance"]


@st.composite
def worlds(draw: DrawFn) -> World:
    from decimal import Decimal

    row = st.tuples(
        st.one_of(st.none(), st.integers(-6, 14)),
        st.one_of(st.none(), st.integers(0, 12).map(lambda n: Decimal(n) / 4)),
        st.sampled_from([None, "a", "b", "c", "d"]),
        st.sampled_from([None, "aa", "ab", "ba", "b, {c}", "x\\y"]),
        st.sampled_from([None, "yes", "no"]),
    )
    k = draw(st.integers(2, 4))
    rows = draw(st.lists(row, min_size=k, max_size=24))
    rules = {
        "size": draw(st.lists(st.sampled_from([0, 5, 7, 40]), max_size=2, unique=True)),
        "town": draw(st.lists(st.sampled_from([("a", "b"), ("a", "c"), (["a", "b"], ["c", "zz"])]), max_size=2)),
    }
    importances = st.sampled_from([5.0, 10.0, 20.0])
    return World(
        rows=rows,
        k=k,
        suppression=draw(st.sampled_from(["0", "0.3", "0.9"])),
        weights={c: draw(st.sampled_from([1.0, 2.0, 0.5])) for c in COLUMNS},
        rules={
            "size": [{"cut": cut, "importance": draw(importances)} for cut in rules["size"]],
            "town": [
                {"apart": list(pair), "importance": 7.0}
                for i, pair in enumerate(rules["town"])
                if pair not in rules["town"][:i]
            ],
        },
        base=draw(st.sampled_from([0.0, 10.0])),
        importance=draw(st.sampled_from([0.5, 0.25, 1.0])),
        nodes=draw(st.lists(st.tuples(*(st.integers(0, len(LEVELS[c]) - 1) for c in COLUMNS)), min_size=2, max_size=3)),
    )
