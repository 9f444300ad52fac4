"""What a terminal shows, and that nothing of it reaches a file or a pipe."""

from __future__ import annotations

import io
import os
import pty
import re
import threading
from pathlib import Path

import pytest

from kanon_sql.cli.terminal import Progress, duration, sparkline
from tests.cli.kanon import demonstration, kanon, typed

# What the tests share takes longer to make than they do: on one worker it is made once.
pytestmark = pytest.mark.xdist_group("terminal")


def test_sparklines() -> None:
    assert sparkline([0, 1, 2, 3, 4, 5, 6, 7]) == "▁▂▃▄▅▆▇█"
    assert sparkline([3, 3]) == "▁▁"
    assert sparkline([]) == ""
    assert len(sparkline(list(range(1000)))) <= 60


def test_durations() -> None:
    assert [duration(seconds) for seconds in (0.25, 59.94, 61, 3 * 3600 + 125)] == [
        "0.2 s",
        "59.9 s",
        "1 min 01 s",
        "3 h 02 min",
    ]


def test_progress_tells_step_checks_and_time_left() -> None:
    now = [0.0]
    progress = Progress(io.StringIO(), clock=lambda: now[0])
    now[0] = 10.0
    progress.step("searching")
    progress.expect(100)
    now[0] = 15.0
    text = progress.text(25)
    assert "searching" in text
    assert "25 of at most 100 checks, 15.0 s, at most 15.0 s left" in text
    progress.step("staging")
    assert progress.text(3) == "staging … 3 checks, 15.0 s"


def on_a_terminal(*arguments: object, env: dict[str, str] | None = None) -> str:
    """What a command shows where people look at it."""
    ours, theirs = pty.openpty()
    shown: list[bytes] = []

    def read() -> None:
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:
                return
            if not part:
                return
            shown.append(part)

    reader = threading.Thread(target=read)
    reader.start()
    environment = {"TERM": "xterm", "COLUMNS": "160"} | (env or {})
    code = typed([*map(str, arguments)], (theirs, theirs, theirs), env=environment)
    os.close(theirs)
    reader.join(timeout=10)
    os.close(ours)
    text = b"".join(shown).decode()
    assert code == 0, text
    return text


QUICK = ("--set", "search.algorithm=datafly")


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return demonstration(tmp_path_factory.mktemp("demo"))


def test_a_plan_on_a_terminal_and_in_a_pipe(demo: Path) -> None:
    text = on_a_terminal("plan", demo)
    assert "loss of the nodes tried" in text
    assert "\x1b[1m" in text
    assert "reading the table" in text
    assert "\x1b[1m" not in on_a_terminal("plan", demo, *QUICK, env={"NO_COLOR": "1"})
    piped = kanon("plan", demo, *QUICK)
    assert "\x1b" not in piped.out + piped.err
    assert "▁" not in piped.out
    assert "kanon: reading the table" in piped.err
    assert kanon("plan", demo, *QUICK, "--quiet").err == ""


def test_the_rounds_of_local_recoding_are_told_on_a_terminal(demo: Path) -> None:
    text = on_a_terminal("plan", demo, "--set", "search.algorithm=anneal", "--set", "search.rounds=3")
    assert re.search(r"searching \(anneal\) … [\d,]+ rounds, [^\r]*(rows still open|groups)", text), text
