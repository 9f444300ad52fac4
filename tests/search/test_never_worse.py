"""More may never be worse: a larger budget, more time or more checks never give a greater loss, and the truth bounds all of them."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from kanon_sql.metrics.least_added import LeastAdded
from kanon_sql.metrics.objective import Objective, SeparableObjective
from kanon_sql.model.lattice import Lattice
from kanon_sql.search import best_first as best_first_module
from kanon_sql.search import nested_budgets, search_state
from kanon_sql.search.best_first import best_first
from kanon_sql.search.nested_budgets import SMALL_LATTICE, NestedBudgets
from kanon_sql.search.questions import Driver, Outcome
from kanon_sql.search.search_state import SearchState, run_steps
from kanon_sql.search.settings import SearchSettings
from tests.drawn import drawn
from tests.search.answering import Answerer, row_losses
from tests.search.test_exact_searches import Problem, problems, random_problem

Search = Callable[[Lattice, Objective, SearchSettings], Driver]

quick = settings(max_examples=drawn(60), deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)


def searched(problem: Problem, budget: int, limit: int | None, driver: Search = best_first) -> tuple[Outcome, Answerer]:
    """The search with this budget and limit of checks, and the one who answered it."""
    table = dataclasses.replace(problem.table, budget=budget, memo={})
    monotone = table.entropy is None or budget == 0
    given_settings = dataclasses.replace(
        problem.settings, budget_rows=budget, check_limit=limit, model_monotone=monotone
    )
    objective = priced(problem)
    answerer = Answerer(table, problem.lattice, objective)
    return answerer.run(driver(problem.lattice, objective, given_settings)), answerer


def priced(problem: Problem) -> Objective:
    """The objective as a job builds it for a long search: it knows what suppressed rows add at least."""
    objective, table = problem.objective, problem.table
    if not isinstance(objective, SeparableObjective) or objective.name != "glm":
        return objective
    width, count = len(table.levels), len(table.rows)
    added = tuple(
        tuple(LeastAdded.of(((1 - losses[row[i]]) / width / count, 1) for row in table.rows) for losses in per_level)
        for i, per_level in enumerate(row_losses(table))
    )
    return dataclasses.replace(objective, added=added)


def loss(outcome: Outcome, answerer: Answerer) -> float:
    return float("inf") if outcome.best is None else round(answerer.loss(outcome.best.node), 9)


def walks(lattice: Lattice, objective: Objective, settings: SearchSettings) -> Driver:
    """What best-first begins with where it may be cut short, and nothing after it."""
    state = SearchState(lattice, objective, settings)
    return run_steps("walks", state, NestedBudgets(state).improve(), exact=False)


def checked(problem: Problem, budgets: list[int], limit: int | None, driver: Search) -> None:
    """The losses never rise with the budget, and no claim is untrue."""
    rows = len(problem.table.rows)
    losses = []
    for budget in sorted({min(budget, rows - 1) for budget in budgets}):
        outcome, answerer = searched(problem, budget, limit, driver)
        losses.append(loss(outcome, answerer))
        truth = answerer.brute_force()
        assert truth is None or losses[-1] >= round(truth[0], 9)
        if outcome.exact and outcome.best is not None:
            assert truth is not None and abs(losses[-1] - truth[0]) < 1e-8
        if outcome.best is not None and truth is not None:
            assert losses[-1] - truth[0] <= outcome.gap + 1e-8
    assert losses == sorted(losses, reverse=True)


@pytest.mark.parametrize("limit", [1, 5, 15, 30, 60, 120, None])
@quick
@given(problem=problems(), budgets=st.lists(st.integers(0, 24), min_size=2, max_size=4, unique=True))
def test_wherever_the_walks_are_cut_a_larger_budget_is_no_worse(
    limit: int | None, problem: Problem, budgets: list[int]
) -> None:
    checked(problem, budgets, limit, walks)


@pytest.mark.parametrize("limit", [5, 15, 30, 60])
@pytest.mark.parametrize("seed", range(drawn(6)))
def test_nor_on_tables_whose_budgets_are_used(limit: int, seed: int) -> None:
    problem = random_problem(seed)
    rows = len(problem.table.rows)
    checked(problem, [rows * share // 20 for share in range(21)], limit, walks)


@quick
@given(
    problem=problems(),
    budgets=st.lists(st.integers(0, 24), min_size=2, max_size=4, unique=True),
    limit=st.integers(1, 200),
)
def test_wherever_the_whole_search_is_cut_a_larger_budget_is_no_worse(
    problem: Problem, budgets: list[int], limit: int
) -> None:
    assume(problem.lattice.size <= SMALL_LATTICE)
    checked(problem, budgets, limit, best_first)


@pytest.mark.parametrize("limit", [5, 30, 80])
@pytest.mark.parametrize("seed", range(drawn(6)))
def test_nor_with_the_proof_on_tables_whose_budgets_are_used(limit: int, seed: int) -> None:
    problem = random_problem(seed)
    rows = len(problem.table.rows)
    assert problem.lattice.size <= SMALL_LATTICE
    checked(problem, [rows * share // 10 for share in range(11)], limit, best_first)


@quick
@given(problem=problems(), budgets=st.lists(st.integers(0, 24), min_size=2, max_size=4, unique=True))
def test_to_its_end_a_larger_budget_is_never_worse(problem: Problem, budgets: list[int]) -> None:
    checked(problem, budgets, None, best_first)
    checked(problem, budgets, 100_000, best_first)


@quick
@given(problem=problems(), limit=st.integers(1, 120))
def test_the_proof_never_worsens_the_answer_of_the_walks(problem: Problem, limit: int) -> None:
    budget = problem.settings.budget_rows
    if problem.lattice.size <= SMALL_LATTICE:  # listed in an order of its own: the walks may be luckier until its end
        limit = max(limit, problem.lattice.size)
    assert loss(*searched(problem, budget, limit)) <= loss(*searched(problem, budget, limit, walks))


@quick
@given(problem=problems(), limits=st.lists(st.integers(1, 120), min_size=2, max_size=4, unique=True))
def test_more_checks_are_never_worse(problem: Problem, limits: list[int]) -> None:
    losses = [loss(*searched(problem, problem.settings.budget_rows, limit)) for limit in sorted(limits)]
    assert losses == sorted(losses, reverse=True)


@quick
@given(problem=problems(), rows=st.integers(0, 24))
def test_what_suppressed_rows_add_at_least(problem: Problem, rows: int) -> None:
    objective = priced(problem)
    if not isinstance(objective, SeparableObjective) or objective.name != "glm":
        return
    answerer = Answerer(problem.table, problem.lattice, objective)
    for node in problem.lattice.nodes():
        suppressed = problem.table.verdict(node).suppressed
        if rows <= suppressed:
            bound = objective.bound_suppressing(node, rows)
            assert bound <= answerer.loss(node) + 1e-9
            assert abs(sum(p[j] for p, j in zip(objective.parts_suppressing(rows), node, strict=True)) - bound) < 1e-9


@pytest.mark.parametrize("seed", range(8))
def test_more_time_is_never_worse_on_a_lattice_that_is_not_listed(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock goes by one for every question; walks, proof and attempts in between are the ones of large lattices."""
    monkeypatch.setattr(nested_budgets, "SMALL_LATTICE", 1)
    monkeypatch.setattr(best_first_module, "LARGE_LATTICE", 1)
    problem = random_problem(seed)
    losses = []
    for limit in (3, 6, 10, 15, 25, 40, 10_000):
        ticks = itertools.count()
        monkeypatch.setattr(search_state, "time", SimpleNamespace(monotonic=lambda ticks=ticks: next(ticks)))
        answerer = Answerer(problem.table, problem.lattice, priced(problem))
        timed = dataclasses.replace(problem.settings, time_limit=float(limit))
        outcome = answerer.run(best_first(problem.lattice, answerer.objective, timed))
        losses.append(loss(outcome, answerer))
        truth = answerer.brute_force()
        if truth is not None and outcome.best is not None:
            assert losses[-1] - truth[0] <= outcome.gap + 1e-8
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] == float("inf") if truth is None else losses[-1] == pytest.approx(truth[0], abs=1e-8)
