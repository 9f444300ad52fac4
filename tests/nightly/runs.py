"""Runs in processes of their own, to be killed at a labelled step. Nothing of this is in the program: it patches from outside.

`python -m tests.nightly.runs` imports everything once and then forks one process per line of JSON it reads:
{"job": path, "at": label, "nth": 1, "who": "client" | "server" | "interrupt" | "disk" | "hold", "sign": path} -> {"status", "labels", ...}.
`command` is another verb than run, `signals` are others than Ctrl-C, one after the other, `when` is before, within or after the step.
A process that is to lose its server makes the file `sign`, and goes on once it is gone.
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

CHECKOUT = Path(__file__).parents[2]


class Runs:
    """The process that forks runs."""

    def __init__(self) -> None:
        self.wanted: tuple[str | None, int] = (None, 1)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.nightly.runs"],
            cwd=CHECKOUT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def start(self, job: Path, **order: Any) -> None:
        """Start a run; `answer` waits for it."""
        assert self.process.stdin is not None
        self.wanted = (order.get("at"), order.get("nth", 1))
        self.process.stdin.write(json.dumps({"job": str(job), **order}) + "\n")
        self.process.stdin.flush()

    def answer(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, "the forking process is gone"
        answer = dict(json.loads(line))
        label, nth = self.wanted
        # A run that ended well has come to its step; otherwise the test waits for a step that is no more.
        if label is not None and answer.get("exit") == 0:
            passed = answer["labels"].count(label)
            assert passed >= nth, f"the run came to {label} {passed} times, not {nth}: {answer['labels']}"
        return answer

    def wait_for(self, sign: Path) -> None:
        """Wait until a run has come to the step at which it makes the sign; fail when it ends without."""
        assert self.process.stdout is not None
        deadline = time.monotonic() + 60
        while not sign.exists():
            ended, _, _ = select.select([self.process.stdout], [], [], 0.005)
            assert not ended or sign.exists(), f"the run ended without a sign: {self.answer()}"
            assert time.monotonic() < deadline, f"the run did not come to {self.wanted[0]} in a minute"

    def run(self, job: Path, **order: Any) -> dict[str, Any]:
        self.start(job, **order)
        return self.answer()

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(60)


@contextmanager
def forked_runs() -> Iterator[Runs]:
    runs = Runs()
    try:
        yield runs
    finally:
        runs.close()


def _serve() -> None:
    import duckdb  # noqa: F401
    import psycopg  # noqa: F401
    import sqlalchemy.dialects.postgresql.psycopg  # noqa: F401

    import kanon_sql.backends.duckdb
    import kanon_sql.backends.postgres
    import kanon_sql.flows.run
    import kanon_sql.release.janitor
    import kanon_sql.release.lock
    import kanon_sql.search.best_first  # noqa: F401

    for line in sys.stdin:
        order = json.loads(line)
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            with os.fdopen(writing, "w") as out:
                _one_run(order, out)
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading) as answer:
            text = answer.read()
        _, status = os.waitpid(child, 0)
        found = json.loads(text) if text.endswith("}") else {}
        print(json.dumps({"status": os.waitstatus_to_exitcode(status), **found}), flush=True)


def _one_run(order: dict[str, Any], out: Any) -> None:
    import kanon_sql
    from kanon_sql.backends.stopping import SIGNALS, stops
    from kanon_sql.config import load_job
    from kanon_sql.errors import KanonError

    # A process started in the background ignores Ctrl-C, one under nohup SIGHUP, and so do their children: here both must be heard.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    labels: list[str] = []
    notes: list[str] = []
    _patch(labels, _at(order, labels))
    observer = kanon_sql.Observer(note=notes.append)
    answer: dict[str, Any] = {}
    verb = getattr(kanon_sql, order.get("command", "run"))
    try:
        with stops.handled(SIGNALS):
            result = verb(load_job(order["job"], order.get("set", [])), observer=observer, **order.get("arguments", {}))
        answer = {"result": result.to_dict(), "exit": 0}
    except KanonError as error:
        answer = {"error": error.to_dict(), "exit": int(error.exit_code)}
    except KeyboardInterrupt as stop:
        answer = {"exit": 130, "said": str(stop), "cleared": dict(stops.cleared)}
    except Exception as error:
        answer = {"exit": 7, "error": repr(error), "trace": traceback.format_exc()}
    json.dump(answer | {"labels": labels, "notes": notes}, out, default=str)


def _at(order: dict[str, Any], labels: list[str]) -> Callable[[str, str], None]:
    """What happens before and after every labelled step."""
    counted: Counter[tuple[str, str]] = Counter()

    def act(label: str, when: str) -> None:
        if when == "before":
            labels.append(label)
        counted[label, when] += 1
        if (label, when) != (order.get("at"), order.get("when", "before")) or counted[label, when] != order.get(
            "nth", 1
        ):
            return
        if order["who"] == "client":
            os.kill(os.getpid(), signal.SIGKILL)
        if order["who"] == "interrupt":
            for name in order.get("signals", ["SIGINT"]):
                os.kill(os.getpid(), getattr(signal, name))
        if order["who"] == "disk":
            import resource

            # Like a full disk: nothing grows any more.
            resource.setrlimit(resource.RLIMIT_FSIZE, (int(order["bytes"]), resource.RLIM_INFINITY))
        if order["who"] in ("server", "hold"):
            sign = Path(order["sign"])
            sign.touch()
            deadline = time.monotonic() + 60
            while sign.exists() and time.monotonic() < deadline:
                time.sleep(0.005)

    return act


def _patch(labels: list[str], act: Callable[[str, str], None]) -> None:
    from kanon_sql.backends.base import Backend
    from kanon_sql.backends.duckdb import DuckDBBackend
    from kanon_sql.backends.postgres import PostgresBackend

    timed = Backend._timed

    def labelled(self: Backend, statement: Any, fetch: bool) -> Any:
        act(statement.label, "before")
        rows = timed(self, statement, fetch)
        act(statement.label, "after")
        return rows

    Backend._timed = labelled  # type: ignore[method-assign]

    def begun(run: Callable[..., Any]) -> Callable[..., Any]:
        def ran(self: Any, statement: Any, fetch: bool) -> Any:
            act(statement.label, "within")
            return run(self, statement, fetch)

        return ran

    for engine in (DuckDBBackend, PostgresBackend):
        engine._run = begun(engine._run)  # type: ignore[assignment, method-assign]

    def labelled_commit(commit: Callable[[Any], None]) -> Callable[[Any], None]:
        def committed(self: Any) -> None:
            act("commit", "before")
            commit(self)
            act("commit", "after")

        return committed

    for engine in (DuckDBBackend, PostgresBackend):
        engine._commit = labelled_commit(engine._commit)  # type: ignore[assignment, method-assign]


if __name__ == "__main__":
    _serve()
