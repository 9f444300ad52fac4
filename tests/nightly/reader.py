"""A reader of the release in a process of its own, polling until told to stop: `python -m tests.nightly.reader URL K FILE`.

It stops when FILE is gone. FILE grows by one byte with every poll that reached the database, so that whoever kills
can wait for polls before, between and after the kills. At the end it prints {"polls", "unreachable", "why", "problems"}. A database that
cannot be opened (the server is down; another process writes to the embedded one) is unreachable, and such a poll proves nothing; whatever
else goes wrong is a problem.
"""

from __future__ import annotations

import fcntl
import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

CHECKOUT = Path(__file__).parents[2]
QUERY = "select min(c), sum(c), count(*) from (select count(*) as c from release.people group by age, zip) as classes"
ENOUGH = 5
"""Polls that must reach the database before a kill, and after it."""
SECONDS = 60.0


@dataclass
class Reader:
    """A reader at work; its figures are there when it has ended."""

    file: Path
    found: dict[str, Any] = field(default_factory=dict)

    def wait(self, polls: int = ENOUGH) -> None:
        """Wait until so many more polls have reached the database."""
        wanted = self.file.stat().st_size + polls
        deadline = time.monotonic() + SECONDS
        while (reached := self.file.stat().st_size) < wanted:
            assert time.monotonic() < deadline, f"the reader did not reach the database: {reached} of {wanted} polls"
            time.sleep(0.002)

    @property
    def polls(self) -> int:
        return int(self.found["polls"])


@contextmanager
def polling(url: str, k: int, directory: Path) -> Iterator[Reader]:
    """Poll while the block runs; nothing that the reader saw may have been wrong."""
    reader = Reader(directory / "reading")
    reader.file.touch()
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.nightly.reader", url, str(k), str(reader.file)],
        cwd=CHECKOUT,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield reader
    finally:
        reader.file.unlink()
        text, _ = process.communicate(timeout=SECONDS)
    reader.found.update(json.loads(text))
    assert reader.found["problems"] == []


def _poll(url: str, k: int, running: Path) -> dict[str, Any]:
    poll = _poll_postgres(url) if url.startswith("postgres") else _poll_duckdb(url)
    polls, problems, unreachable = 0, [], Counter[str]()
    # Opened once: when the file is gone, it must not come back.
    with running.open("ab", buffering=0) as reached:
        while running.exists():
            answer = next(poll)
            if isinstance(answer, Unreachable):
                unreachable[answer.why] += 1
                time.sleep(0.02)
                continue
            polls += 1
            reached.write(b".")
            if isinstance(answer, str):
                problems.append(answer)
            elif not answer[1] or answer[0] < k:
                problems.append(f"smallest class {answer[0]}, rows {answer[1]}")
            time.sleep(0.02)
    return {
        "polls": polls,
        "unreachable": unreachable.total(),
        "why": dict(unreachable.most_common(5)),
        "problems": problems[:20],
    }


@dataclass(frozen=True)
class Unreachable:
    """A poll that did not reach the database, and why not."""

    why: str


Answer = tuple[int, int, int] | str | Unreachable


def _poll_postgres(url: str) -> Iterator[Answer]:
    import psycopg

    connection = None
    while True:
        try:
            if connection is None or connection.closed:
                connection = psycopg.connect(url.replace("+psycopg", ""), autocommit=True, connect_timeout=5)
            yield connection.execute(QUERY).fetchone()  # type: ignore[misc]
        except psycopg.OperationalError as error:
            connection = None
            yield Unreachable(str(error).splitlines()[0])
        except psycopg.Error as error:
            yield f"{type(error).__name__}: {error}"


def _poll_duckdb(url: str) -> Iterator[Answer]:
    import duckdb

    path = url.removeprefix("duckdb:///")
    while True:
        if _written(path):
            yield Unreachable("another process writes")
            continue
        try:
            connection = duckdb.connect(path, read_only=True)
        except duckdb.Error as error:
            text = str(error)
            yield Unreachable("another process writes") if "lock" in text.lower() else f"{type(error).__name__}: {text}"
            continue
        try:
            yield connection.execute(QUERY).fetchone()  # type: ignore[misc]
        except duckdb.Error as error:
            yield f"{type(error).__name__}: {error}"
        finally:
            connection.close()


def _written(path: str) -> bool:
    """Whether a writer holds the file, which is what opening it would say, at a hundred times the cost."""
    with open(path, "rb") as file:
        try:
            fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return True
    return False


if __name__ == "__main__":
    print(json.dumps(_poll(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]))))
