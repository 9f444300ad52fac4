"""Tables whose lattices are too large to be listed, answered in numpy; and a clock that counts work instead of seconds."""

from __future__ import annotations

import dataclasses
import math
import random
from dataclasses import dataclass, field

import numpy as np
import pytest

from kanon_sql.metrics.least_added import LeastAdded
from kanon_sql.metrics.objective import Objective, SeparableObjective
from kanon_sql.model.lattice import Lattice, Node
from kanon_sql.model.verdict import Verdict
from kanon_sql.search import search_state
from kanon_sql.search.best_first import best_first
from kanon_sql.search.open_regions import OpenRegions
from kanon_sql.search.progress import SearchProgress
from kanon_sql.search.questions import Answer, Driver, Narrow, Outcome, Question, ScoreNodes
from kanon_sql.search.settings import SearchSettings
from tests.search.test_exact_searches import Discernibility

SHAPES = {"narrow": (5, 7, 12, 3), "middling": (8, 11, 10, 3), "wide": (12, 16, 8, 3), "bits": (17, 20, 3, 2)}
"""Attributes from and to, values at most, levels below `*` at most."""
MODELS = ("k", "distinct", "entropy")
METRICS = ("glm", "ncp", "discernibility")
SHARES = (0, 0.01, 0.035, 0.05, 0.2, 0.5, 1.0)


