"""Rolling back, comparing, cleaning by hand, grants; faults that are no kills: a full disk, a time-out, Ctrl-C, a lost connection."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy.engine import make_url

import kanon_sql
from kanon_sql.config import load_job
from kanon_sql.errors import ConnectionFailed, JobError, KanonError, PermissionDenied, StatementTimedOut
from kanon_sql.observer import Observer
from kanon_sql.release.grants import grants_script
from tests.nightly.nights import K, change, check_clean, fill, people, state_of, tables_of, write_job
from tests.nightly.runs import forked_runs
from tests.support import execute, fetch


def test_rollback_and_diff(engine_url: str, tmp_path: Path) -> None:
    fill(engine_url)
    job = load_job(write_job(tmp_path, engine_url, publish={"guard": "never"}))
    rows = [kanon_sql.run(job).verified["rows"]]
    execute(engine_url, "comment on view release.people is 'nightly'")
    execute(
        engine_url,
        "delete from people where age = 20 and zip = '800' and id > 30",
        "insert into people values (999, 21, '999', 0)",
    )
    rows.append(kanon_sql.run(job).verified["rows"])
    found = kanon_sql.diff(job, 1, 2).to_dict()
    assert found["recode"]["zip"][0] == 0
    assert found["rows"] == rows
    assert set(found) >= {"k", "classes", "suppressed", "utility", "a", "b"}
    with pytest.raises(JobError, match="has no version 7"):
        kanon_sql.diff(job, 1, 7)
    back = kanon_sql.rollback(job)
    assert (back.version, back.before, back.rows) == (1, 2, rows[0])
    assert fetch(engine_url, "select count(*) from release.people") == [(rows[0],)]
    assert fetch(engine_url, "select state from kanon.releases order by version") == [("current",), ("rolled back",)]
    with pytest.raises(JobError, match="no earlier release"):
        kanon_sql.rollback(job)
    assert kanon_sql.rollback(job, to=2).version == 2
    with pytest.raises(JobError, match="is the current release already"):
        kanon_sql.rollback(job, to=2)
    comment = (
        "select comment from duckdb_views() where view_name = 'people'"
        if engine_url.startswith("duckdb")
        else "select obj_description('release.people'::regclass)"
    )
    assert fetch(engine_url, comment) == [("nightly",)]
    change(engine_url, 5)
    assert kanon_sql.run(job).version == 2  # a rollback holds
    assert kanon_sql.rollback(job, release=True).lifted
    assert kanon_sql.run(job).version == 3
    check_clean(engine_url)


def test_a_release_that_does_not_verify_any_more_is_not_rolled_back_to(engine_url: str, tmp_path: Path) -> None:
    fill(engine_url)
    job = load_job(write_job(tmp_path, engine_url))
    kanon_sql.run(job)
    change(engine_url, 1)
    kanon_sql.run(job)
    execute(engine_url, "delete from release.people__v1 where pay = 3")
    with pytest.raises(KanonError):
        kanon_sql.rollback(job)
    assert fetch(engine_url, "select state from kanon.releases order by version") == [("kept",), ("current",)]


def test_the_janitor_by_hand(engine_url: str, tmp_path: Path) -> None:
    """A run killed while it is not verified leaves nothing; between its two transactions, a table in the work schema."""
    fill(engine_url)
    file = write_job(tmp_path, engine_url)
    postgres = engine_url.startswith("postgres")
    with forked_runs() as runs:
        assert runs.run(file)["exit"] == 0
        change(engine_url, 1)
        assert runs.run(file, at="release/verify", who="client")["status"] == -9
        cleaned = kanon_sql.janitor(load_job(file))
        assert len(cleaned.runs) == 1
        assert cleaned.staged_tables == cleaned.work_tables == []
        assert runs.run(file, at="release/move" if postgres else "release/mark", who="client")["status"] == -9
    cleaned = kanon_sql.janitor(load_job(file))
    assert len(cleaned.runs) == 1
    assert [name[-7:] for name in cleaned.staged_tables] == (["_staged"] if postgres else [])
    assert bool(cleaned.work_tables) == postgres
    check_clean(engine_url)
    assert not kanon_sql.janitor(load_job(file))


def test_a_living_runs_work_tables_are_left_alone(postgres_url: str, tmp_path: Path) -> None:
    fill(postgres_url)
    file = write_job(tmp_path, postgres_url)
    other = tmp_path / "other"
    other.mkdir()
    second = write_job(other, postgres_url, publish={"table": "release.others", "audience": "others"})
    sign = tmp_path / "sign"
    with forked_runs() as runs:
        runs.start(file, at="release/move", who="hold", sign=str(sign))
        runs.wait_for(sign)
        kanon_sql.run(load_job(second))
        assert [name for name in tables_of(postgres_url, "kanon_work") if name.endswith("_staged")]
        sign.unlink()
        assert runs.answer()["exit"] == 0
    assert tables_of(postgres_url, "kanon_work") == ["kept_runs"]


def test_a_new_register_overwrites_no_release(engine_url: str, tmp_path: Path) -> None:
    """A register that is new knows of nothing: what is there is somebody's, until that somebody makes room."""
    fill(engine_url)
    job = load_job(write_job(tmp_path, engine_url))
    kanon_sql.run(job)
    before = state_of(engine_url)["release"]
    elsewhere = load_job(job.path, ["register.schema=elsewhere", "publish.guard=never"])
    with pytest.raises(JobError, match="did not make"):
        kanon_sql.run(elsewhere)
    assert state_of(engine_url)["release"] == before
    execute(engine_url, "drop view release.people")
    assert kanon_sql.run(elsewhere).version == 2
    assert state_of(engine_url)["release"] == before
    assert "people__v1" in tables_of(engine_url, "release")


