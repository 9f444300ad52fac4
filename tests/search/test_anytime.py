"""A search stopped early claims only what it has proven; memory does not grow with the lattice; limits and reports hold."""

from __future__ import annotations

import random
import tracemalloc

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kanon_sql.errors import JobError
from kanon_sql.metrics.objective import SeparableObjective
from kanon_sql.model.algorithms import LATTICE_SEARCHES
from kanon_sql.model.lattice import Lattice, Node
from kanon_sql.model.verdict import Verdict
from kanon_sql.search.questions import Narrow, Outcome, StopSearch
from kanon_sql.search.settings import SearchSettings
from tests.drawn import drawn
from tests.search.answering import Answerer
from tests.search.test_exact_searches import Problem, problems


@pytest.mark.parametrize("name", list(LATTICE_SEARCHES))
@settings(max_examples=drawn(40), deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(problem=problems(), after=st.integers(0, 12))
def test_stopped_early_it_claims_only_what_is_proven(name: str, problem: Problem, after: int) -> None:
    answerer = Answerer(problem.table, problem.lattice, problem.objective)
    driver = LATTICE_SEARCHES[name].driver(problem.lattice, problem.objective, problem.settings)
    outcome: Outcome
    try:
        question = next(driver)
        for _ in range(after):
            question = driver.send(answerer.answer(question))
        driver.throw(StopSearch("enough"))
        raise AssertionError("a driver goes on after StopSearch")
    except StopIteration as stop:
        outcome = stop.value
    truth = answerer.brute_force()
    if outcome.best is None or truth is None:
        assert outcome.reason or outcome.best is not None
        assert truth is None or not outcome.exact
        return
    loss = answerer.loss(outcome.best.node)
    assert loss - truth[0] <= outcome.gap + 1e-9
    if outcome.exact:
        assert abs(loss - truth[0]) < 1e-9


class WideTable:
    """36 attributes, no data: a node fails where the levels below `*` weigh too much. Monotone, and as hard as one likes."""

    def __init__(self, width: int) -> None:
        chance = random.Random(5)
        star = tuple(chance.randint(1, 5) for _ in range(width))
        self.lattice = Lattice(tuple(f"a{i}" for i in range(width)), (0,) * width, star, star)
        self.weight = [[chance.uniform(0.2, 1.0) for _ in range(s)] for s in star]
        parts = tuple(tuple((j / s) ** 2 / width for j in range(s + 1)) for s in star)
        self.objective = SeparableObjective("glm", parts, 1000)

    def verdict(self, node: Node) -> Verdict:
        load = sum(sum(weights[level:]) for weights, level in zip(self.weight, node, strict=True))
        return Verdict(node, load <= 6, 1, 1, 0 if load <= 6 else int(load * 10), k_passes=load <= 6)


def test_an_enormous_lattice_is_answered_with_a_gap_in_little_memory() -> None:
    table = WideTable(36)
    assert table.lattice.size > 10**17
    limits = SearchSettings(rows=1000, k=5, check_limit=500, region_limit=2000)
    tracemalloc.start()
    driver = LATTICE_SEARCHES["best-first"].driver(table.lattice, table.objective, limits)
    try:
        question = next(driver)
        while True:
            question = driver.send([] if isinstance(question, Narrow) else [table.verdict(n) for n in question.nodes])
    except StopIteration as stop:
        outcome: Outcome = stop.value
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 30_000_000
    assert outcome.best is not None and table.verdict(outcome.best.node).passes
    assert not outcome.exact
    assert 0 < outcome.gap < table.objective.loss(outcome.best)
    assert "limit of checks" in " ".join(outcome.notes)


@pytest.mark.parametrize("name", [name for name, search in LATTICE_SEARCHES.items() if search.lists])
def test_what_lists_the_lattice_refuses_an_enormous_one(name: str) -> None:
    table = WideTable(36)
    driver = LATTICE_SEARCHES[name].driver(table.lattice, table.objective, SearchSettings(rows=1000, k=5))
    with pytest.raises(JobError, match="nodes"):
        question = next(driver)
        while True:
            question = driver.send([] if isinstance(question, Narrow) else [table.verdict(n) for n in question.nodes])


@settings(max_examples=drawn(30), deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(problem=problems())
def test_few_regions_in_memory_cost_no_truth(problem: Problem) -> None:
    """With room for a handful of regions only, what is claimed exact still is."""
    tight = SearchSettings(**{**problem.settings.__dict__, "region_limit": 16, "side_by_side": 1})
    answerer = Answerer(problem.table, problem.lattice, problem.objective)
    outcome = answerer.run(LATTICE_SEARCHES["best-first"].driver(problem.lattice, problem.objective, tight))
    truth = answerer.brute_force()
    if outcome.exact:
        assert (outcome.best is None) == (truth is None)
        assert truth is None or (outcome.best is not None and outcome.best.node == truth[2])
    elif outcome.best is not None and truth is not None:
        assert answerer.loss(outcome.best.node) - truth[0] <= outcome.gap + 1e-9


@settings(max_examples=drawn(30), deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(problem=problems())
def test_pruning_reports_every_level_and_cuts_none_that_passes(problem: Problem) -> None:
    answerer = Answerer(problem.table, problem.lattice, problem.objective)
    outcome = answerer.run(LATTICE_SEARCHES["global"].driver(problem.lattice, problem.objective, problem.settings))
    assert outcome.figures is not None
    report = outcome.figures["pruning"]
    assert isinstance(report, list)
    lattice = problem.lattice
    assert len(report) == sum(top - bottom + 1 for top, bottom in zip(lattice.top, lattice.bottom, strict=True))
    passing = [node for node in lattice.nodes() if problem.table.verdict(node).passes]
    for entry in report:
        i = lattice.names.index(entry["attribute"])
        if not entry["kept"]:
            assert not any(node[i] == entry["level"] for node in passing)
