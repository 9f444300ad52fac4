"""A dictionary that answers a driver's questions, over a small table in plain Python; and brute force beside it."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field

from kanon_sql.metrics.objective import Objective, SeparableObjective, best_first_key
from kanon_sql.model.lattice import Lattice, Node
from kanon_sql.model.verdict import Verdict
from kanon_sql.search.questions import Answer, CheckNodes, Driver, Narrow, Outcome, Question, ScoreNodes


@dataclass
class Table:
    """Rows of values; `levels[i][j]` maps the value of attribute i to its label at level j. The last level is `*`."""

    rows: list[tuple[object, ...]]
    levels: list[list[dict[object, object]]]
    sensitive: list[int]
    k: int
    budget: int
    entropy: float | None = None  # entropy l-diversity with this l
    memo: dict[Node, Verdict] = field(default_factory=dict)

    def classes(self, node: Node) -> dict[tuple[object, ...], list[int]]:
        found: dict[tuple[object, ...], list[int]] = {}
        for number, row in enumerate(self.rows):
            key = tuple(self.levels[i][level][value] for i, (level, value) in enumerate(zip(node, row, strict=True)))
            found.setdefault(key, []).append(number)
        return found

    def violates(self, members: list[int]) -> bool:
        if len(members) < self.k:
            return True
        if self.entropy is None:
            return False
        counts = Counter(self.sensitive[m] for m in members).values()
        entropy = -sum(c / len(members) * math.log(c / len(members)) for c in counts)
        return entropy < math.log(self.entropy) - 1e-9

    def verdict(self, node: Node) -> Verdict:
        if node in self.memo:
            return self.memo[node]
        classes = list(self.classes(node).values())
        kept = [members for members in classes if not self.violates(members)]
        suppressed = len(self.rows) - sum(map(len, kept))
        small = sum(len(members) for members in classes if len(members) < self.k)
        self.memo[node] = Verdict(
            node=node,
            passes=suppressed <= self.budget,
            min_class=min(map(len, classes), default=0),
            classes=len(classes),
            suppressed=suppressed,
            k=min(map(len, kept), default=0),
            kept_classes=len(kept),
            sums={
                "squares": float(sum(len(members) ** 2 for members in kept)),
                "all_squares": float(sum(len(members) ** 2 for members in classes)),
            },
            k_passes=small <= self.budget,
        )
        return self.memo[node]


def row_losses(table: Table) -> list[list[dict[object, float]]]:
    """glm's loss of a value at a level: (values under the label - 1) / (values - 1)."""
    losses = []
    for i, levels in enumerate(table.levels):
        domain = {row[i] for row in table.rows}
        per_level = []
        for level in levels:
            under = Counter(level[value] for value in domain)
            per_level.append({v: (under[level[v]] - 1) / (len(domain) - 1) if len(domain) > 1 else 0.0 for v in domain})
        losses.append(per_level)
    return losses


class Answerer:
    """Answers, and counts: nodes checked, statements made. Refuses what a driver has no right to ask."""

    def __init__(self, table: Table, lattice: Lattice, objective: Objective) -> None:
        self.table = table
        self.lattice = lattice
        self.objective = objective
        self.bottom = lattice.bottom
        self.checks = 0
        self.asked: list[Node] = []
        self.losses = row_losses(table)

    def loss(self, node: Node) -> float:
        """The exact loss with suppressed rows at 1 per cell (glm), over all attributes."""
        verdict = self.table.verdict(node)
        if (
            not isinstance(self.objective, SeparableObjective)
            or self.objective.name != "glm"
            or verdict.suppressed == 0
        ):
            return self.objective.loss(verdict)
        width = len(node)
        total = 0.0
        for members in self.table.classes(node).values():
            if self.table.violates(members):
                total += len(members)
            else:
                for m in members:
                    row = self.table.rows[m]
                    total += sum(self.losses[i][node[i]][row[i]] for i in range(width)) / width
        return total / len(self.table.rows)

    def answer(self, question: Question) -> Answer:
        if isinstance(question, Narrow):
            self.bottom = self.bottom if question.mostly else question.bottom
            return []
        assert isinstance(question, CheckNodes | ScoreNodes)
        assert question.nodes, "an empty question"
        for node in question.nodes:
            for level, low, star in zip(node, self.bottom, self.lattice.star, strict=True):
                assert low <= level <= star, f"{node} is below what Narrow left, or above the star"
        self.asked += question.nodes
        self.checks = len(set(self.asked))
        verdicts = [self.table.verdict(node) for node in question.nodes]
        if isinstance(question, ScoreNodes):
            return [Verdict(**{**v.__dict__, "loss": self.loss(v.node)}) for v in verdicts]
        return verdicts

    def run(self, driver: Driver) -> Outcome:
        try:
            question = next(driver)
            while True:
                question = driver.send(self.answer(question))
        except StopIteration as stop:
            outcome = stop.value
            assert isinstance(outcome, Outcome)
            return outcome

    def brute_force(self) -> tuple[float, int, Node] | None:
        """The key of the best passing node, every node looked at."""
        best = None
        for node in self.lattice.nodes():
            verdict = self.table.verdict(node)
            if verdict.passes:
                scored = Verdict(**{**verdict.__dict__, "loss": self.loss(node)})
                key = best_first_key(self.objective, scored, self.lattice.roots(node))
                best = key if best is None or key < best else best
        return best
