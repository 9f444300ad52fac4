"""The suppression budget from 0 to no limit, on real engines: the loss never rises, and something is always released."""

from __future__ import annotations

import itertools
import json
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from kanon_sql import pareto, plan
from kanon_sql.backends.connect import open_backend
from kanon_sql.errors import JobError
from kanon_sql.flows.lattice import set_up
from kanon_sql.metrics.objective import SeparableObjective
from kanon_sql.observer import Observer
from kanon_sql.results import PlanResult
from kanon_sql.search.questions import Answer, Question
from kanon_sql.search.settings import SearchSettings
from kanon_sql.workbench.answers import Answers
from kanon_sql.workbench.workbench import Workbench
from tests.search.wide_tables import Searched, Work
from tests.support import job_of, make_table

COLUMNS: dict[str, Any] = {
    "age": {"role": "quasi", "type": "numeric", "levels": [10, 30, "*"]},
    "zip": {"role": "quasi", "levels": [{"prefix": 2}, {"prefix": 1}, "*"]},
    "sex": {"role": "quasi"},
    "smoker": {"role": "quasi"},
    "ill": {"role": "sensitive"},
}
ROWS = [
    (20 + i * 7 % 60, f"{10 + i * i % 41}{i % 7}", "mf"[i % 2], "yn"[i % 5 > 0], "abc"[i * i % 3]) for i in range(180)
]
BUDGETS = (0, 0.01, 0.05, 0.2, 0.5, 1)


def make(url: str) -> str:
    names = ["age integer", "zip varchar(9)", "sex varchar(9)", "smoker varchar(9)", "ill varchar(9)"]
    make_table(url, "budgets", names, ROWS)
    return url


@pytest.fixture
def people(engine_url: str) -> str:
    return make(engine_url)


@pytest.mark.parametrize("metric", ["glm", "entropy", "rv", "height", "discernibility", "c_avg", "classification"])
def test_a_larger_budget_never_loses_more(duckdb_url: str, metric: str) -> None:
    loses_no_more(make(duckdb_url), metric)


@pytest.mark.parametrize("metric", ["glm", "rv"])
def test_nor_where_a_server_answers_the_search(postgres_url: str, metric: str) -> None:
    """A table this small is searched on the embedded engine, wherever it comes from, unless it must not."""
    loses_no_more(make(postgres_url), metric, embedded="never")


def loses_no_more(people: str, metric: str, **search: str) -> None:
    losses = []
    for suppression in BUDGETS:
        job = job_of(
            people,
            "budgets",
            COLUMNS,
            k=4,
            privacy={"suppression": suppression},
            utility={"metric": metric, "target": "ill" if metric == "classification" else None},
            search={"algorithm": "best-first", "time_limit": 60, **search},
        )
        found = plan(job)
        assert found.exact and found.k >= 4
        assert found.suppressed < found.rows, "an empty release is no answer"
        losses.append(found.figures["lower_bound"])
    assert all(after <= before + 1e-9 for before, after in itertools.pairwise(losses))


def test_without_a_limit_the_search_agrees_with_every_node(people: str) -> None:
    settings = {"privacy": {"suppression": 1}, "utility": {"metric": "glm"}}
    short = plan(
        job_of(people, "budgets", COLUMNS, k=4, search={"algorithm": "best-first", "time_limit": 60}, **settings)
    )
    every = plan(job_of(people, "budgets", COLUMNS, k=4, search={"algorithm": "exhaustive"}, **settings))
    assert short.node == every.node and short.suppressed == every.suppressed > 0


def test_why_says_what_each_column_costs(people: str) -> None:
    settings = {"privacy": {"suppression": 0.05}, "utility": {"metric": "glm"}}
    job = job_of(people, "budgets", COLUMNS, k=4, search={"algorithm": "best-first"}, **settings)
    found = plan(job, why=True)
    assert found.why is not None and found.node is not None and found.to_dict()["why"] == found.why
    costs = {cost["attribute"]: cost for cost in found.why}
    assert set(costs) == set(found.node)
    assert sum(cost["loss"] for cost in costs.values()) <= found.utility["glm"] + 1e-9
    for name, cost in costs.items():
        others = COLUMNS | {name: {"role": "drop"}}
        least = plan(job_of(people, "budgets", others, k=4, search={"algorithm": "best-first"}, **settings))
        assert cost["loss_without"] >= least.utility["glm"] - 1e-9, (
            "no table without the column loses less than its optimum"
        )
        at_star = plan(
            job,
            at=tuple(
                3 if c == name and c in ("age", "zip") else 1 if c == name else level for c, level in found.node.items()
            ),
        )
        assert cost["rows_alone"] == max(0, found.suppressed - at_star.suppressed)


