"""Ctrl-C, SIGTERM and SIGHUP at every labelled step of every command: nothing is left behind, and what was stopped is said."""

from __future__ import annotations

import itertools
import json
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import kanon_sql
from kanon_sql.backends.connect import open_backend
from kanon_sql.backends.spark import SparkBackend
from kanon_sql.backends.stopping import SIGNALS as STOP_SIGNALS
from kanon_sql.backends.stopping import stops
from kanon_sql.config import load_job
from kanon_sql.sql.statement import Statement
from tests.nightly.nights import change, fill, people, tables_of, write_job
from tests.nightly.runs import Runs, forked_runs
from tests.support import execute, fetch

SIGNALS = ("SIGTERM", "SIGINT", "SIGHUP")
MOMENTS = ("within", "before", "after")
AFTER_THE_SWITCH = ("work/drop", "release/drop_table", "release/drop_old")
SPARK_INTERRUPTS = 40
COMMANDS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("plan", {}),
    ("compare", {"algorithms": ["exhaustive", "mondrian"], "ks": [4]}),
    ("pareto", {"keep": True}),
    ("check", {}),
    ("score", {}),
)


def leftovers(url: str) -> list[str]:
    """What a stopped command must not leave: work tables, staged tables, runs that never ended."""
    left = [name for name in tables_of(url, "release") if "staged" in name]
    if url.startswith("postgres"):
        left += [name for name in tables_of(url, "kanon_work") if not name.startswith("kept_")]
    return left + [str(run) for (run,) in fetch(url, "select id from kanon.runs where status = 'running'")]


