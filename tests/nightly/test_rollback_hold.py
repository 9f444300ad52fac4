"""A rollback holds until a person lifts it; status and history say so."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

import kanon_sql
from kanon_sql.config import Job
from kanon_sql.errors import JobError, NoSolution
from tests.cli.commands import kanon
from tests.support import execute, fetch, job_of, make_table

COLUMNS = {"id": {"role": "identifier"}, "a": {"role": "quasi", "levels": [10, "*"]}}
ROWS = [(number, number % 20) for number in range(60)]


def people(url: str, base: Path) -> Job:
    make_table(url, "t", ["id bigint", "a bigint"], ROWS)
    return job_of(url, "t", COLUMNS, 3, base, publish={"table": "rel.t"})


def version(job: Job) -> int | None:
    return kanon_sql.status(job).version


def test_a_rollback_holds_until_it_is_lifted(engine_url: str, tmp_path: Path) -> None:
    job = people(engine_url, tmp_path)
    kanon_sql.run(job)
    execute(engine_url, "insert into t select id + 100, a from t")
    assert kanon_sql.run(job).version == 2
    kanon_sql.rollback(job)
    execute(engine_url, "insert into t select id + 1000, a from t")
    held = kanon_sql.run(job)
    assert held.unchanged and held.version == 1 and "from version 2 to 1" in held.held
    assert fetch(engine_url, "select count(*) from rel.t")[0][0] == 60
    assert "holds" in kanon_sql.history(job).held and "holds" in kanon_sql.status(job).line()
    with pytest.raises(JobError, match="say one of them"):
        kanon_sql.rollback(job, 2, release=True)
    assert kanon_sql.rollback(job, release=True).lifted
    assert fetch(engine_url, "select count(*) from rel.t")[0][0] == 60, "lifting publishes nothing by itself"
    again = kanon_sql.run(job)
    assert not again.held and again.version == 3
    assert not kanon_sql.history(job).held
    with pytest.raises(JobError, match="no rollback holds"):
        kanon_sql.rollback(job, release=True)


def test_status_tells_good_late_and_failed_apart(duckdb_url: str, tmp_path: Path) -> None:
    make_table(duckdb_url, "t", ["id bigint", "a bigint"], ROWS)
    job = job_of(duckdb_url, "t", COLUMNS, 3, tmp_path, publish={"table": "rel.t"})
    never = kanon_sql.status(job)
    assert not never.ok and never.version is None and never.line().startswith("FAILED")
    kanon_sql.run(job)
    good = kanon_sql.status(job)
    assert (
        good.ok and (good.version, good.k, good.rows) == (1, 3, 60) and good.line().startswith("ok: rel.t: version 1")
    )
    late = kanon_sql.status(job, late_after=datetime.timedelta(seconds=-1))
    assert not late.ok and "late" in late.reason
    execute(duckdb_url, "delete from t where id > 1")
    with pytest.raises(NoSolution):
        kanon_sql.run(job)
    failed = kanon_sql.status(job)
    assert not failed.ok and failed.version == 1 and "the last run failed" in failed.reason


def test_the_command_exits_by_what_it_says(duckdb_url: str, tmp_path: Path) -> None:
    make_table(duckdb_url, "t", ["id bigint", "a bigint"], ROWS)
    file = tmp_path / "job.yml"
    file.write_text(
        f"version: 1\nsource: {{url: '{duckdb_url}', table: t}}\nprivacy: {{k: 3}}\n"
        "columns: {id: {role: identifier}, a: {role: quasi, levels: [10, '*']}}\npublish: {table: rel.t}\n"
    )
    assert kanon("status", file).exit_code == 1
    assert kanon("run", file, "-q").exit_code == 0
    told = kanon("status", file)
    assert told.exit_code == 0 and len(told.out.splitlines()) == 1
    assert kanon("status", file, "--late-after", "soon").exit_code == 3
