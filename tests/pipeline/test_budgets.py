"""The suppression budget from 0 to no limit, on real engines: the loss never rises, and something is always released."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from kanon_sql import plan
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


@pytest.fixture
def people(engine_url: str) -> str:
    names = ["age integer", "zip varchar(9)", "sex varchar(9)", "smoker varchar(9)", "ill varchar(9)"]
    make_table(engine_url, "budgets", names, ROWS)
    return engine_url


@pytest.mark.parametrize("metric", ["glm", "entropy", "rv", "height", "discernibility", "c_avg", "classification"])
def test_a_larger_budget_never_loses_more(people: str, metric: str) -> None:
    losses = []
    for suppression in BUDGETS:
        job = job_of(
            people,
            "budgets",
            COLUMNS,
            k=4,
            privacy={"suppression": suppression},
            utility={"metric": metric, "target": "ill" if metric == "classification" else None},
            search={"algorithm": "best-first", "time_limit": 60},
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