def interrupted_everywhere(runs: Runs, url: str, file: Path, most: int | None, **order: Any) -> int:
    """Interrupt a command at each of its labels in turn, each time by another signal at another moment; returns how often it stopped."""
    ended = runs.run(file, **order)
    assert ended["exit"] == 0, ended
    labels = list(dict.fromkeys(label for label in ended["labels"] if label not in ("commit", *AFTER_THE_SWITCH)))
    if most is not None:
        labels = labels[:: -(-len(labels) // most)]
    stopped = 0
    ways = itertools.cycle(itertools.product(MOMENTS, SIGNALS))
    for night, (label, (when, name)) in enumerate(zip(labels, ways, strict=False)):
        if order.get("command", "run") == "run":
            change(url, night)
        runs.start(file, at=label, when=when, who="interrupt", signals=[name, "SIGINT", name], **order)
        runs.wanted = (None, 1)  # a step that another night's data does not need is not counted
        answer = runs.answer()
        assert answer["exit"] in (0, 130), (label, when, name, answer)
        if answer["exit"] == 130:
            stopped += 1
            assert name in answer["said"], (label, when, name, answer)
        assert leftovers(url) == [], (label, when, name, answer)
    return stopped


def every_command(url: str, file: Path, most: int | None) -> int:
    fill(url)
    with forked_runs() as runs:
        assert runs.run(file)["exit"] == 0
        change(url, 1)
        count = interrupted_everywhere(runs, url, file, most)
        few = None if most is None else 2
        for command, arguments in COMMANDS:
            count += interrupted_everywhere(runs, url, file, few, command=command, arguments=arguments)
        change(url, 99)
        assert runs.run(file)["exit"] == 0
    return count


def job_to_stop(directory: Path, url: str) -> Path:
    """A job that searches every night, and may leave out whom the guard withholds: no night is to be refused."""
    search = {"reuse": False, "embedded": "always"}
    return write_job(directory, url, search=search, privacy={"suppression": 1})


def test_interrupts_leave_nothing(engine_url: str, tmp_path: Path) -> None:
    assert every_command(engine_url, job_to_stop(tmp_path, engine_url), 6) >= 12


@pytest.mark.long
def test_interrupts_at_every_step(engine_url: str, tmp_path: Path) -> None:
    count = every_command(engine_url, job_to_stop(tmp_path, engine_url), None)
    print(f"{count} interrupts stopped a command on {engine_url.split(':')[0]}")
    assert count >= 40


@pytest.mark.long
def test_interrupts_at_every_step_on_spark(spark_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In this process: a session of Spark takes longer to start than a run."""
    columns = ", ".join(f"{name}" for name in ("id", "age", "zip", "pay"))
    values = ", ".join(str(row) for row in people(60))
    execute(spark_url, f"create table people as select {columns} from values {values} as t({columns})")
    register = f"duckdb:///{tmp_path / 'register.duckdb'}"
    file = write_job(
        tmp_path,
        spark_url,
        source={"fingerprint": False},
        search={"reuse": False},
        register={"url": register},
        publish={"guard": "never"},
    )
    labels: list[str] = []
    stop: list[tuple[str, str, str]] = []

    def act(label: str, when: str) -> None:
        if when == "before":
            labels.append(label)
        if stop and stop[0][:2] == (label, when):
            name = stop.pop()[2]
            for one in (name, "SIGINT", name):
                os.kill(os.getpid(), getattr(signal, one))

    timed, run = SparkBackend._timed, SparkBackend._run

    def labelled(self: SparkBackend, statement: Statement, fetch: bool) -> Any:
        act(statement.label, "before")
        rows = timed(self, statement, fetch)
        act(statement.label, "after")
        return rows

    def begun(self: SparkBackend, statement: Statement, fetch: bool) -> Any:
        act(statement.label, "within")
        return run(self, statement, fetch)

    monkeypatch.setattr(SparkBackend, "_timed", labelled)
    monkeypatch.setattr(SparkBackend, "_run", begun)
    job = load_job(file)
    kanon_sql.run(job)
    steps = [label for label in dict.fromkeys(labels) if label not in AFTER_THE_SWITCH]
    said: list[str] = []
    seen = 0
    for (label, when), name in zip(
        ((label, when) for when in MOMENTS for label in steps), itertools.cycle(SIGNALS), strict=False
    ):
        if seen == SPARK_INTERRUPTS:
            break
        seen += 1
        stop.append((label, when, name))
        try:
            with stops.handled(STOP_SIGNALS):
                kanon_sql.run(job)
        except KeyboardInterrupt as interrupt:
            said.append(str(interrupt))
        stop.clear()
        backend = open_backend(spark_url, tmp_path, read_only=True)
        try:
            left = [str(one) for schema in ("kanon_work", "release") for _, one in backend.relations(schema)]
        finally:
            backend.close()
        left = [one for one in left if "kanon_work" in one or "staged" in one]
        assert left == [], (label, when, name)
        assert fetch(register, "select id from kanon.runs where status = 'running'") == [], (label, when, name)
    print(f"{len(said)} of {seen} interrupts stopped a run on Spark, at {len(steps)} steps")
    assert len(said) >= SPARK_INTERRUPTS // 2
    assert all(text.startswith("interrupted by SIG") for text in said), said
    kanon_sql.run(job)


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_stopped_run_says_what_was_stopped(postgres_url: str, tmp_path: Path, name: str) -> None:
    execute(
        postgres_url,
        "create table people as select i as id, i % 4 as age, '8' as zip, 1 as pay from generate_series(1, 300) i",
        "create view slowly as select *, pg_sleep(0.01) is null as slow from people",
    )
    file = write_job(tmp_path, postgres_url, source={"table": "slowly"})
    file.write_text(file.read_text().replace("  pay:\n", "  slow:\n    role: keep\n  pay:\n"))
    results = tmp_path / "results.json"
    command = [sys.executable, "-m", "kanon_sql", "run", str(file), "--results", str(results)]
    heard = partial(signal.signal, signal.SIGHUP, signal.SIG_DFL)  # this suite may run under nohup
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, preexec_fn=heard)
    staging = "select count(*) from pg_stat_activity where state = 'active' and query like '%staged%' and pid <> pg_backend_pid()"
    deadline = time.monotonic() + 60
    while fetch(postgres_url, staging) == [(0,)] and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.05)
    for _ in range(3):  # an impatient operator does not tear the clean-up
        process.send_signal(getattr(signal, name))
        time.sleep(0.05)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130, said
    last = said.strip().splitlines()[-1]
    assert last.startswith(f"interrupted by {name} while staging the release"), said
    assert "work table" in last and "staged release" in last, said
    assert json.loads(results.read_text())["error"]["message"].startswith(f"interrupted by {name}")
    assert leftovers(postgres_url) == []
    assert name in str(fetch(postgres_url, "select error from kanon.runs where status = 'failed'"))
