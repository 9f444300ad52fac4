"""A kept base is never believed over the source, and mends itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.cli.commands import kanon
from tests.support import execute, fetch
from tests.truth.hundred import make, write_job


def changing(url: str, directory: Path) -> Path:
    make(url)
    execute(url, "alter table t add column ch timestamp")
    execute(url, "update t set ch = timestamp '2026-01-01 00:00:00' + cast(id / 10 as integer) * interval '1' day")
    execute(url, "update t set ch = timestamp '2099-01-01 00:00:00' where id > 96")
    return write_job(
        directory,
        url,
        privacy={"k": 5},
        source={"changed_at": "ch"},
        columns={"ch": {"role": "drop"}},
        publish={"guard": "never"},
    )


def run(job: Path) -> dict[str, Any]:
    said = kanon("run", job, "--json")
    assert said.exit_code == 0, said.err
    return dict(json.loads(said.out))


def test_a_future_date_hides_no_change(engine_url: str, tmp_path: Path) -> None:
    job = changing(engine_url, tmp_path)
    run(job)
    execute(
        engine_url,
        "update t set a = 77, b = 'a', ch = ch + interval '3' hour where id between 80 and 89",
        "insert into t values (500, 1, 'b', timestamp '2099-01-02 00:00:00')",
    )
    run(job)
    assert fetch(engine_url, "select count(*) from rel.t where a is null or b is null") == [(0,)]
    level = kanon("history", job, "--json")
    assert level.exit_code == 0
    released = fetch(engine_url, "select cast(a as varchar), b, count(*) from rel.t group by 1, 2 order by 1, 2")
    assert sum(count for _, _, count in released) == 101
    assert any("7" in str(a) for a, _, _ in released)


def test_a_stale_kept_base_mends(engine_url: str, tmp_path: Path) -> None:
    """Values change while the column that tells of changes does not: the base is counted again, and the run says so."""
    job = changing(engine_url, tmp_path)
    run(job)
    execute(
        engine_url,
        "update t set a = 18 + id % 2 where id between 20 and 59",
        "insert into t values (500, 1, 'b', timestamp '2099-01-02 00:00:00')",
    )
    found = run(job)
    assert found["rows"] == 101
    assert found["verified"]["k"] >= 5
    sizes = fetch(engine_url, "select count(*) from rel.t group by a, b")
    assert min(size for (size,) in sizes) >= 5


def test_a_kept_base_that_somebody_changed_mends(engine_url: str, tmp_path: Path) -> None:
    job = changing(engine_url, tmp_path)
    run(job)
    schema = "kanon_kept" if engine_url.startswith("duckdb") else "kanon_work"
    (table,) = fetch(
        engine_url,
        f"select table_name from information_schema.tables where table_schema = '{schema}' and table_name like 'kept%' and table_name <> 'kept_runs'",
    )[0]
    execute(
        engine_url,
        f"update {schema}.{table} set v0 = 5 where part < 20500",
        "insert into t values (500, 1, 'b', timestamp '2099-01-02 00:00:00')",
    )
    found = run(job)
    assert found["verified"]["k"] >= 5
    expected = fetch(engine_url, "select b, count(*) from t group by 1 order by 1")
    assert fetch(engine_url, "select b, count(*) from rel.t group by 1 order by 1") == expected
    assert fetch(engine_url, "select count(distinct a) from rel.t")[0][0] > 1
    assert any("did not agree" in note for note in found["notes"])