class Work:
    """A clock that goes by the work done: statements, nodes asked for, regions looked at. The same on every machine."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.done = 0.0
        monkeypatch.setattr(search_state, "time", self)
        for name in ("_open", "_tighten"):
            self._counted(monkeypatch, name)

    def monotonic(self) -> float:
        return self.done

    def asked(self, question: Question) -> None:
        if not isinstance(question, Narrow):
            self.done += 1 + 0.5 * len(question.nodes)  # type: ignore[union-attr]

    def _counted(self, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
        plain = getattr(OpenRegions, name)

        def counted(*given: object) -> object:
            self.done += 1 / 32
            return plain(*given)

        monkeypatch.setattr(OpenRegions, name, counted)


@dataclass
class Searched:
    """How a search went: the best loss after so much work, and what it returned."""

    outcome: Outcome = field(default_factory=lambda: Outcome("", None, exact=False, gap=0.0))
    steps: list[tuple[float, float]] = field(default_factory=list)

    def hear(self, now: SearchProgress) -> None:
        self.steps.append((now.seconds, math.inf if now.loss is None else now.loss))

    def at(self, work: float) -> float:
        return min((loss for then, loss in self.steps if then <= work), default=math.inf)


class WideTable:
    """Attributes that go together by a hidden one, with nested levels and some 300 rows."""

    def __init__(self, seed: int, shape: str, model: str = "k", metric: str = "glm") -> None:
        chance = random.Random(f"{seed} {shape}")
        draw = np.random.default_rng(chance.randrange(1 << 30))
        least, most, values, levels = SHAPES[shape]
        width = chance.randint(least, most)
        self.rows, self.k, self.model, self.metric = chance.randint(200, 400), chance.choice((2, 3, 5)), model, metric
        hidden = draw.integers(0, chance.randint(3, 12), self.rows)
        self.codes = [self._attribute(chance, draw, hidden, values, levels) for _ in range(width)]
        self.keys = [[draw.integers(1, 1 << 62, 1000)[level] for level in chain] for chain in self.codes]
        star = tuple(len(chain) - 1 for chain in self.codes)
        self.lattice = Lattice(tuple(f"a{i}" for i in range(width)), (0,) * width, star, star)
        self.sensitive = draw.integers(0, 4, self.rows)
        self.losses = [[self._cell_loss(level, chain[0]) for level in chain] for chain in self.codes]
        self.known: dict[Node, Verdict] = {}

    def _attribute(
        self, chance: random.Random, draw: np.random.Generator, hidden: np.ndarray, values: int, levels: int
    ) -> list[np.ndarray]:
        size = chance.randint(2, values)
        weights = 1 / (np.arange(size) + 1.0) ** chance.choice((0, 1, 2))
        own = draw.choice(size, self.rows, p=weights / weights.sum())
        base = np.where(draw.random(self.rows) < chance.choice((0, 0.3, 0.7)), draw.permutation(50)[hidden] % size, own)
        chain, merged = [base], np.arange(size)
        for groups in range(chance.randint(1, levels), 1, -1):
            merged = draw.integers(0, groups, size)[merged]
            chain.append(merged[base])
        return [*chain, np.zeros(self.rows, dtype=int)]

    def _cell_loss(self, level: np.ndarray, base: np.ndarray) -> np.ndarray:
        pairs = np.unique(np.stack([level, base], axis=1), axis=0)
        under, size = np.bincount(pairs[:, 0])[level], len(np.unique(base))
        if self.metric == "ncp":
            return np.where(under == 1, 0.0, under / size)
        return (under - 1) / max(1, size - 1)

    @property
    def objective(self) -> Objective:
        if self.metric == "discernibility":
            return Discernibility(self.rows, floors=True)
        cells = self.rows * self.lattice.width
        parts = tuple(tuple(float(level.sum()) / cells for level in chain) for chain in self.losses)
        added = tuple(
            tuple(LeastAdded.of((x / cells, 1) for x in 1 - level) for level in chain) for chain in self.losses
        )
        return SeparableObjective(self.metric, parts, self.rows, added=added)

    def verdict(self, node: Node) -> Verdict:
        """With its loss; whether it passes is the budget's."""
        if node not in self.known:
            key = np.sum([chain[level] for chain, level in zip(self.keys, node, strict=True)], axis=0)
            _, klass, sizes = np.unique(key, return_inverse=True, return_counts=True)
            small = sizes < self.k
            violating = small | self._lacks_variety(klass, sizes)
            kept = ~violating[klass]
            kept_sizes = sizes[~violating]
            out = int(sizes[violating].sum())
            cells = [level[kept].sum() for level in self._cells(node)]
            sums = {"squares": float((kept_sizes**2).sum()), "all_squares": float((sizes**2).sum())}
            self.known[node] = Verdict(
                node,
                passes=False,
                min_class=int(sizes.min()),
                classes=len(sizes),
                suppressed=out,
                k=int(kept_sizes.min()) if len(kept_sizes) else 0,
                kept_classes=len(kept_sizes),
                sums=sums | {"small": float(sizes[small].sum())},
                loss=(out * len(node) + float(sum(cells))) / self.rows / len(node),
            )
        return self.known[node]

    def _cells(self, node: Node) -> list[np.ndarray]:
        return [self.losses[i][level] for i, level in enumerate(node)]

    def _lacks_variety(self, klass: np.ndarray, sizes: np.ndarray) -> np.ndarray:
        if self.model == "k":
            return np.zeros(len(sizes), dtype=bool)
        counts = np.zeros((len(sizes), 4))
        np.add.at(counts, (klass, self.sensitive), 1)
        if self.model == "distinct":
            return np.asarray((counts > 0).sum(axis=1) < 2)
        shares = counts / sizes[:, None]
        entropy = -(shares * np.log(np.where(shares > 0, shares, 1))).sum(axis=1)
        return np.asarray(entropy < math.log(1.8) - 1e-9)

    def answer(self, question: Question, budget: int) -> Answer:
        if isinstance(question, Narrow):
            return []
        verdicts = []
        for node in question.nodes:  # type: ignore[union-attr]
            verdict = self.verdict(node)
            fails_below = verdict.sums["small"] if self.model == "entropy" else verdict.suppressed
            verdicts.append(
                dataclasses.replace(
                    verdict,
                    passes=verdict.suppressed <= budget,
                    k_passes=fails_below <= budget,
                    loss=verdict.loss if isinstance(question, ScoreNodes) and self.metric != "discernibility" else None,
                )
            )
        return verdicts

    def searched(self, budget: int, limit: float, work: Work) -> Searched:
        """best-first within a limit of work."""
        work.done = 0.0
        found = Searched()
        monotone = self.model != "entropy" or budget == 0
        settings = SearchSettings(
            self.rows, self.k, budget, model_monotone=monotone, time_limit=limit, heard=found.hear
        )
        driver: Driver = best_first(self.lattice, self.objective, settings)
        try:
            question = next(driver)
            while True:
                reply = self.answer(question, budget)
                work.asked(question)
                question = driver.send(reply)
        except StopIteration as stop:
            found.outcome = stop.value
        return found

    def budgets(self) -> list[int]:
        return sorted({min(int(share * self.rows), self.rows - 1) for share in SHARES})
