"""A job is its database, its source and its target: one register may serve many, and one target has one job."""

from __future__ import annotations

from pathlib import Path

from tests.cli.commands import kanon
from tests.support import execute, fetch
from tests.truth.hundred import make, touch, write_job


def test_two_databases_that_publish_one_name_into_one_register(tmp_path: Path) -> None:
    register = f"duckdb:///{tmp_path / 'register.duckdb'}"
    jobs, urls = [], []
    for name in ("one", "two"):
        url = f"duckdb:///{tmp_path / name}.duckdb"
        make(url)
        urls.append(url)
        jobs.append(write_job(tmp_path / name, url, register={"url": register}))
    for job in jobs:
        assert kanon("run", job).exit_code == 0
    for job in jobs:
        said = kanon("run", job)
        assert said.exit_code == 0, said.err
        assert "unchanged" in said.out
    states = fetch(register, "select state, count(*) from kanon.releases group by 1")
    assert states == [("current", 2)]
    touch(urls[0])
    assert kanon("run", jobs[0]).exit_code == 0
    assert "unchanged" in kanon("run", jobs[1]).out
    assert fetch(register, "select state, count(*) from kanon.releases group by 1 order by 1") == [
        ("current", 2),
        ("kept", 1),
    ]
    assert fetch(urls[1], "select count(*) from rel.t") == [(100,)]


def test_two_job_files_with_one_target(engine_url: str, tmp_path: Path) -> None:
    make(engine_url)
    first = write_job(tmp_path, engine_url, "first.yml")
    second = write_job(tmp_path, engine_url, "second.yml", columns={"b": {"role": "drop"}})
    assert kanon("run", first).exit_code == 0
    said = kanon("run", second)
    assert said.exit_code == 3, said.err
    assert "first.yml" in said.err
    assert "--take-over" in said.err
    assert fetch(engine_url, "select count(distinct b) from rel.t") == [(2,)]
    assert kanon("run", second, "--take-over", "--accept-composition", "test").exit_code == 0
    assert "second.yml" in kanon("run", first).err


def test_two_sources_with_one_target(engine_url: str, tmp_path: Path) -> None:
    make(engine_url)
    make(engine_url, "u")
    assert kanon("run", write_job(tmp_path, engine_url)).exit_code == 0
    said = kanon("run", write_job(tmp_path, engine_url, source={"table": "u"}))
    assert said.exit_code == 3, said.err
    assert "--take-over" in said.err


def test_one_job_however_its_names_are_spelled(engine_url: str, tmp_path: Path) -> None:
    make(engine_url)
    assert kanon("run", write_job(tmp_path, engine_url)).exit_code == 0
    schema = "main" if engine_url.startswith("duckdb") else "public"
    other = write_job(tmp_path, engine_url, source={"table": f'{schema}."t"'}, publish={"table": 'rel."t"'})
    said = kanon("run", other)
    assert said.exit_code == 0, said.err
    execute(engine_url, "insert into t select id + 1000, a, b from t where id < 20")
    said = kanon("run", other)
    assert said.exit_code == 0, said.err
    assert fetch(engine_url, "select version, state from kanon.releases order by 1") == [(1, "kept"), (2, "current")]
