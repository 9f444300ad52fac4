"""`kanon history`, `kanon show`, `kanon migrate`, as a user types them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kanon_sql.backends.connect import open_backend
from kanon_sql.release.migrate import known_revisions, migrate
from kanon_sql.release.register import Register
from tests.cli.commands import kanon
from tests.cli.test_doctor import people, write_job
from tests.release.test_register import older_root


def registered(url: str, folder: Path) -> tuple[Path, str]:
    """A job that has run once, and the run's id."""
    people(url)
    job = write_job(url, folder, source={"fingerprint": False})
    typed = kanon("run", job, "--json")
    assert typed.exit_code == 0, typed.err
    return job, json.loads(typed.out)["run"]


def test_before_any_run(engine_url: str, tmp_path: Path) -> None:
    people(engine_url)
    job = write_job(engine_url, tmp_path)
    assert "no runs are registered" in kanon("history", job).out
    assert json.loads(kanon("history", job, "--json").out)["runs"] == []
    assert kanon("show", "x", job).exit_code == 3


def test_runs_and_releases(engine_url: str, tmp_path: Path) -> None:
    job, first = registered(engine_url, tmp_path)
    second = json.loads(kanon("run", job, "--json").out)["run"]
    failed = kanon("run", job, "--set", "privacy.k=61")
    assert failed.exit_code == 6
    runs = json.loads(kanon("history", job, "--json").out)["runs"]
    assert [run["status"] for run in runs] == ["failed", "published", "published"]
    assert [run["release"] and (run["release"]["version"], run["release"]["state"]) for run in runs] == [
        None,
        (2, "current"),
        (1, "kept"),
    ]
    assert [run["run"] for run in runs[1:]] == [second, first]
    assert "fewer than k = 61" in runs[0]["error"]
    assert len(json.loads(kanon("history", job, "--limit", 1, "--json").out)["runs"]) == 1
    shown = kanon("history", "--url", engine_url).out
    assert first in shown
    assert "current" in shown


def test_show(engine_url: str, tmp_path: Path) -> None:
    job, run = registered(engine_url, tmp_path)
    document = json.loads(kanon("show", run, job, "--json").out)
    assert document["parameters"]["privacy"]["k"] == 3
    assert document["figures"]["k"] >= 3
    assert document["node"] == document["figures"]["node"]
    assert document["release"]["table"] == "release.people__v1"
    assert document["engine"].startswith(("DuckDB", "PostgreSQL"))
    assert document["timings"]["statements"]["release/stage"]["count"] == 1
    text = kanon("show", run[:-1], job).out
    assert f"run {run} of release.people: published" in text
    assert "version 1" in text


def test_the_job_file_of_the_folder_is_meant(duckdb_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KANON_REGISTER", raising=False)
    monkeypatch.delenv("KANON_URL", raising=False)
    _, run = registered(duckdb_url, tmp_path)
    (tmp_path / "compose.yml").write_text("services: {}\n")
    assert run in kanon("history", cwd=tmp_path).out
    assert run in kanon("show", run, cwd=tmp_path).out
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    nothing = kanon("history", cwd=elsewhere)
    assert (nothing.exit_code, "no job file" in nothing.err) == (2, True)
    monkeypatch.setenv("KANON_URL", duckdb_url)
    assert run in kanon("history", cwd=elsewhere).out


def test_migrate_and_old_registers(engine_url: str, tmp_path: Path) -> None:
    people(engine_url)
    job = write_job(engine_url, tmp_path)
    backend = open_backend(engine_url, tmp_path, read_only=False)
    migrate(backend, Register(backend).names, older_root(tmp_path, 1))
    backend.close()
    assert kanon("history", job).exit_code == 0, "an older register is migrated before it is read"
    done = json.loads(kanon("migrate", job, "--json").out)
    assert done == {"schema": "kanon", "revision": known_revisions()[-1], "applied": []}
    assert "nothing to do" in kanon("migrate", "--url", engine_url).out
    made = json.loads(kanon("migrate", "--url", engine_url, "--schema", "other", "--json").out)
    assert made["applied"] == known_revisions()


def test_a_newer_register_is_refused_by_every_command(engine_url: str, tmp_path: Path) -> None:
    from tests.support import execute

    job, run = registered(engine_url, tmp_path)
    table = '"kanon"."register_version"' if "postgres" in engine_url else '"test"."kanon"."register_version"'
    execute(engine_url, f"update {table} set version_num = '9999'")
    for arguments in (["history", job], ["show", run, job], ["migrate", job], ["run", job]):
        typed = kanon(*arguments)
        assert typed.exit_code == 7
        assert "newer than this program knows" in typed.err
        assert "upgrade kanon_sql" in typed.err


def test_one_register_for_many_databases(engine_url: str, tmp_path: Path) -> None:
    people(engine_url)
    job = write_job(engine_url, tmp_path, register={"url": "duckdb:///register.duckdb", "schema": "all_jobs"})
    typed = kanon("run", job, "--json")
    assert typed.exit_code == 0, typed.err
    assert (tmp_path / "register.duckdb").exists()
    runs = json.loads(kanon("history", job, "--json").out)["runs"]
    assert [run["status"] for run in runs] == ["published"]
    url = f"duckdb:///{tmp_path / 'register.duckdb'}"
    assert len(json.loads(kanon("history", "--url", url, "--schema", "all_jobs", "--json").out)["runs"]) == 1


@pytest.mark.parametrize("stem", ["kanon", "release", "main", "Release"])
def test_a_file_named_like_a_schema(tmp_path: Path, stem: str) -> None:
    """DuckDB calls a catalog by its file's name; a schema of that name must not make every name ambiguous."""
    url = f"duckdb:///{tmp_path / stem}.duckdb"
    job, _ = registered(url, tmp_path)
    assert kanon("run", job).exit_code == 0
    assert [run["status"] for run in json.loads(kanon("history", job, "--json").out)["runs"]] == ["published"] * 2


def test_a_file_renamed_to_the_name_of_a_schema(tmp_path: Path) -> None:
    job, _ = registered(f"duckdb:///{tmp_path / 'census.duckdb'}", tmp_path)
    (tmp_path / "census.duckdb").rename(tmp_path / "release.duckdb")
    job = write_job(f"duckdb:///{tmp_path / 'release.duckdb'}", tmp_path)
    typed = kanon("run", job)
    assert typed.exit_code == 0, typed.err
