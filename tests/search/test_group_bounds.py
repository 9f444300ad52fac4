"""What groups of attributes prove is true: brute force over the lattice, and over each group alone."""

from __future__ import annotations

import itertools

import pytest

from kanon_sql.search import best_first as best_first_module
from kanon_sql.search import group_bounds, nested_budgets
from kanon_sql.search.best_first import best_first
from kanon_sql.search.failure_forecast import FailureForecast
from kanon_sql.search.group_bounds import GroupBounds, Known
from kanon_sql.search.node_borders import Border
from tests.search.test_exact_searches import Problem, random_problem
from tests.search.test_never_worse import loss, searched

FOUR_ATTRIBUTES = [seed for seed in range(60) if random_problem(seed).lattice.width == 4][:12]


def parts_of(problem: Problem) -> tuple[tuple[float, ...], ...]:
    """Costs that differ from attribute to attribute and from level to level."""
    star = problem.lattice.star
    return tuple(tuple(level * (i + 2) / (7 + level) for level in range(star[i] + 1)) for i in range(len(star)))


def least_cost(problem: Problem, parts: tuple[tuple[float, ...], ...], group: range) -> float:
    """What the attributes of a group cost at least where the group alone passes."""
    lattice = problem.lattice
    runs = [
        range(lattice.bottom[i], lattice.top[i] + 1) if i in group else (lattice.star[i],) for i in range(lattice.width)
    ]
    passing = [node for node in itertools.product(*runs) if problem.table.verdict(node).k_passes]
    return min((sum(parts[i][node[i]] for i in group) for node in passing), default=float("inf"))


@pytest.mark.parametrize("seed", FOUR_ATTRIBUTES)
def test_groups_cost_what_brute_force_says(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(group_bounds, "MOST_IN_A_GROUP", 2)
    problem = random_problem(seed)
    lattice, table, parts = problem.lattice, problem.table, parts_of(problem)
    failing, holding = Border(lattice.width, upwards=False), Border(lattice.width, upwards=True)
    forecast = FailureForecast(lattice, table.budget)
    bounds = GroupBounds(lattice, parts, Known(failing, holding, forecast, lambda: None, 1000))
    asked = 0
    while wanted := bounds.probes(3):
        asked += len(wanted)
        assert asked < 1000
        for node in wanted:
            verdict = table.verdict(node)
            fails = verdict.k_passes is False
            (failing if fails else holding).add(node)
            bounds.learn(verdict, fails)
    in_pairs = sum(least_cost(problem, parts, range(i, i + 2)) for i in (0, 2))
    whole = least_cost(problem, parts, range(4))
    assert in_pairs - 1e-9 <= bounds.bound
    assert bounds.bound <= whole + 1e-9


@pytest.mark.parametrize("limit", [40, 90, None])
@pytest.mark.parametrize("seed", FOUR_ATTRIBUTES)
def test_a_search_that_proves_by_groups_is_as_true(
    seed: int, limit: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(group_bounds, "MOST_IN_A_GROUP", 2)
    monkeypatch.setattr(best_first_module, "LARGE_LATTICE", 1)
    monkeypatch.setattr(nested_budgets, "SMALL_LATTICE", 1)
    problem = random_problem(seed)
    outcome, answerer = searched(problem, problem.settings.budget_rows, limit, best_first)
    truth = answerer.brute_force()
    if truth is None:
        assert outcome.best is None
    elif outcome.best is not None:
        assert loss(outcome, answerer) - truth[0] <= outcome.gap + 1e-8
        assert not outcome.exact or loss(outcome, answerer) == pytest.approx(truth[0], abs=1e-8)
        assert limit is not None or outcome.exact
