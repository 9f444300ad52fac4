"""Nothing foreign is replaced or dropped: only what the register knows as this job's, never what merely looks like it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.commands import kanon
from tests.support import execute, fetch
from tests.truth.hundred import make, tables, touch, write_job


@pytest.mark.parametrize("target", ["people", "SCHEMA.people", '"SCHEMA"."people"', "CATALOG.SCHEMA.PEOPLE"])
def test_a_source_is_never_its_own_target(engine_url: str, tmp_path: Path, target: str) -> None:
    duckdb = engine_url.startswith("duckdb")
    if "CATALOG" in target and not duckdb:
        pytest.skip("PostgreSQL reads one database, and names are as they are spelled")
    make(engine_url)
    execute(engine_url, "create view people as select * from t")
    name = target.replace("SCHEMA", "main" if duckdb else "public").replace("CATALOG", "test")
    job = write_job(tmp_path, engine_url, source={"table": "people"}, publish={"table": name})
    said = kanon("run", job)
    assert said.exit_code == 3, said.err
    assert "source" in said.err
    assert fetch(engine_url, "select count(*), count(distinct id) from people") == [(100, 100)]


def test_a_view_of_somebody_elses_is_not_replaced(engine_url: str, tmp_path: Path) -> None:
    make(engine_url)
    execute(engine_url, "create schema rel", "create view rel.t as select 42 as x")
    said = kanon("run", write_job(tmp_path, engine_url))
    assert said.exit_code == 3, said.err
    assert "rel.t" in said.err
    assert fetch(engine_url, "select x from rel.t") == [(42,)]
    assert tables(engine_url, "rel") == ["t"]


def test_a_view_put_in_the_place_of_ours_is_not_replaced(engine_url: str, tmp_path: Path) -> None:
    make(engine_url)
    job = write_job(tmp_path, engine_url)
    assert kanon("run", job).exit_code == 0
    execute(engine_url, "drop view rel.t", "create view rel.t as select 42 as x")
    touch(engine_url)
    assert kanon("run", job).exit_code == 3
    assert kanon("rollback", job, "--to", "1").exit_code == 3
    assert fetch(engine_url, "select x from rel.t") == [(42,)]


def test_a_table_that_looks_staged_stays(engine_url: str, tmp_path: Path) -> None:
    make(engine_url)
    execute(engine_url, "create schema rel", "create table rel.t__staged_backup as select 42 as x")
    job = write_job(tmp_path, engine_url)
    assert kanon("run", job).exit_code == 0
    assert kanon("janitor", job).exit_code == 0
    assert fetch(engine_url, "select x from rel.t__staged_backup") == [(42,)]


def test_a_table_that_took_the_name_of_an_old_release_stays(engine_url: str, tmp_path: Path) -> None:
    make(engine_url)
    job = write_job(tmp_path, engine_url, publish={"keep": 1})
    assert kanon("run", job).exit_code == 0
    touch(engine_url)
    assert kanon("run", job).exit_code == 0
    execute(engine_url, "drop table rel.t__v1", "create table rel.t__v1 as select 42 as x")
    for night in range(2):
        execute(engine_url, f"insert into t select id + {5000 + 100 * night}, a, b from t where id < 20")
        said = kanon("run", job)
        assert said.exit_code == 0, said.err
    assert kanon("rollback", job, "--to", "1").exit_code == 3
    assert fetch(engine_url, "select x from rel.t__v1") == [(42,)]
    assert tables(engine_url, "rel") == ["t", "t__v1", "t__v3", "t__v4"]


def test_a_table_in_the_work_schema_that_looks_like_ours_stays(postgres_url: str, tmp_path: Path) -> None:
    make(postgres_url)
    execute(postgres_url, "create schema kanon_work")
    execute(postgres_url, "create table kanon_work.r20200101t000000xabcd_mine as select 42 as x")
    job = write_job(tmp_path, postgres_url)
    assert kanon("run", job).exit_code == 0
    assert kanon("janitor", job).exit_code == 0
    assert fetch(postgres_url, "select x from kanon_work.r20200101t000000xabcd_mine") == [(42,)]


def test_a_table_that_looks_like_a_kept_base_stays(engine_url: str, tmp_path: Path) -> None:
    """What an earlier job of this name counted is dropped when it is of no use any more: its own table alone."""
    make(engine_url)
    job = write_job(tmp_path, engine_url, source={"append_key": "id"})
    assert kanon("run", job).exit_code == 0
    schema = "kanon_kept" if engine_url.startswith("duckdb") else "kanon_work"
    (ours,) = [name for name in tables(engine_url, schema) if name.startswith("kept_") and name != "kept_runs"]
    mine = ours[:-12] + "my_own_table"
    execute(engine_url, f"create table {schema}.{mine} as select 42 as x")
    touch(engine_url)
    assert kanon("run", job).exit_code == 0
    assert fetch(engine_url, f"select x from {schema}.{mine}") == [(42,)]
    dropped = write_job(tmp_path, engine_url, source={"append_key": "id"}, columns={"b": {"role": "drop"}})
    assert kanon("run", dropped, "--accept-composition", "test").exit_code == 0
    left = [name for name in tables(engine_url, schema) if name.startswith("kept_") and name != "kept_runs"]
    assert mine in left
    assert ours not in left
