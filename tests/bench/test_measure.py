"""What the benchmarks measure of a process, and how they print it."""

from __future__ import annotations

import signal
import sys

import pytest

from bench.measure import measure, print_table


def test_a_process_is_measured() -> None:
    program = "import sys, time; block = bytearray(100 << 20); sum(range(3_000_000)); time.sleep(0.2); print('done'); print('why', file=sys.stderr)"
    small = measure([sys.executable, "-c", "print('done')"], seconds=60)
    large = measure([sys.executable, "-c", program], seconds=60)
    assert (large.exit_code, large.output, large.errors) == (0, "done\n", "why\n")
    # Its own memory, not that of the test process which started it.
    assert 100 < large.peak_mebibytes < 150
    assert 0 < small.cpu < large.cpu
    assert large.wall > 0


def test_a_process_that_takes_too_long_is_killed() -> None:
    slow = measure([sys.executable, "-c", "import time; time.sleep(60)"], seconds=0.5)
    assert slow.exit_code == -signal.SIGKILL
    assert slow.wall < 30


def test_the_environment_is_added_to() -> None:
    program = "import os; print(os.environ['KANON_URL'], 'PATH' in os.environ)"
    assert measure([sys.executable, "-c", program], 60, {"KANON_URL": "here"}).output == "here True\n"


def test_tables_are_aligned(capsys: pytest.CaptureFixture[str]) -> None:
    print_table("Title", ["rows", "s"], [["1,000", "0.25"], ["5", "12.00"]])
    assert capsys.readouterr().out == (
        "\nTitle\n\n|  rows |     s |\n| ----- | ----- |\n| 1,000 |  0.25 |\n|     5 | 12.00 |\n"
    )
