"""What "unchanged" may say: everything that a release depends on is as it was, and every promise was verified anew."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.commands import kanon
from tests.support import execute, fetch
from tests.truth.hundred import make, write_job


def run(job: Path) -> dict[str, Any]:
    said = kanon("run", job, "--json")
    assert said.exit_code == 0, said.err
    return dict(json.loads(said.out))


def test_a_population_that_shrinks(engine_url: str, tmp_path: Path) -> None:
    make(engine_url)
    series = "range(1000) as r(i)" if engine_url.startswith("duckdb") else "generate_series(0, 999) as r(i)"
    execute(
        engine_url,
        f"create table everybody as select cast(i % 20 as integer) as a, chr(cast(97 + i % 2 as integer)) as b from {series}",
    )
    job = write_job(
        tmp_path,
        engine_url,
        privacy={"population": {"table": "everybody"}, "delta_presence": 0.5},
        columns={"a": {"role": "quasi", "max_level": 0}, "b": {"role": "quasi", "max_level": 0}},
    )
    run(job)
    assert run(job)["unchanged"]
    execute(engine_url, "delete from everybody where a = 3")
    said = kanon("run", job)
    assert said.exit_code in (1, 6), said.out
    assert "unchanged" not in said.out


def test_a_hierarchy_file_of_a_sensitive_column(engine_url: str, tmp_path: Path) -> None:
    series = "range(100) as r(i)" if engine_url.startswith("duckdb") else "generate_series(0, 99) as r(i)"
    execute(
        engine_url,
        f"create table t as select cast(i as integer) as id, cast(i % 2 as integer) as a, "
        f"case when i % 2 = 0 then case when i % 4 = 0 then 'flu' else 'cold' end else case when i % 4 = 1 then 'flu' else 'gout' end end as s "
        f"from {series}",
    )
    file = tmp_path / "s.csv"
    file.write_text("flu;x;*\ncold;y;*\ngout;y;*\n")
    path = write_job(
        tmp_path,
        engine_url,
        privacy={"t_closeness": {"s": {"t": 0.2, "distance": "hierarchical", "hierarchy": "s.csv"}}},
        columns={"a": {"role": "quasi", "max_level": 0}, "s": {"role": "sensitive"}},
    )
    path.write_text(path.read_text().replace("  b:\n    role: quasi\n", ""))
    run(path)
    assert run(path)["unchanged"]
    file.write_text("flu;x;*\ncold;y;*\ngout;z;*\n")
    said = kanon("run", path)
    assert "unchanged" not in said.out
    assert said.exit_code in (1, 6), said.out


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("cast(i as decimal(10, 2))", "cast(i * 100 as bigint)"),
        ("cast(i % 3 as integer)", "date '1970-01-01' + cast(i % 3 as integer)"),
    ],
)
def test_a_column_that_changes_its_type(engine_url: str, tmp_path: Path, before: str, after: str) -> None:
    series = "range(100) as r(i)" if engine_url.startswith("duckdb") else "generate_series(0, 99) as r(i)"
    what = "create table t as select cast(i as integer) as id, cast(i % 20 as integer) as a, 'x' as b, {} as c from {}"
    execute(engine_url, what.format(before, series))
    job = write_job(
        tmp_path, engine_url, columns={"c": {"role": "keep"}}, privacy={"accept": ["nearly_unique_columns"]}
    )
    run(job)
    assert run(job)["unchanged"]
    execute(engine_url, "drop table t", what.format(after, series))
    assert not run(job)["unchanged"]
    assert fetch(engine_url, "select c from rel.t order by c desc limit 1") == fetch(
        engine_url, "select c from t order by c desc limit 1"
    )


@pytest.mark.parametrize("kind", ["date", "timestamp"])
def test_rows_of_the_newest_day_that_change(engine_url: str, tmp_path: Path, kind: str) -> None:
    make(engine_url)
    execute(engine_url, f"alter table t add column ch {kind}", "update t set ch = date '2026-01-01'")
    execute(engine_url, "update t set ch = date '2099-01-01' where id = 99")
    job = write_job(tmp_path, engine_url, source={"changed_at": "ch"}, columns={"ch": {"role": "drop"}})
    run(job)
    assert run(job)["unchanged"]
    later = "date '2026-01-01'" if kind == "date" else "timestamp '2026-01-01 03:00:00'"
    execute(engine_url, f"update t set a = 19 - a, ch = {later} where id < 10")
    assert not run(job)["unchanged"]


def test_typed_intervals(engine_url: str, tmp_path: Path) -> None:
    make(engine_url)
    job = write_job(
        tmp_path, engine_url, search={"algorithm": "mondrian"}, publish={"intervals": "typed", "guard": "never"}
    )
    run(job)
    assert run(job)["unchanged"]
    execute(engine_url, "insert into t select id + 1000, a, b from t where id < 20")
    run(job)
    said = kanon("rollback", job)
    assert said.exit_code == 0, said.err


def test_models_are_verified_anew(engine_url: str, tmp_path: Path) -> None:
    """Somebody changed sensitive values in the release: its classes are as large as ever, but the promise is broken."""
    make(engine_url)
    job = write_job(
        tmp_path,
        engine_url,
        privacy={"l_diversity": {"b": {"l": 2}}},
        columns={"a": {"role": "quasi", "levels": [10, "*"], "min_level": 1}, "b": {"role": "sensitive"}},
    )
    run(job)
    execute(engine_url, "update rel.t__v1 set b = 'a'")
    found = run(job)
    assert not found["unchanged"]
    assert found["version"] == 2
