"""A reader of the release in a process of its own, polling until told to stop: `python -m tests.nightly.reader URL K FILE`.

It stops when FILE is gone, and prints {"polls", "unreachable", "versions", "problems"}. A database that cannot be opened (the server is
down; another process writes to the embedded one) is unreachable; whatever else goes wrong is a problem.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

CHECKOUT = Path(__file__).parents[2]
QUERY = "select min(c), sum(c), count(*) from (select count(*) as c from release.people group by age, zip) as classes"


@contextmanager
def polling(url: str, k: int, directory: Path) -> Iterator[dict[str, Any]]:
    """Poll while the block runs; the figures are in the mapping afterwards."""
    stop = directory / "reading"
    stop.touch()
    reader = subprocess.Popen(
        [sys.executable, "-m", "tests.nightly.reader", url, str(k), str(stop)],
        cwd=CHECKOUT,
        stdout=subprocess.PIPE,
        text=True,
    )
    found: dict[str, Any] = {}
    try:
        yield found
    finally:
        stop.unlink()
        text, _ = reader.communicate(timeout=60)
        found.update(json.loads(text))


def _poll(url: str, k: int, running: Path) -> dict[str, Any]:
    poll = _poll_postgres(url) if url.startswith("postgres") else _poll_duckdb(url)
    found: dict[str, Any] = {"polls": 0, "unreachable": 0, "problems": []}
    while running.exists():
        answer = next(poll)
        if answer is None:
            found["unreachable"] += 1
            time.sleep(0.01)
            continue
        found["polls"] += 1
        if isinstance(answer, str):
            found["problems"].append(answer)
        elif not answer[1] or answer[0] < k:
            found["problems"].append(f"smallest class {answer[0]}, rows {answer[1]}")
        time.sleep(0.005)
    found["problems"] = found["problems"][:20]
    return found


def _poll_postgres(url: str) -> Iterator[tuple[int, int, int] | str | None]:
    import psycopg

    connection = None
    while True:
        try:
            if connection is None or connection.closed:
                connection = psycopg.connect(url.replace("+psycopg", ""), autocommit=True, connect_timeout=5)
            yield connection.execute(QUERY).fetchone()  # type: ignore[misc]
        except psycopg.OperationalError:
            connection = None
            yield None
        except psycopg.Error as error:
            yield f"{type(error).__name__}: {error}"


def _poll_duckdb(url: str) -> Iterator[tuple[int, int, int] | str | None]:
    import duckdb

    path = url.removeprefix("duckdb:///")
    while True:
        try:
            connection = duckdb.connect(path, read_only=True)
        except duckdb.Error as error:
            yield None if "lock" in str(error).lower() else f"{type(error).__name__}: {error}"
            continue
        try:
            yield connection.execute(QUERY).fetchone()  # type: ignore[misc]
        except duckdb.Error as error:
            yield f"{type(error).__name__}: {error}"
        finally:
            connection.close()


if __name__ == "__main__":
    print(json.dumps(_poll(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]))))
