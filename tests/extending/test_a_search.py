"""A search is one driver file (top_only.py) and one line in `model/algorithms.py` (the fixture)."""

from __future__ import annotations

from pathlib import Path

import pytest

import kanon_sql
from kanon_sql.config import job_schema, parse_job
from kanon_sql.errors import JobError
from kanon_sql.model.algorithms import LATTICE_SEARCHES, Algorithm
from tests.extending.people import job, job_text, people


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setitem(LATTICE_SEARCHES, "top-only", Algorithm("tests.extending.top_only", "the top node"))
    return "top-only"


def test_it_runs_by_its_name_alone(registered: str, tmp_path: Path) -> None:
    plan = kanon_sql.plan(job(people(tmp_path), search=f"algorithm: {registered}"))
    assert plan.algorithm == registered
    assert plan.node == {"age": 4, "region": 2}
    assert not plan.exact


def test_the_schema_lists_it(registered: str) -> None:
    names = job_schema()["$defs"]["Search"]["properties"]["algorithm"]["enum"]
    assert names == [*LATTICE_SEARCHES, *names[len(LATTICE_SEARCHES) :]]
    assert {registered, "best-first", "anneal"} <= set(names)


def test_without_the_line_the_error_lists_what_there_is() -> None:
    with pytest.raises(JobError, match="unknown algorithm 'top-only'") as raised:
        parse_job(job_text("duckdb://", search="algorithm: top-only"))
    assert "did you mean top-down? known are global, local" in str(raised.value.hint)
    assert "anneal" in str(raised.value.hint)