def test_ctrl_c_stops_and_leaves_nothing(engine_url: str, tmp_path: Path) -> None:
    fill(engine_url)
    file = write_job(tmp_path, engine_url)
    with forked_runs() as runs:
        assert runs.run(file)["exit"] == 0
        change(engine_url, 1)
        before = state_of(engine_url)
        for label in ("levels/raw", "release/stage", "release/swap"):
            assert runs.run(file, at=label, who="interrupt")["exit"] == 130
            assert state_of(engine_url) == before
            assert not [name for name in tables_of(engine_url, "release") if "staged" in name]
        assert runs.run(file)["exit"] == 0
    check_clean(engine_url)


def test_a_stop_signal_stops_the_statement_in_the_database(postgres_url: str, tmp_path: Path) -> None:
    execute(
        postgres_url,
        "create view people as select i as id, i % 4 as age, '8' as zip, 1 as pay, pg_sleep(0.02) is null as slow from generate_series(1, 3000) i",
    )
    file = write_job(tmp_path, postgres_url)
    file.write_text(file.read_text().replace("  pay:\n", "  slow:\n    role: drop\n  pay:\n"))
    results = tmp_path / "run_results.json"
    process = subprocess.Popen(
        [sys.executable, "-m", "kanon_sql", "run", str(file), "--results", str(results), "--log-format", "json"],
        stderr=subprocess.PIPE,
        text=True,
    )
    busy = "select count(*) from pg_stat_activity where application_name like 'kanon_sql 2%' and state = 'active'"
    deadline = time.monotonic() + 60
    while fetch(postgres_url, busy) == [(0,)] and time.monotonic() < deadline:
        time.sleep(0.1)
    time.sleep(0.5)
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130, said
    assert json.loads(results.read_text())["exit_code"] == 130
    assert fetch(postgres_url, busy) == [(0,)]


def test_a_full_disk(duckdb_url: str, tmp_path: Path) -> None:
    fill(duckdb_url)
    execute(
        duckdb_url, "insert into people select 10000 + i, 20 + i % 4, '800', hash(i) % 1000000 from range(200000) t(i)"
    )
    file = write_job(tmp_path, duckdb_url, privacy={"accept": ["nearly_unique_columns"]})
    with forked_runs() as runs:
        assert runs.run(file)["exit"] == 0
        change(duckdb_url, 1)
        before = state_of(duckdb_url)
        size = Path(duckdb_url.removeprefix("duckdb:///")).stat().st_size
        failed = runs.run(file, at="release/stage", who="disk", bytes=size + 4096)
        assert failed.get("exit") != 0
        assert state_of(duckdb_url) == before
        assert runs.run(file)["exit"] == 0
    check_clean(duckdb_url)


def test_a_lost_connection(postgres_url: str, tmp_path: Path) -> None:
    fill(postgres_url)
    file = write_job(tmp_path, postgres_url)
    job = load_job(file)
    kanon_sql.run(job)
    change(postgres_url, 1)
    before = state_of(postgres_url)

    def cut(step: str) -> None:
        if step == "verifying":
            execute(
                postgres_url,
                "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'kanon_sql 2%'",
            )

    with pytest.raises(ConnectionFailed, match="lost"):
        kanon_sql.run(job, Observer(step=cut))
    assert state_of(postgres_url) == before
    kanon_sql.run(job)
    check_clean(postgres_url)


def test_a_statement_that_takes_too_long(engine_url: str, tmp_path: Path) -> None:
    slow = (
        "create view people as select a.range as id, a.range % 4 as age, '8' as zip, count(*) as pay "
        "from range(30000) a, range(30000) b group by all"
        if engine_url.startswith("duckdb")
        else "create view people as select i as id, i % 4 as age, '8' as zip, 1 as pay from generate_series(1, 60000000) i"
    )
    execute(engine_url, slow)
    job = load_job(write_job(tmp_path, engine_url, source={"statement_timeout": 0.3, "fingerprint": False}))
    with pytest.raises(StatementTimedOut) as stopped:
        kanon_sql.run(job)
    assert stopped.value.exit_code == 4
    assert "statement_timeout" in stopped.value.hint


