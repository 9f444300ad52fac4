"""One run at a time per job: the second names the holder and exits 5; exactly one of two publishes; the dead hold nothing."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from pathlib import Path

import pytest

import kanon_sql
from kanon_sql.config import load_job
from kanon_sql.errors import LockedByAnotherRun
from tests.nightly.nights import change, check_clean, fill, write_job
from tests.nightly.runs import forked_runs
from tests.support import fetch

HELD = "release/stage"
"""The step at which a run is held: it has the lock, and nothing is published."""


def test_the_second_run_names_the_holder_and_exits_5(engine_url: str, tmp_path: Path) -> None:
    sign = tmp_path / "sign"
    fill(engine_url)
    job = write_job(tmp_path, engine_url)
    with forked_runs() as runs:
        runs.start(job, at=HELD, who="hold", sign=str(sign))
        runs.wait_for(sign)
        second = subprocess.run(
            [sys.executable, "-m", "kanon_sql", "run", str(job), "--json"],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        sign.unlink()
        first = runs.answer()
    assert first["exit"] == 0
    assert second.returncode == 5
    error = json.loads(second.stderr.splitlines()[-1])["error"]
    assert error["type"] == "LockedByAnotherRun"
    assert f"run {first['result']['run']} of release.people since 20" in error["message"]
    assert "process " in error["message"]
    assert fetch(engine_url, "select count(*) from kanon.runs") == [(1,)]


def test_a_plan_of_a_database_a_run_writes_to_names_the_run(duckdb_url: str, tmp_path: Path) -> None:
    sign = tmp_path / "sign"
    fill(duckdb_url)
    job = write_job(tmp_path, duckdb_url)
    with forked_runs() as runs:
        runs.start(job, at=HELD, who="hold", sign=str(sign))
        runs.wait_for(sign)
        with pytest.raises(LockedByAnotherRun, match=r"run \w+ of release.people since"):
            kanon_sql.plan(load_job(job))
        sign.unlink()
        assert runs.answer()["exit"] == 0


def test_a_dead_holder_is_taken_over_and_the_log_says_so(engine_url: str, tmp_path: Path) -> None:
    fill(engine_url)
    job = write_job(tmp_path, engine_url)
    with forked_runs() as runs:
        assert runs.run(job, at="release/verify", who="client")["status"] == -9
        answer = runs.run(job)
    assert answer["exit"] == 0
    assert any("is dead: its lock was taken over" in note for note in answer["notes"])
    assert any(note.startswith("cleaned up after killed runs") for note in answer["notes"])
    check_clean(engine_url)
    assert [status for (status,) in fetch(engine_url, "select status from kanon.runs order by started")] == [
        "failed",
        "published",
    ]


def race(url: str, directory: Path, times: int) -> None:
    fill(url)
    job = write_job(directory, url)
    sign = directory / "sign"
    with forked_runs() as one, forked_runs() as other:
        for night in range(times):
            change(url, night)
            # The one that gets the lock waits until the other has tried: so they do overlap.
            order = {"at": HELD, "who": "hold", "sign": str(sign)}
            with ThreadPoolExecutor(2) as pool:
                futures = [pool.submit(runs.run, job, **order) for runs in (one, other)]
                deadline = time.monotonic() + 60
                while not sign.exists():
                    assert not all(future.done() for future in futures), f"no run came to {HELD}"
                    assert time.monotonic() < deadline, f"no run came to {HELD} in a minute"
                    time.sleep(0.005)
                wait(futures, timeout=60, return_when=FIRST_COMPLETED)
                sign.unlink()
                answers = [future.result(60) for future in futures]
            assert sorted(answer["exit"] for answer in answers) == [0, 5], answers
    assert fetch(url, "select count(*) from kanon.releases") == [(times,)]
    check_clean(url)


def test_two_runs_at_once(engine_url: str, tmp_path: Path) -> None:
    race(engine_url, tmp_path, 3)


@pytest.mark.long
def test_two_runs_at_once_twenty_times(engine_url: str, tmp_path: Path) -> None:
    race(engine_url, tmp_path, 20)
