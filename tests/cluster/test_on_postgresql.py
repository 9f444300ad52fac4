"""What PostgreSQL does of a local recoding that was searched elsewhere: labels from ends that came back, rows met by their number."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

import kanon_sql
from bench.generate import load_postgres
from kanon_sql.backends.postgres import PostgresBackend
from kanon_sql.sql.statement import Statement
from tests.support import execute, fetch, job_of


def test_no_loop_over_all_groups_for_every_row(
    postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A planner takes nine equal codes for next to no row: then a nested loop seems cheap, and a million rows never end."""
    plans: list[str] = []
    sent: Callable[..., Any] = PostgresBackend._sent

    def explained(self: PostgresBackend, statement: Statement, fetch: bool) -> Any:
        if statement.label == "release/stage_groups":
            plan = self.connection.exec_driver_sql(f"explain {statement.sql}")
            plans.append("\n".join(line for (line,) in plan))
        return sent(self, statement, fetch)

    monkeypatch.setattr(PostgresBackend, "_sent", explained)
    monkeypatch.setenv("KANON_URL", postgres_url)
    job = load_postgres("adult-like", postgres_url, tmp_path / "job.yml", rows=3000, algorithm="mondrian")
    kanon_sql.run(kanon_sql.load_job(job))
    columns = "(select *, row_number() over (order by age, race) % 1000 as person from adult_like)"
    execute(postgres_url, f"create table several as select * from {columns} as numbered")
    document = job.read_text(encoding="utf-8").replace('"adult_like"', '"several", "person": "person"', 1)
    document = document.replace("columns:", 'columns:\n  "person": {"role": "identifier"}', 1)
    job.write_text(document.replace("release.adult_like", "release.several"), encoding="utf-8")
    kanon_sql.run(kanon_sql.load_job(job))
    assert len(plans) == 2
    assert not [plan for plan in plans if "Nested Loop" in plan]


def test_sets_without_bits_and_of_several_words_are_labelled_as_on_the_embedded_engine(
    duckdb_url: str, postgres_url: str, tmp_path: Path
) -> None:
    """300 values have no bits, 100 values have bits in two words: their sets are told by the values, which come back as codes."""
    found = []
    for url in (duckdb_url, postgres_url):
        values = "'w' || (i * 7 % 300) as wide, 'm' || (i * 11 % 100) as middle, 's' || (i % 5) as small, i % 40 as age"
        numbers = "generate_series(0, 899)"
        execute(url, f"create table people as select {values} from {numbers} as numbers (i)")
        columns = {name: {"role": "quasi"} for name in ("wide", "middle", "small", "age")}
        result = kanon_sql.run(job_of(url, "people", columns, 4, tmp_path, search={"algorithm": "mondrian"}))
        assert result.plan.k >= 4
        found.append(Counter(tuple(row) for row in fetch(url, "select wide, middle, small, age from release.people")))
    assert found[0] == found[1]


def test_labels_and_dissolved_groups_are_planned_for_all_groups(
    postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A planner that takes the groups for next to none loops over every hierarchy for each of them; one that does not know how few groups
    are dissolved looks for companions of all rows first."""
    expected: dict[str, list[tuple[str, int]]] = {}
    sent: Callable[..., Any] = PostgresBackend._sent

    def explained(self: PostgresBackend, statement: Statement, fetch: bool) -> Any:
        if statement.label in ("cluster/publishing/group_labels", "cluster/absorbing/costliest_groups"):
            plan = [line for (line,) in self.connection.exec_driver_sql(f"explain {statement.sql}")]
            lines = [(line.strip(" ->"), re.search(r" rows=(\d+)", line)) for line in plan]
            expected[statement.label] = [(line, int(rows[1])) for line, rows in lines if rows]
        return sent(self, statement, fetch)

    monkeypatch.setattr(PostgresBackend, "_sent", explained)
    monkeypatch.setenv("KANON_URL", postgres_url)
    attributes = ("age", "zip", "ward", "diagnosis", "days", "admitted")
    settings: dict[str, Any] = {"rows": 6000, "algorithm": "mondrian", "attributes": attributes, "suppression": 0.01}
    job = load_postgres("hospital-stays", postgres_url, tmp_path / "job.yml", **settings)
    document = yaml.safe_load(job.read_text(encoding="utf-8"))
    document["search"]["embedded"] = "never"
    job.write_text(yaml.safe_dump(document, sort_keys=False), encoding="utf-8")
    groups = kanon_sql.plan(kanon_sql.load_job(job)).groups
    labels = expected["cluster/publishing/group_labels"]
    assert groups is not None and labels[0][1] > groups / 2
    assert not [line for line, _ in labels if line.startswith("Nested Loop")]
    dissolved = expected["cluster/absorbing/costliest_groups"]
    assert max(rows for line, rows in dissolved if line.startswith("Limit")) == groups // 20