def test_readers_in_a_transaction_hold_the_switch_up_but_nobody_fails(postgres_url: str, tmp_path: Path) -> None:
    fill(postgres_url)
    file = write_job(tmp_path, postgres_url)
    with forked_runs() as runs:
        assert runs.run(file)["exit"] == 0
        change(postgres_url, 1)
        with psycopg.connect(postgres_url.replace("+psycopg", "")) as reader:
            (seen,) = reader.execute("select count(*) from release.people").fetchone() or (0,)
            runs.start(file)
            time.sleep(4)
            assert reader.execute("select count(*) from release.people").fetchone() == (seen,)
            reader.commit()
        assert runs.answer()["exit"] == 0
    check_clean(postgres_url)


def test_grants_are_enough_and_no_more(postgres_url: str, tmp_path: Path) -> None:
    """Least privilege: read the source, own schemas for work, register, ledger and release, and nothing else."""
    fill(postgres_url)
    role = f"kanon_night_{os.getpid()}"
    reader = f"kanon_reader_{os.getpid()}"
    own = make_url(postgres_url).set(username=role).render_as_string(hide_password=False)
    execute(
        postgres_url,
        f"create role {role} login",
        f"create role {reader} login",
        "revoke all on schema public from public",
    )
    try:
        job = load_job(write_job(tmp_path, own))
        with pytest.raises(PermissionDenied, match="kanon") as denied:
            kanon_sql.run(job)
        assert "kanon grants" in denied.value.hint
        execute(postgres_url, *grants_script(job, readers=(reader,)))
        assert kanon_sql.run(job).version == 1
        execute(own, f"grant select on release.people to {reader}")
        change(postgres_url, 1)
        assert kanon_sql.run(job).version == 2
        for forbidden in (
            "insert into people values (1, 1, '1', 1)",
            "delete from people",
            "create table public.x (a integer)",
            "create schema mine",
        ):
            with pytest.raises(PermissionDenied):
                execute(own, forbidden)
        as_reader = make_url(postgres_url).set(username=reader).render_as_string(hide_password=False)
        assert fetch(as_reader, "select count(*) from release.people")[0][0] > 0
        for hidden in (
            "select * from release.people__v2",
            f"select * from kanon_ledger.{tables_of(postgres_url, 'kanon_ledger')[0]}",
            "select * from kanon.salts",
        ):
            with pytest.raises(PermissionDenied):
                fetch(as_reader, hidden)
    finally:
        execute(postgres_url, f"drop owned by {role}, {reader} cascade", f"drop role {role}", f"drop role {reader}")


def test_the_files_a_run_leaves(engine_url: str, tmp_path: Path) -> None:
    fill(engine_url)
    file = write_job(tmp_path, engine_url)
    results, metrics = tmp_path / "out" / "run_results.json", tmp_path / "out" / "kanon.prom"
    command = [
        sys.executable,
        "-m",
        "kanon_sql",
        "run",
        str(file),
        "--results",
        str(results),
        "--metrics",
        str(metrics),
        "--log-format",
        "json",
    ]

    def run(*more: str) -> tuple[int, list[dict[str, Any]]]:
        done = subprocess.run([*command, *more], capture_output=True, text=True, timeout=120, check=False)
        return done.returncode, [json.loads(line) for line in done.stderr.splitlines()]

    code, log = run()
    assert code == 0
    document = json.loads(results.read_text())
    assert (document["status"], document["exit_code"], document["result"]["version"]) == ("published", 0, 1)
    assert {entry["run"] for entry in log} == {document["run"]}
    assert "publishing" in [entry["step"] for entry in log]
    first = metrics.read_text()
    assert 'kanon_run_success{job="release.people"} 1' in first
    assert f'kanon_release_k{{job="release.people"}} {document["result"]["verified"]["k"]}' in first
    assert run()[0] == 0
    assert json.loads(results.read_text())["status"] == "unchanged"
    code, log = run("--set", "privacy.k=100000")
    assert code == 6
    assert log[-1]["level"] == "error"
    assert json.loads(results.read_text())["error"]["type"] == "NoSolution"
    last = metrics.read_text()
    assert 'kanon_run_success{job="release.people"} 0' in last
    assert 'kanon_release_version{job="release.people"} 1' in last  # what readers still see
    assert "kanon_last_success_timestamp_seconds" in last


def test_the_table_of_people_is_k_anonymous_as_it_stands() -> None:
    sizes: dict[tuple[int, str], int] = {}
    for _, age, zip_, _ in people(240):
        sizes[age, zip_] = sizes.get((age, zip_), 0) + 1
    assert min(sizes.values()) >= 4 * K
