"""What every command shares: options, progress on standard error, results on standard output."""

from __future__ import annotations

import datetime
import json
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kanon_sql.backends.stopping import stops
from kanon_sql.cli.terminal import Progress, bold, is_terminal, red

if TYPE_CHECKING:
    from kanon_sql.backends.trace import TraceEntry
    from kanon_sql.observer import Observer

JobFile = Annotated[Path, typer.Argument(metavar="JOB", help="The job file.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON document on standard output.")]
Debug = Annotated[
    bool, typer.Option("--debug", help="Every statement with its time on standard error, and traces of errors.")
]
Sql = Annotated[bool, typer.Option("--sql", help="Print every statement that was run.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")]
ProfileFile = Annotated[
    Path | None,
    typer.Option("--profile", metavar="FILE", help="Write where the time went, by step and statement, as JSON."),
]
Set = Annotated[
    list[str], typer.Option("--set", metavar="KEY=VALUE", help="Override a key of the job file, as privacy.k=10.")
]


class LogStyle(StrEnum):
    """How progress and notes are written to standard error."""

    text = "text"
    json = "json"


LogFormat = Annotated[
    LogStyle, typer.Option("--log-format", help="text for people, or one JSON object per line with run and step.")
]


def log_line(level: str, **values: object) -> str:
    """One line of a JSON log."""
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return json.dumps({"time": now, "level": level} | values, default=str, ensure_ascii=False)


def print_json(document: Any) -> None:
    print(json.dumps(document, indent=2, default=str, ensure_ascii=False))


def figure(value: float) -> str:
    """A measure for people: whole numbers with their thousands apart, shares to six places."""
    return f"{value:,.0f}" if float(value).is_integer() and abs(value) >= 1 else f"{value:,.6f}"


def print_table(headers: Sequence[str], rows: Sequence[Sequence[object]], marked: Sequence[bool] = ()) -> None:
    """A plain aligned table; numbers to the right; marked rows red on a terminal."""
    cells = [[_cell(value) for value in row] for row in rows]
    widths = [
        max(len(header), *(len(row[i]) for row in cells), 0) if cells else len(header)
        for i, header in enumerate(headers)
    ]
    numeric = [all(isinstance(row[i], (int, float)) or row[i] is None for row in rows) for i in range(len(headers))]

    def line(parts: Sequence[str]) -> str:
        return "  ".join(
            p.rjust(w) if n else p.ljust(w) for p, w, n in zip(parts, widths, numeric, strict=True)
        ).rstrip()

    print(bold(line(headers)))
    print(line([("─" if is_terminal() else "-") * width for width in widths]))
    for place, row in enumerate(cells):
        text = line(row)
        print(red(text) if place < len(marked) and marked[place] else text)


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, int):
        return f"{value:,}"
    return str(value)


def print_statements(entries: Sequence[TraceEntry]) -> None:
    """Every statement as it was sent, ready to be read or replayed."""
    for entry in entries:
        print(f"-- {entry.label} ({entry.seconds * 1000:.1f} ms)\n{entry.sql};\n")


@contextmanager
def profiled(observer: Observer, place: Path | None) -> Iterator[None]:
    """Write where the time went when a plan or a run ends, however it ends."""
    if place is None:
        yield
        return
    from kanon_sql.errors import JobError
    from kanon_sql.flows.profile import Profile
    from kanon_sql.pages.written_file import check_place

    check_place(place)  # said before anything is published
    profile = Profile()
    profile.listen(observer)
    try:
        yield
    finally:
        try:
            profile.write(place)
        except JobError as wrong:  # the release stands, whether or not there is room for this
            observer.note(f"{wrong.message}; {wrong.hint}")


@contextmanager
def observed(
    quiet: bool = False, debug: bool = False, log_format: LogStyle = LogStyle.text, *, sql: bool = False
) -> Iterator[Observer]:
    """An observer that shows progress on a terminal's standard error, steps when not a terminal, statements with --debug.

    With --sql, all that was sent is printed once nothing more is.
    """
    from kanon_sql.observer import Observer

    observer = Observer()
    if log_format is LogStyle.json:
        _log_json(observer, debug)
        yield observer
        return
    terminal = is_terminal(sys.stderr) and not quiet
    progress = Progress(sys.stderr)

    def step(name: str) -> None:
        stops.step = name
        if terminal:
            progress.step(name)
        elif not quiet:
            sys.stderr.write(f"kanon: {name}\n")
            sys.stderr.flush()

    def statement(entry: TraceEntry) -> None:
        sys.stderr.write(f"[{entry.seconds * 1000:8.1f} ms] {entry.label}\n{entry.sql}\n")

    def note(text: str) -> None:
        sys.stderr.write(("\r\x1b[2K" if terminal else "") + f"kanon: {text}\n")
        sys.stderr.flush()

    observer.step, observer.note = step, note
    if terminal:
        observer.checks, observer.expect, observer.search = progress.checks, progress.expect, progress.search
        observer.rounds = progress.rounds
    if debug:
        observer.statement = statement
    try:
        yield observer
    finally:
        if terminal:
            progress.clear()
    if sql:
        print_statements(observer.statements)


def _log_json(observer: Observer, debug: bool) -> None:
    """One JSON object per line: every step and note, and with --debug every statement, each with the run and the step."""
    state = {"step": ""}

    def write(level: str, message: str, **values: object) -> None:
        line = log_line(level, run=observer.run, step=state["step"], message=message, **values)
        sys.stderr.write(line + "\n")
        sys.stderr.flush()

    def step(name: str) -> None:
        stops.step = state["step"] = name
        write("info", name, seconds=round(time.perf_counter() - observer.started, 3))

    def statement(entry: TraceEntry) -> None:
        write("debug", entry.label, seconds=round(entry.seconds, 6), sql=entry.sql)

    observer.step = step
    observer.note = lambda text: write("warning", text)
    if debug:
        observer.statement = statement
