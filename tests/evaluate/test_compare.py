"""Comparison: every algorithm as a plan of its own says, on one workbench; winners; the page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

import kanon_sql
from kanon_sql.errors import JobError
from kanon_sql.evaluate.compare import ComparedRow, Comparison, algorithms_of
from kanon_sql.flows.compare import compare
from kanon_sql.results import PlanResult
from tests.cli.commands import kanon
from tests.support import job_of, make_table

COLUMNS = {
    "age": {"role": "quasi", "levels": [5, 20, "*"]},
    "town": {"role": "quasi", "groups": [{"North": ["a", "b"], "South": ["c", "d"]}, "*"]},
    "sex": {"role": "quasi"},
}
ALGORITHMS = ["exhaustive", "best-first", "datafly", "samarati"]


def people(url: str) -> None:
    rows = [(20 + i * 7 % 40, "abcd"[i * 3 % 4], "FM"[i // 3 % 2]) for i in range(400)] + [(99, "a", "F")]
    make_table(url, "people", ["age integer", "town varchar(5)", "sex varchar(1)"], rows)


def test_rows_are_those_of_single_plans(engine_url: str) -> None:
    people(engine_url)
    job = job_of(engine_url, "people", COLUMNS, privacy={"suppression": 0.01})
    found = compare(job, ALGORITHMS, [3, 10], queries=20)
    assert [(row.asked_k, row.algorithm) for row in found.rows] == [(k, name) for k in (3, 10) for name in ALGORITHMS]
    for row in found.rows:
        alone = kanon_sql.plan(job.with_k(row.asked_k).with_algorithm(row.algorithm))
        assert row.plan is not None
        assert (row.plan.node, row.plan.k, row.plan.suppressed) == (alone.node, alone.k, alone.suppressed)
        assert row.measures["glm"] == pytest.approx(alone.utility["glm"])
        assert row.measures["k"] >= row.asked_k
        assert row.measures["count_error"] >= 0
    document = found.to_dict()
    assert document["rows"][0]["algorithm"] == "exhaustive"
    assert set(document["rows"][0]) >= {
        "algorithm",
        "k",
        "rows",
        "suppressed",
        "utility",
        "checks",
        "seconds",
        "node",
        "measures",
    }


def test_what_finds_nothing_is_a_row(duckdb_url: str) -> None:
    people(duckdb_url)
    columns = {name: column | {"max_level": 0} for name, column in COLUMNS.items()}
    found = compare(job_of(duckdb_url, "people", columns), ["exhaustive"], [5, 1], queries=0)
    assert [bool(row.failure) for row in found.rows] == [True, False]
    assert found.winners(5, "glm") == []


def test_winners_tie() -> None:
    def row(name: str, glm: float, rv: float) -> ComparedRow:
        plan = PlanResult(name, True, 0.0, 5, 10, 0, 2, {})
        return ComparedRow(name, 5, plan, {"glm": glm, "rv_by_rows": rv})

    found = Comparison((row("a", 0.2, 0.1), row("b", 0.2, 0.3), row("c", 0.4, 0.3)))
    assert found.winners(5, "glm") == ["a", "b"]
    assert found.winners(5, "rv_by_rows") == ["b", "c"]
    with pytest.raises(JobError, match="no algorithm"):
        algorithms_of("global,nonsense", ["global"])


def test_the_command_and_its_page(duckdb_url: str, tmp_path: Path) -> None:
    pytest.importorskip("altair", reason="the extra `report` is not installed")
    people(duckdb_url)
    job = tmp_path / "job.yml"
    document = {
        "version": 1,
        "source": {"url": duckdb_url, "table": "people"},
        "privacy": {"k": 3, "suppression": 0.01},
        "columns": COLUMNS,
    }
    job.write_text(yaml.safe_dump(document))
    page = tmp_path / "page.html"
    typed = kanon(
        "compare", job, "--algorithms", "best-first,datafly", "--k", "3,5", "--page", page, "--queries", 10, "--json"
    )
    assert typed.exit_code == 0, typed.err
    assert len(json.loads(typed.out)["rows"]) == 4
    text = page.read_text(encoding="utf-8")
    assert "Who wins what" in text
    assert "datafly" in text
    shown = kanon("compare", job, "--algorithms", "datafly", "--queries", 0)
    assert shown.exit_code == 0, shown.err
    assert "best at this k" in shown.out
    assert kanon("compare", job, "--algorithms", "nonsense").exit_code == 3
    assert kanon("compare", job, "--k", "five").exit_code == 2
