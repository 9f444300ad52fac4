"""Kill it anywhere: the client, the server, at every labelled step; a reader polls throughout, and the next run succeeds.

`make faults` kills at every step and prints the figures; otherwise a few steps stand for all.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.nightly.nights import K, change, check_clean, fill, state_of, write_job
from tests.nightly.reader import polling
from tests.nightly.runs import Runs, forked_runs
from tests.servers import PostgresServer

FEW = ["levels/raw", "release/stage", "release/verify", "release/rename", "release/swap", "commit"]


def steps_of(answer: dict[str, Any]) -> list[tuple[str, int]]:
    """Every labelled step, and every commit: (label, which one)."""
    labels = list(dict.fromkeys(answer["labels"]))
    commits = answer["labels"].count("commit")
    return [(label, 1) for label in labels if label != "commit"] + [("commit", nth + 1) for nth in range(commits)]


def after_a_kill(
    runs: Runs, url: str, job: Path, before: dict[str, Any], committed: bool, figures: dict[str, int]
) -> None:
    """Last night's release (or tonight's, once it was committed) is there, the source is as it was, and the next run succeeds."""
    now = state_of(url)
    assert now["source"] == before["source"]
    if now["release"] != before["release"]:
        assert committed, "the release changed although the run was killed before it was published"
        figures["published before the kill"] = figures.get("published before the kill", 0) + 1
    answer = runs.run(job)
    assert answer["exit"] == 0, answer
    check_clean(url)


def kill_clients(url: str, directory: Path, few: bool) -> dict[str, Any]:
    figures: dict[str, Any] = {"client kills": 0, "steps": 0}
    with forked_runs() as runs:
        fill(url)
        job = write_job(directory, url)
        assert runs.run(job)["exit"] == 0
        change(url, 0)
        steps = steps_of(runs.run(job))
        if few:
            steps = [step for step in steps if step[0] in FEW]
        figures["steps"] = len(steps)
        with polling(url, K, directory) as seen:
            for night, (label, nth) in enumerate(steps, 1):
                whens = ("before", "after") if label in FEW else ("before",)
                for when in whens:
                    change(url, night)
                    before = state_of(url)
                    killed = runs.run(job, at=label, nth=nth, when=when, who="client")
                    assert killed["status"] == -9, (label, killed)
                    figures["client kills"] += 1
                    after_a_kill(runs, url, job, before, label == "commit" or label in LATE, figures)
    assert seen["problems"] == []
    return figures | {"polls": seen["polls"], "unreachable": seen["unreachable"]}


LATE = (
    "release/drop_table",
    "register/change_state",
    "meta/disclaim",
    "work/drop",
    "meta/lock_timeout",
    "register/releases",
)
"""Steps that may come after the commit that publishes."""


def kill_servers(server: PostgresServer, directory: Path, few: bool) -> dict[str, Any]:
    figures: dict[str, Any] = {"server kills": 0, "steps": 0}
    url = server.url()
    sign = directory / "sign"
    with forked_runs() as runs:
        fill(url)
        job = write_job(directory, url)
        assert runs.run(job)["exit"] == 0
        change(url, 0)
        steps = steps_of(runs.run(job))
        if few:
            steps = [step for step in steps if step[0] in FEW[1:]]
        figures["steps"] = len(steps)
        with polling(url, K, directory) as seen:
            for night, (label, nth) in enumerate(steps, 1):
                change(url, night)
                before = state_of(url)
                runs.start(job, at=label, nth=nth, who="server", sign=str(sign))
                wait_for(sign)
                server.kill()
                sign.unlink()
                answer = runs.answer()
                server.restart()
                # What comes after the publishing commit may fail without taking the release back.
                assert answer["exit"] in ((0, 4, 7) if label in LATE or label == "commit" else (4,)), (label, answer)
                figures["server kills"] += 1
                after_a_kill(runs, url, job, before, label == "commit" or label in LATE, figures)
    assert seen["problems"] == []
    return figures | {"polls": seen["polls"], "unreachable": seen["unreachable"]}


def wait_for(sign: Path) -> None:
    import time

    deadline = time.monotonic() + 60
    while not sign.exists():
        assert time.monotonic() < deadline, "the run did not come to its step"
        time.sleep(0.005)


def test_a_few_killed_clients(engine_url: str, tmp_path: Path) -> None:
    figures = kill_clients(engine_url, tmp_path, few=True)
    assert figures["client kills"] >= 10


def test_a_few_killed_servers(own_postgres_server: PostgresServer, tmp_path: Path) -> None:
    assert kill_servers(own_postgres_server, tmp_path, few=True)["server kills"] >= 5


@pytest.mark.slow
@pytest.mark.long
def test_a_client_killed_at_every_step(engine_url: str, tmp_path: Path) -> None:
    figures = kill_clients(engine_url, tmp_path, few=False)
    print(f"\n{engine_url.split(':')[0]}: {figures}")
    assert figures["client kills"] >= figures["steps"] >= 20


@pytest.mark.slow
@pytest.mark.long
def test_a_server_killed_at_every_step(own_postgres_server: PostgresServer, tmp_path: Path) -> None:
    figures = kill_servers(own_postgres_server, tmp_path, few=False)
    print(f"\npostgresql servers: {figures}")
    assert figures["server kills"] >= figures["steps"] >= 20
