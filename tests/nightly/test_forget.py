"""Erasure after release: the person is in no kept version and not in the ledger, and nobody can read in the register who it was."""

from __future__ import annotations

from pathlib import Path

import pytest

import kanon_sql
from kanon_sql.config import load_job
from kanon_sql.errors import JobError
from kanon_sql.observer import Observer
from tests.cli.commands import kanon
from tests.nightly.nights import K, ledger, write_job
from tests.support import execute, fetch, make_table

PERSON = 77001


def nights(url: str, base: Path) -> kanon_sql.Job:
    """Three nights of one person among sixty, each row with a mark that only this test reads."""
    rows = [(77000 + i, 20 + i % 4, f"8{i // 4 % 3}0", i) for i in range(60)]
    make_table(url, "people", ["id integer", "age integer", "zip varchar(5)", "pay integer"], rows)
    file = write_job(base, url, privacy={"k": K, "accept": ["nearly_unique_columns"]}, publish={"keep": 5})
    job = load_job(file)
    for night in range(3):
        kanon_sql.run(job)
        execute(url, f"insert into people values ({9000 + night}, 21, '800', {900 + night})")
    return job


def test_a_person_is_forgotten(engine_url: str, tmp_path: Path) -> None:
    job = nights(engine_url, tmp_path)
    with pytest.raises(JobError, match="still in the source") as stopped:
        kanon_sql.forget(job, str(PERSON), "asked for")
    assert str(PERSON) not in str(stopped.value)
    mark = fetch(engine_url, f"select pay from people where id = {PERSON}")[0][0]
    entries = ledger(engine_url, "people", "count(*)")[0][0]
    execute(engine_url, f"delete from people where id = {PERSON}")
    observer = Observer()
    done = kanon_sql.forget(job, str(PERSON), "asked for", observer)
    assert (done.version, done.dropped) == (4, [])
    assert len(done.shortened) == 3
    for version in range(1, 5):
        rows = fetch(engine_url, f"select age, zip, pay from release.people__v{version}")
        assert mark not in [row[2] for row in rows]
        sizes: dict[tuple[object, ...], int] = {}
        for row in rows:
            sizes[row[:2]] = sizes.get(row[:2], 0) + 1
        assert min(sizes.values()) >= K
        registered = fetch(engine_url, f"select row_count from kanon.releases where version = {version}")
        assert registered == [(len(rows),)]
    assert ledger(engine_url, "people", "count(*)") == [(entries,)]  # one came with the last night, one went
    told = fetch(engine_url, "select figures, parameters, error from kanon.runs") + fetch(
        engine_url, "select how, why, account from kanon.ledgers"
    )
    assert not any(str(PERSON) in str(row) for row in told)
    assert ("forget", "asked for") in fetch(engine_url, "select how, why from kanon.ledgers")
    assert not any(str(PERSON) in entry.sql for entry in observer.statements)
    execute(engine_url, "insert into people values (9100, 22, '810', 990)")
    assert kanon_sql.run(job).version == 5
    with pytest.raises(JobError, match="knows no such person"):
        kanon_sql.forget(job, str(PERSON), "again")


def test_from_the_command_line(tmp_path: Path) -> None:
    url = f"duckdb:///{tmp_path / 'people.duckdb'}"
    job = nights(url, tmp_path)
    assert job.path is not None
    execute(url, f"delete from people where id = {PERSON}")
    said = kanon("forget", job.path, str(PERSON), "--why", "asked for")
    assert said.exit_code == 0, said.err
    assert "the ledger has forgotten them" in said.out
    assert str(PERSON) not in said.out
