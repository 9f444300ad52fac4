"""`kanon doctor`: one line per thing a run needs, on both engines; nothing is changed by looking."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
import yaml

from kanon_sql.release.run_id import new_run_id
from tests.cli.commands import kanon
from tests.support import execute, fetch, make_table

COLUMNS: dict[str, Any] = {
    "id": {"role": "identifier"},
    "age": {"role": "quasi", "levels": [5, 10, "*"]},
    "city": {"role": "quasi", "levels": ["*"]},
}
HIERARCHY = {"role": "quasi", "hierarchy": "city.csv"}


def people(url: str) -> None:
    rows = [(i, 20 + i % 10, f"town {i % 3}") for i in range(60)]
    make_table(url, "people", ["id integer", "age integer", "city varchar(20)"], rows)


def write_job(url: str | None, folder: Path, columns: dict[str, Any] | None = None, **sections: Any) -> Path:
    document: dict[str, Any] = {
        "version": 1,
        "source": {"url": url, "table": "people"},
        "privacy": {"k": 3},
        "columns": columns or COLUMNS,
        "search": {"algorithm": "exhaustive"},
        "publish": {"table": "release.people"},
    }
    for name, section in sections.items():
        document[name] = document.get(name, {}) | section
    file = folder / "job.yml"
    file.write_text(yaml.safe_dump(document, allow_unicode=True, sort_keys=False))
    return file


def examined(job: Path) -> tuple[int, dict[str, list[dict[str, str]]]]:
    typed = kanon("doctor", job, "--json")
    document = json.loads(typed.out)
    assert document["exit_code"] == typed.exit_code
    by_check: dict[str, list[dict[str, str]]] = {}
    for finding in document["findings"]:
        by_check.setdefault(finding["check"], []).append(finding)
    return typed.exit_code, by_check


def test_all_is_well_and_nothing_is_changed(engine_url: str, tmp_path: Path) -> None:
    people(engine_url)
    job = write_job(engine_url, tmp_path)
    tables = (
        "select table_schema, table_name from information_schema.tables "
        "where (table_schema like '%kanon%' or table_name like 'r2%') and table_name <> 'kept_runs'"
    )
    code, findings = examined(job)
    assert code == 0
    assert all(f["status"] == "ok" for found in findings.values() for f in found)
    wanted = {
        "job file",
        "connection",
        "source",
        "columns",
        "person",
        "time zone",
        "work schema",
        "values",
        "space",
        "publish",
        "register",
    }
    assert wanted <= set(findings)
    assert "60 rows" in findings["source"][0]["message"]
    assert "will be made" in findings["register"][0]["message"]
    assert fetch(engine_url, tables) == []
    lines = kanon("doctor", job).out.splitlines()
    assert lines[0].startswith("ok    job file")
    assert lines[-1].endswith("0 failed")


def test_after_a_run_the_register_is_there(engine_url: str, tmp_path: Path) -> None:
    people(engine_url)
    job = write_job(engine_url, tmp_path)
    assert kanon("run", job).exit_code == 0
    code, findings = examined(job)
    assert code == 0
    assert "revision" in findings["register"][0]["message"]
    table = '"kanon"."register_version"' if "postgres" in engine_url else '"test"."kanon"."register_version"'
    execute(engine_url, f"update {table} set version_num = '9999'")
    code, findings = examined(job)
    assert (code, "newer" in findings["register"][0]["message"]) == (4, True)


def test_every_column_is_said(engine_url: str, tmp_path: Path) -> None:
    people(engine_url)
    columns = {"age": {"role": "quasi", "levels": ["month", "*"]}, "citi": {"role": "quasi"}}
    code, findings = examined(write_job(engine_url, tmp_path, columns))
    assert code == 3
    said = [f["message"].split(":")[0] for f in findings["columns"]]
    assert sorted(said) == ["citi", "city", "columns.age.levels", "id"]
    assert any(f["hint"] == "did you mean city?" for f in findings["columns"])


def test_values_a_hierarchy_misses(engine_url: str, tmp_path: Path) -> None:
    """They are counted; those of at least k rows are named, rarer ones are not."""
    people(engine_url)
    execute(engine_url, "insert into people values (900, 20, 'Rareton')")
    (tmp_path / "city.csv").write_text("town 0;north;*\ntown 1;south;*\n")
    code, findings = examined(write_job(engine_url, tmp_path, COLUMNS | {"city": HIERARCHY}))
    assert code == 3
    (finding,) = findings["values"]
    assert "misses 2 values" in finding["message"]
    assert "'town 2'" in finding["hint"]
    assert "Rareton" not in json.dumps(findings)


def test_hierarchy_files_are_read_offline(tmp_path: Path) -> None:
    """Even where the database cannot be reached, both are said; the database's exit code wins."""
    (tmp_path / "city.csv").write_text("a;x;p;*\nb;x;q;*\n")
    job = write_job("duckdb:///missing.duckdb", tmp_path, COLUMNS | {"city": HIERARCHY})
    code, findings = examined(job)
    assert code == 4
    assert "does not nest" in findings["job file"][0]["message"]
    assert "no database file" in findings["connection"][0]["message"]
    assert not (tmp_path / "missing.duckdb").exists()


