"""Runs a whole process and measures it: wall and CPU seconds, peak memory. Ratios of these are what a benchmark prints."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, sleep

CHECKOUT = Path(__file__).parents[1]
PAUSE = 0.01


@dataclass(frozen=True)
class Measured:
    """What one process took and said."""

    wall: float
    cpu: float
    peak_mebibytes: float
    exit_code: int
    output: str
    errors: str


def measure(command: Sequence[str], seconds: float, environment: Mapping[str, str] | None = None) -> Measured:
    """Run a command to its end, or kill it after so many seconds; the operating system says what it used.

    It may keep its compiled modules, whatever this process may: a checkout without them compiles all it imports at every start.
    """
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        start = perf_counter()
        process = subprocess.Popen(
            list(command), cwd=CHECKOUT, stdout=output, stderr=errors, env={**inherited, **(environment or {})}
        )
        peak = 0.0
        # Waited for by hand, because only this wait tells the resources of this one process.
        while not (ended := os.wait4(process.pid, os.WNOHANG))[0]:
            peak = max(peak, _peak_mebibytes(process.pid))
            if perf_counter() - start > seconds:
                os.kill(process.pid, signal.SIGKILL)
            sleep(PAUSE)
        _, status, used = ended
        wall = perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        return Measured(
            wall=wall,
            cpu=used.ru_utime + used.ru_stime,
            peak_mebibytes=peak,
            exit_code=process.returncode,
            output=output.read().decode(errors="replace"),
            errors=errors.read().decode(errors="replace"),
        )


def _peak_mebibytes(pid: int) -> float:
    """The most memory a process has held so far, as Linux tells it; 0 where it does not.

    Not what the wait reports: that starts from the memory of the process which started it.
    """
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0.0
    for line in status.splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    return 0.0


def print_table(title: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table in Markdown, aligned, so that it reads on a terminal and in a document."""
    widths = [max(len(row[column]) for row in [header, *rows]) for column in range(len(header))]
    print(f"\n{title}\n", flush=True)
    for line in [header, ["-" * width for width in widths], *rows]:
        print("| " + " | ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)) + " |", flush=True)
