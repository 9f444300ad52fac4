"""Kill it anywhere: the client, the server, at every labelled step; a reader polls throughout, and the next run succeeds.

`make faults` kills at every step and prints the figures; otherwise a few steps stand for all. Which steps there are is
read off a run, and a kill that its run did not come to fails by the step's name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.nightly.nights import K, change, check_clean, fill, state_of, write_job
from tests.nightly.reader import Reader, polling
from tests.nightly.runs import Runs, forked_runs
from tests.servers import PostgresServer

FEW = ("levels/raw", "release/stage", "release/verify", "release/mark", "release/swap", "commit")
"""Steps that stand for all: nothing built yet, half-built, built, verified, switched, and whatever is for all to see."""
SETTLING = 3
"""Nights until a run passes every step there is: it drops the oldest release, too."""
LATE = (
    "release/drop_table",
    "register/change_state",
    "meta/disclaim",
    "work/drop",
    "work/delist",
    "meta/mark",
    "meta/lock_timeout",
    "meta/relation_kind",
    "register/releases",
)
"""Steps that may come after the commit that publishes."""


@dataclass(frozen=True)
class Step:
    """One labelled statement of a run, or one of its commits: the nth of that label."""

    label: str
    nth: int = 1

    @property
    def late(self) -> bool:
        """Whether it may come when the release is published already."""
        return self.label == "commit" or self.label in LATE


def steps_of(labels: list[str]) -> list[Step]:
    """Every label once, and every commit."""
    commits = [Step("commit", nth) for nth in range(1, labels.count("commit") + 1)]
    return [Step(label) for label in dict.fromkeys(labels) if label != "commit"] + commits


def few_of(steps: list[Step]) -> list[Step]:
    """The few; each must be a step of the run."""
    assert set(FEW) <= {step.label for step in steps}, f"a run passes no step {set(FEW) - {s.label for s in steps}}"
    return [step for step in steps if step.label in FEW]


ACCEPTED = {"accept_composition": "a class died out"}
"""After as many nights as there are steps most of the first people are gone, and the guard refuses what is left of their classes."""


class Nights:
    """A database with a release of last night, and runs to be killed tonight."""

    def __init__(self, url: str, directory: Path, runs: Runs) -> None:
        self.url, self.runs = url, runs
        self.kills = self.published = self.night = 0
        fill(url)
        self.job = write_job(directory, url)

    def settled(self, few: bool) -> list[Step]:
        """Run until nights are alike; the steps of such a night."""
        answer = self.good()
        for _ in range(1 if few else SETTLING):
            self.change()
            answer = self.good()
        steps = steps_of(answer["labels"])
        return few_of(steps) if few else steps

    def change(self) -> None:
        change(self.url, self.night)
        self.night += 1

    def good(self) -> dict[str, Any]:
        """A run that must succeed, and leave nothing behind."""
        answer = self.runs.run(self.job, arguments=ACCEPTED)
        assert answer["exit"] == 0, answer
        check_clean(self.url)
        return answer

    def killed(self, step: Step, kill: Callable[[], None]) -> None:
        """A night with a kill in it: last night's release (or tonight's, if it came to that) is there, the source is as it was, and
        the next run succeeds."""
        self.change()
        before = state_of(self.url)
        kill()
        self.kills += 1
        now = state_of(self.url)
        assert now["source"] == before["source"]
        if now["release"] != before["release"]:
            assert step.late, f"killed at {step}, before it was published, the release changed"
            self.published += 1
        self.good()

    def figures(self, steps: list[Step], reader: Reader) -> dict[str, Any]:
        told = {"kills": self.kills, "steps": len(steps), "published before the kill": self.published}
        return told | reader.found


def each(steps: list[Step], reader: Reader) -> Iterator[Step]:
    """The steps, with enough polls of the reader before the first, between any two and after the last."""
    for step in steps:
        reader.wait()
        yield step
    reader.wait()


def kill_clients(url: str, directory: Path, few: bool) -> dict[str, Any]:
    with forked_runs() as runs:
        nights = Nights(url, directory, runs)
        steps = nights.settled(few)
        with polling(url, K, directory) as reader:
            for step in each(steps, reader):
                # After a statement is before the next one, but for the commit: what comes after it is a new night.
                for when in ("before", "after") if step.label == "commit" else ("before",):
                    nights.killed(step, lambda step=step, when=when: kill_client(nights, step, when))  # type: ignore[misc]
    return nights.figures(steps, reader)


def kill_client(nights: Nights, step: Step, when: str) -> None:
    answer = nights.runs.run(nights.job, at=step.label, nth=step.nth, when=when, who="client", arguments=ACCEPTED)
    assert answer["status"] == -9, (step, answer)


def kill_servers(server: PostgresServer, directory: Path, few: bool) -> dict[str, Any]:
    url = server.url()
    with forked_runs() as runs:
        nights = Nights(url, directory, runs)
        steps = nights.settled(few)
        with polling(url, K, directory) as reader:
            for step in each(steps, reader):
                nights.killed(step, lambda step=step: kill_server(nights, step, server, directory / "sign"))  # type: ignore[misc]
    return nights.figures(steps, reader)


def kill_server(nights: Nights, step: Step, server: PostgresServer, sign: Path) -> None:
    nights.runs.start(nights.job, at=step.label, nth=step.nth, who="server", sign=str(sign), arguments=ACCEPTED)
    nights.runs.wait_for(sign)
    server.kill()
    sign.unlink()
    answer = nights.runs.answer()
    server.restart()
    # What comes after the publishing commit may fail without taking the release back.
    assert answer["exit"] in ((0, 4, 7) if step.late else (4,)), (step, answer)


def test_a_few_killed_clients(engine_url: str, tmp_path: Path) -> None:
    figures = kill_clients(engine_url, tmp_path, few=True)
    assert figures["kills"] > figures["steps"] >= len(FEW)


def test_a_few_killed_servers(own_postgres_server: PostgresServer, tmp_path: Path) -> None:
    assert kill_servers(own_postgres_server, tmp_path, few=True)["kills"] >= len(FEW)


@pytest.mark.long
def test_a_client_killed_at_every_step(engine_url: str, tmp_path: Path) -> None:
    figures = kill_clients(engine_url, tmp_path, few=False)
    print(f"\n{engine_url.split(':')[0]}: {figures}")
    assert figures["kills"] >= figures["steps"] >= 20


@pytest.mark.long
def test_a_server_killed_at_every_step(own_postgres_server: PostgresServer, tmp_path: Path) -> None:
    figures = kill_servers(own_postgres_server, tmp_path, few=False)
    print(f"\npostgresql servers: {figures}")
    assert figures["kills"] >= figures["steps"] >= 20
