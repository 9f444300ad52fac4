"""How long the tests take, as measured: what takes long is marked `slow` and left out of `make test-fast`.

`pytest --measure` writes durations.json anew for the tests it runs: seconds of the processor, those of servers and commands
included. A test that is not there counts as quick.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

FILE = Path(__file__).with_name("durations.json")
SLOW = 0.5
"""Seconds of the processor, in the mean over a test's parameters, from which on it is slow."""
WORTH_TELLING = 0.3
"""Seconds of all of a test's parameters below which it is not written down."""


def function_of(nodeid: str) -> str:
    """A test without its parameters, and without the group that a worker adds (`@spark`)."""
    return nodeid.partition("[")[0].partition("@")[0]


def durations() -> dict[str, dict[str, float]]:
    """By test: how often it ran (its parameters), and its seconds together."""
    found: dict[str, dict[str, float]] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def is_slow(known: dict[str, dict[str, float]], nodeid: str) -> bool:
    entry = known.get(function_of(nodeid))
    return entry is not None and entry["seconds"] > SLOW * entry["times"]


def mark_slow(items: list[pytest.Item]) -> None:
    known = durations()
    for item in items:
        if is_slow(known, item.nodeid):
            item.add_marker("slow")


def processor_seconds() -> float:
    """Of this process and of all that it started."""
    own = os.times()
    total = own.user + own.system + own.children_user + own.children_system
    for child in psutil.Process().children(recursive=True):
        try:
            times = child.cpu_times()
        except psutil.Error:  # it ended; whoever waited for it has its times
            continue
        total += times.user + times.system + times.children_user + times.children_system
    return total


class Measure:
    """Writes down what each test of this process took; several processes write one after the other."""

    def __init__(self) -> None:
        self.times: Counter[str] = Counter()
        self.seconds: Counter[str] = Counter()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        started = processor_seconds()
        answer = yield
        name = function_of(item.nodeid)
        self.times[name] += 1
        self.seconds[name] += processor_seconds() - started  # type: ignore[assignment]
        return answer  # type: ignore[return-value]

    def pytest_sessionfinish(self) -> None:
        with FILE.open("r+", encoding="utf-8") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            known = json.load(file)
            file.seek(0)
            file.truncate()
            file.write(as_text(merged(known, self.times, self.seconds)))


def merged(
    known: dict[str, dict[str, float]], times: Counter[str], seconds: Counter[str]
) -> dict[str, dict[str, float]]:
    """What is known, with what was measured in its place. The parameters of one test may have run in two processes: their mean counts."""
    found = dict(known)
    for name, count in times.items():
        found.pop(name, None)
        if seconds[name] >= WORTH_TELLING:
            found[name] = {"times": count, "seconds": round(seconds[name], 1)}
    return found


def as_text(found: dict[str, dict[str, float]]) -> str:
    """One line for a test, in order, so that a change shows as one."""
    lines = [f"  {json.dumps(name)}: {json.dumps(found[name])}" for name in sorted(found)]
    return "{\n" + ",\n".join(lines) + "\n}\n"