def test_missing_and_small_sources(engine_url: str, tmp_path: Path) -> None:
    people(engine_url)
    code, findings = examined(write_job(engine_url, tmp_path, source={"table": "nobody"}))
    assert (code, "no table, view or file nobody" in findings["source"][0]["message"]) == (3, True)
    code, findings = examined(write_job(engine_url, tmp_path, privacy={"k": 100}))
    assert (code, "60 rows, fewer than k = 100" in findings["source"][0]["message"]) == (3, True)


def test_persons(engine_url: str, tmp_path: Path) -> None:
    people(engine_url)
    job = write_job(engine_url, tmp_path, source={"person": "id"})
    assert "unique" in examined(job)[1]["person"][0]["message"]
    execute(engine_url, "update people set id = 7 where id < 10")
    assert "51 persons in 60 rows" in examined(job)[1]["person"][0]["message"]
    execute(engine_url, "update people set id = null where id = 20")
    code, findings = examined(job)
    assert (code, findings["person"][0]["status"]) == (0, "warn")


def test_publish_target_is_a_table(engine_url: str, tmp_path: Path) -> None:
    people(engine_url)
    make_table(engine_url, "mine", ["a integer"], [[1]])
    schema = "main" if engine_url.startswith("duckdb") else "public"
    code, findings = examined(write_job(engine_url, tmp_path, publish={"table": f"{schema}.mine"}))
    assert (code, "is a table" in findings["publish"][0]["message"]) == (3, True)


def test_big_lattices_and_listing_searches(engine_url: str, tmp_path: Path) -> None:
    names = [f"c{i}" for i in range(21)]
    make_table(engine_url, "people", [f"{name} integer" for name in names], [[i % 2] * 21 for i in range(20)])
    columns = {name: {"role": "quasi"} for name in names}
    code, findings = examined(write_job(engine_url, tmp_path, columns))
    assert (code, findings["search"][0]["status"]) == (0, "warn")
    assert "best-first" in findings["search"][0]["hint"]


def test_time_zone(postgres_url: str, tmp_path: Path) -> None:
    make_table(postgres_url, "people", ["seen timestamp with time zone"], [["2020-01-01 00:00:00+00"]] * 9)
    database = postgres_url.rsplit("/", 1)[1].split("?")[0]
    job = write_job(postgres_url, tmp_path, {"seen": {"role": "quasi", "levels": ["month", "*"]}})
    execute(postgres_url, f"alter database {database} set timezone = 'Europe/Berlin'")
    code, findings = examined(job)
    assert (code, findings["time zone"][0]["status"]) == (0, "warn")
    assert "Europe/Berlin" in findings["time zone"][0]["message"]


def test_grants(postgres_url: str, tmp_path: Path) -> None:
    """A user who may only read is told everything that is missing; with the grants, all is well."""
    if "postgres@" not in postgres_url:
        pytest.skip("the server's URL does not name the user postgres without a password")
    people(postgres_url)
    role = f"nightly_{new_run_id()}"
    user_url = postgres_url.replace("postgres@", f"{role}@")
    execute(postgres_url, f"create role {role} login")
    try:
        job = write_job(user_url, tmp_path)
        code, findings = examined(job)
        assert code == 4
        failed = {check for check, found in findings.items() if found[0]["status"] == "fail"}
        assert failed == {"source", "work schema", "publish", "register"}
        grants = [f"grant select on people to {role}"]
        grants += [f"create schema {schema} authorization {role}" for schema in ("kanon_work", "kanon", "release")]
        execute(postgres_url, *grants)
        code, findings = examined(job)
        assert code == 0, findings
        assert kanon("migrate", "--url", postgres_url, "--schema", "theirs").exit_code == 0
        execute(
            postgres_url,
            f"grant usage on schema theirs to {role}",
            f"grant select on all tables in schema theirs to {role}",
        )
        code, findings = examined(write_job(user_url, tmp_path, register={"schema": "theirs"}))
        assert (code, "may not write the register" in findings["register"][0]["message"]) == (4, True)
        job = write_job(user_url, tmp_path)
        execute(postgres_url, "create view release.people as select 1 as a")
        code, findings = examined(job)
        assert (code, "did not make" in findings["publish"][0]["message"]) == (3, True)
    finally:
        execute(postgres_url, f"drop owned by {role} cascade", f"drop role {role}")


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write everywhere")
def test_a_file_that_cannot_be_written(duckdb_url: str, tmp_path: Path) -> None:
    people(duckdb_url)
    (tmp_path / "test.duckdb").chmod(0o444)
    code, findings = examined(write_job(duckdb_url, tmp_path))
    assert (code, "may not write" in findings["publish"][0]["message"]) == (4, True)


def test_file_sources(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("id,age,city\n" + "".join(f"{i},{20 + i % 3},x\n" for i in range(30)))
    job = write_job(None, tmp_path, source={"table": None, "file": "people.csv"})
    code, findings = examined(job)
    assert code == 0, findings
    assert "will be made" in findings["register"][0]["message"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["job.yml", "people.csv"]
    (tmp_path / "people.csv").unlink()
    code, findings = examined(job)
    assert (code, "no file" in findings["source"][0]["message"]) == (3, True)


def test_wrong_password_is_not_echoed(tmp_path: Path) -> None:
    job = write_job("postgresql+psycopg://me:hunter2@127.0.0.1:1/x", tmp_path)
    typed = kanon("doctor", job)
    assert typed.exit_code == 4
    assert "hunter2" not in typed.out + typed.err
