"""Every search that claims to be exact finds what brute force finds, ties included; the others never claim more."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache

import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from kanon_sql.metrics.objective import Objective, SeparableObjective, best_first_key
from kanon_sql.model.algorithms import LATTICE_SEARCHES
from kanon_sql.model.lattice import Lattice, Node
from kanon_sql.model.verdict import Verdict
from kanon_sql.search.settings import SearchSettings
from tests.drawn import drawn
from tests.search.answering import Answerer, Table, row_losses


@dataclass(frozen=True)
class Discernibility:
    """Sum of squares of the kept classes, N for each suppressed row; `floors`: with the bound a generalization has."""

    rows: int
    floors: bool
    name: str = "discernibility"
    separable: bool = False
    monotone: bool = True
    exact_from_counts: bool = True

    def bound(self, node: Node) -> float:
        return float(self.rows)

    def loss(self, verdict: Verdict) -> float:
        return verdict.sums["squares"] + self.rows * verdict.suppressed

    def floor(self, special: Verdict, suppressed: int = 0) -> float:
        return verdict_floor(special) if self.floors else float(self.rows)


def verdict_floor(special: Verdict) -> float:
    """Merging classes never lowers the sum of squares, and a suppressed row costs more than a kept one."""
    return special.sums["all_squares"]


@dataclass(frozen=True)
class AverageClass:
    """Rows per class over k: not monotone once rows are suppressed, and no bound but 0."""

    k: int
    rows: int
    name: str = "c_avg"
    separable: bool = False
    monotone: bool = True
    exact_from_counts: bool = False

    def bound(self, node: Node) -> float:
        return 0.0

    def loss(self, verdict: Verdict) -> float:
        if verdict.loss is not None:
            return verdict.loss
        return (self.rows - verdict.suppressed) / verdict.kept_classes / self.k if verdict.kept_classes else 1e9


@dataclass(frozen=True)
class Problem:
    table: Table
    lattice: Lattice
    objective: Objective
    settings: SearchSettings


@st.composite
def problems(draw: DrawFn) -> Problem:
    width = draw(st.integers(1, 4))
    levels: list[list[dict[object, object]]] = []
    domains: list[list[object]] = []
    for _ in range(width):
        size = draw(st.integers(1, 5))
        domain: list[object] = [None if draw(st.booleans()) else "n", *range(1, size)]
        labels: dict[object, object] = {value: value for value in domain}
        chain = [labels]
        for _ in range(draw(st.integers(0, 3))):
            groups = draw(st.integers(1, 3))
            merge = {label: draw(st.integers(0, groups)) for label in dict.fromkeys(labels.values())}
            labels = {value: ("g", len(chain), merge[labels[value]]) for value in domain}
            chain.append(labels)
        chain.append(dict.fromkeys(domain, "*"))
        if draw(st.integers(0, 9)) == 0:
            chain = chain[-1:]  # an attribute that only has its `*`
        levels.append(chain)
        domains.append(domain)
    count = draw(st.integers(1, 24))
    rows = [tuple(draw(st.sampled_from(domain)) for domain in domains) for _ in range(count)]
    k = draw(st.integers(1, 4))
    budget = draw(st.sampled_from([0, 0, 1, 2, 4, 8]))
    entropy = draw(st.sampled_from([None, None, None, 1.5, 2.0]))
    table = Table(
        rows,
        levels,
        draw(st.lists(st.integers(0, 2), min_size=count, max_size=count)),
        k,
        min(budget, count - 1),
        entropy,
    )
    star = tuple(len(chain) - 1 for chain in levels)
    bottom = tuple(draw(st.integers(0, s)) if draw(st.integers(0, 4)) == 0 else 0 for s in star)
    top = tuple(
        draw(st.integers(b, s)) if draw(st.integers(0, 4)) == 0 else s for b, s in zip(bottom, star, strict=True)
    )
    lattice = Lattice(tuple(f"a{i}" for i in range(width)), bottom, top, star)
    objective = draw_objective(draw, table, star)
    monotone = entropy is None or table.budget == 0
    limits = SearchSettings(
        rows=count,
        k=k,
        budget_rows=table.budget,
        batch=draw(st.sampled_from([1, 3, 32])),
        model_monotone=monotone,
        subset_width=draw(st.integers(1, 3)),
    )
    return Problem(table, lattice, objective, limits)


def draw_objective(draw: DrawFn, table: Table, star: Node) -> Objective:
    kind = draw(st.sampled_from(["glm", "glm", "height", "expert", "research", "discernibility", "floors", "c_avg"]))
    count = len(table.rows)
    if kind == "glm":
        losses = row_losses(table)
        width = len(star)
        parts = tuple(
            tuple(sum(level[row[i]] for row in table.rows) / count / width for level in per_level)
            for i, per_level in enumerate(losses)
        )
        return SeparableObjective("glm", parts, count)
    if kind == "height":
        return SeparableObjective(
            "height", tuple(tuple(float(j) for j in range(s + 1)) for s in star), count, exact_from_counts=True
        )
    if kind in ("expert", "research"):
        values = st.sampled_from([0.0, 0.05, 0.1, 0.1, 0.15, 0.2])
        drawn = [[draw(values) for _ in range(s + 1)] for s in star]
        if kind == "research":
            drawn = [sorted(part) for part in drawn]
        return SeparableObjective(
            "rv", tuple(map(tuple, drawn)), count, exact_from_counts=True, scaled_by_kept=True, ceiling=1.0
        )
    if kind == "c_avg":
        return AverageClass(table.k, count)
    return Discernibility(count, kind == "floors")


@cache
def random_problem(seed: int) -> Problem:
    """As `problems`, evenly spread: larger tables, budgets that are used, levels that differ (hypothesis leans to the simple)."""
    chance = random.Random(seed)
    width = chance.randint(2, 4)
    count = chance.randint(15, 60)
    columns: list[list[object]] = []
    levels: list[list[dict[object, object]]] = []
    for _ in range(width):
        size = chance.randint(2, 8)
        domain: list[object] = [None, *range(1, size)]
        weights = [1 / (rank + 1) ** chance.choice((0, 1, 2)) for rank in range(size)]
        columns.append(chance.choices(domain, weights, k=count))
        labels: dict[object, object] = {value: value for value in domain}
        chain = [labels]
        for groups in range(chance.randint(0, 2), 0, -1):
            merge = {label: chance.randint(0, groups) for label in dict.fromkeys(labels.values())}
            labels = {value: ("g", len(chain), merge[labels[value]]) for value in domain}
            chain.append(labels)
        levels.append([*chain, dict.fromkeys(domain, "*")])
    k = chance.randint(2, 5)
    budget = chance.choice((0, count // 20, count // 10, count // 4))
    entropy = chance.choice((None, None, None, 1.3, 1.8))
    rows = list(zip(*columns, strict=True))
    table = Table(rows, levels, chance.choices(range(3), k=count), k, budget, entropy)
    star = tuple(len(chain) - 1 for chain in levels)
    bottom = tuple(chance.choice((0, 0, 0, min(1, s))) for s in star)
    top = tuple(chance.choice((s, s, s, max(b, s - 1))) for b, s in zip(bottom, star, strict=True))
    lattice = Lattice(tuple(f"a{i}" for i in range(width)), bottom, top, star)

    def pick(strategy: st.SearchStrategy[object]) -> object:
        choices = getattr(strategy, "elements", None)  # sampled_from is all that draw_objective draws
        assert choices is not None
        return chance.choice(list(choices))

    objective = draw_objective(pick, table, star)  # type: ignore[arg-type]
    monotone = entropy is None or budget == 0
    return Problem(table, lattice, objective, SearchSettings(count, k, budget, chance.choice((1, 32)), monotone))


@pytest.mark.parametrize("name", list(LATTICE_SEARCHES))
def test_finds_what_brute_force_finds_on_fuller_tables(name: str) -> None:
    for seed in range(300):
        compare_with_brute_force(name, random_problem(seed))


@settings(max_examples=drawn(150), deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(problem=problems())
def test_finds_what_brute_force_finds(problem: Problem) -> None:
    # One table for every search: drawing it takes longer than searching it.
    for name in LATTICE_SEARCHES:
        note(name)
        compare_with_brute_force(name, problem)


def compare_with_brute_force(name: str, problem: Problem) -> None:
    answerer = Answerer(problem.table, problem.lattice, problem.objective)
    outcome = answerer.run(LATTICE_SEARCHES[name].driver(problem.lattice, problem.objective, problem.settings))
    truth = answerer.brute_force()
    assert outcome.checks == answerer.checks
    assert outcome.algorithm == name
    if LATTICE_SEARCHES[name].exact:
        assert outcome.exact
        assert outcome.gap == 0
    if outcome.best is None:
        assert outcome.reason
        assert truth is None or not outcome.exact
        return
    assert truth is not None
    best = Verdict(**{**outcome.best.__dict__, "loss": answerer.loss(outcome.best.node)})
    key = best_first_key(problem.objective, best, problem.lattice.roots(best.node))
    assert outcome.best.passes
    assert outcome.best.node in problem.lattice
    assert abs(problem.objective.loss(outcome.best) - key[0]) < 1e-9
    if outcome.exact:
        assert key == truth
    else:
        assert truth <= key
        assert key[0] - truth[0] <= outcome.gap + 1e-9