def test_why_is_refused_for_groups(people: str) -> None:
    with pytest.raises(JobError, match="--why"):
        plan(job_of(people, "budgets", COLUMNS, k=4, search={"algorithm": "mondrian"}), why=True)


def test_a_frontier_too_large_to_list_comes_as_a_proven_band(people: str, monkeypatch: pytest.MonkeyPatch) -> None:
    job = job_of(people, "budgets", COLUMNS, utility={"metric": "glm"}, search={"time_limit": 60})
    exact = pareto(job, keep=False).frontier
    monkeypatch.setattr("kanon_sql.flows.pareto.LIST_LIMIT", 10)
    found = pareto(job, keep=False)
    assert found.to_dict()["band"][0]["k"] == 2 and not found.frontier.exact
    for point in found.frontier.band:
        at = exact.at_k(point.k)
        assert at is not None and point.loss is not None
        assert point.bound - 1e-9 <= at.loss <= point.loss + 1e-9
    assert [p.loss for p in found.frontier.band] == sorted(p.loss or 0.0 for p in found.frontier.band)


def test_what_suppressed_rows_cost_is_known_whatever_the_budget(duckdb_url: str) -> None:
    """Else a search that may suppress nothing would go another way from the start."""
    make(duckdb_url)
    known = []
    for suppression in (0, 0.2):
        search = {"algorithm": "best-first", "time_limit": 60}
        job = job_of(duckdb_url, "budgets", COLUMNS, k=4, privacy={"suppression": suppression}, search=search)
        backend = open_backend(duckdb_url, Path.cwd(), read_only=True)
        with closing(backend), Workbench(backend, job, "priced") as bench:
            bench.prepare()
            objective = set_up(bench, Observer()).built.objective
            assert isinstance(objective, SeparableObjective)
            known.append(objective.added)
    assert known[0] == known[1] and known[0] is not None


WIDE = {f"q{i}": {"role": "quasi", "levels": [2 + i % 3, "*"]} for i in range(9)}
WIDE_ROWS = [
    (*((n * n * (i + 3) // 7 + n * i) % (3 + i) for i in range(9)), "abcd"[(n * n + n // 5) % 4]) for n in range(240)
]


@pytest.mark.parametrize(
    ("metric", "model"), [("glm", {}), ("ncp", {"l_diversity": {"ill": {"l": 2, "kind": "entropy"}}})]
)
def test_cut_short_a_wide_one_loses_no_more_either(
    duckdb_url: str, metric: str, model: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock counts what is asked, so that every search is cut at the same point: the proof of a lattice of 17 thousand nodes among them."""
    make_table(duckdb_url, "wide", [*(f"q{i} integer" for i in range(9)), "ill varchar(9)"], WIDE_ROWS)
    work, answer = Work(monkeypatch), Answers.answer

    def counted(answers: Answers, question: Question) -> Answer:
        work.asked(question)
        return answer(answers, question)

    monkeypatch.setattr(Answers, "answer", counted)
    searches: list[Searched] = []
    cut_short = 0
    for suppression in (0, 0.05, 0.2, 1):
        searches.append(Searched())
        work.done = 0.0
        privacy = {"suppression": suppression} | model
        search = {"algorithm": "best-first", "time_limit": 70}
        columns = WIDE | {"ill": {"role": "sensitive"}}
        job = job_of(duckdb_url, "wide", columns, k=3, privacy=privacy, utility={"metric": metric}, search=search)
        found = plan(job, observer=Observer(search=searches[-1].hear))
        assert found.utility[metric] == pytest.approx(searches[-1].at(10_000))
        cut_short += not found.exact
    assert cut_short >= 2
    for cut in range(1, 100):
        losses = [one.at(cut) for one in searches]
        assert losses == sorted(losses, reverse=True), cut


@pytest.mark.parametrize("metric", ["discernibility", "c_avg", "classification"])
def test_a_search_cut_short_bounds_what_is_lost_or_says_nothing(
    duckdb_url: str, metric: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its gap goes into a JSON document, which knows no infinity."""
    make(duckdb_url)

    def cut(limit: int | None) -> PlanResult:
        with monkeypatch.context() as patched:
            if limit is not None:
                patched.setattr("kanon_sql.flows.lattice.SearchSettings", partial(SearchSettings, check_limit=limit))
            job = job_of(
                duckdb_url,
                "budgets",
                COLUMNS,
                k=4,
                privacy={"suppression": 0.2},
                utility={"metric": metric, "target": "ill" if metric == "classification" else None},
                search={"algorithm": "best-first"},
            )
            return plan(job)

    least = cut(None).utility[metric]
    short = cut(10)
    json.dumps(short.to_dict(), allow_nan=False, default=str)
    assert not short.exact and short.gap is not None
    assert short.utility[metric] - short.gap <= least + 1e-9
