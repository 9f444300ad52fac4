"""kanon run."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kanon_sql.cli.output import (
    Debug,
    JobFile,
    Json,
    LogFormat,
    LogStyle,
    ProfileFile,
    Quiet,
    Set,
    Sql,
    observed,
    print_json,
    print_statements,
    profiled,
)
from kanon_sql.cli.plan import show_plan
from kanon_sql.cli.terminal import wrapped
from kanon_sql.errors import ExitCode, JobError, KanonError

if TYPE_CHECKING:
    from kanon_sql.config.schema import Job
    from kanon_sql.observer import Observer
    from kanon_sql.results import RunResult

Accept = Annotated[
    str | None,
    typer.Option(
        "--accept-composition",
        metavar="REASON",
        help="Publish although earlier releases together with this one single people out; who and why is registered.",
    ),
]

Rebase = Annotated[
    str | None,
    typer.Option(
        "--rebase",
        metavar="REASON",
        help="Begin anew: forget who was in all earlier releases of these people; who and why is registered.",
    ),
]


def run(
    job: JobFile,
    at_k: Annotated[
        int | None,
        typer.Option(
            "--at-k", metavar="K", help="Publish the cheapest point of the newest kept frontier with at least this k."
        ),
    ] = None,
    accept_composition: Accept = None,
    rebase: Rebase = None,
    take_over: Annotated[
        bool, typer.Option("--take-over", help="Publish a target that another job has published so far.")
    ] = False,
    results: Annotated[
        Path | None, typer.Option("--results", metavar="PATH", help="Write run_results.json here, however it ends.")
    ] = None,
    metrics: Annotated[
        Path | None,
        typer.Option("--metrics", metavar="PATH", help="Write metrics for Prometheus here, however it ends."),
    ] = None,
    profile: ProfileFile = None,
    log_format: LogFormat = LogStyle.text,
    report: Annotated[
        Path | None,
        typer.Option(
            "--report", metavar="FILE", help="Write the run's report, one HTML file (needs the extra `report`)."
        ),
    ] = None,
    set_: Set = [],  # noqa: B006
    json: Json = False,
    sql: Sql = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """Plan, stage, verify, publish, register: the nightly job."""
    from kanon_sql.config.load import load_job
    from kanon_sql.flows import run as flow
    from kanon_sql.pages.written_file import check_place

    for place in (results, metrics, report):  # said before anything is published
        if place is not None:
            check_place(place)
    if report is not None:
        from kanon_sql.pages.page import needed

        for module in ("altair", "vl_convert"):
            needed(module)
    loaded = load_job(job, set_)
    with (
        observed(quiet or json, debug, log_format) as observer,
        profiled(observer, profile),
        recorded(loaded, observer, results, metrics) as record,
    ):
        result = flow.run(
            loaded, observer, at_k=at_k, accept_composition=accept_composition, rebase=rebase, take_over=take_over
        )
        record(result)
        ran = list(observer.statements)
        if report is not None:
            from kanon_sql.flows.report import report as write_report

            # A night on which nothing changed published nothing of its own: the page is that of the release readers see.
            write_report(loaded, None if result.unchanged else result.run, report, observer, statements=ran)
    if sql:
        print_statements(ran)
    if json:
        print_json(result.to_dict())
    else:
        show_run(result)
        if report is not None:
            print(f"report: {report}")


@contextmanager
def recorded(
    job: Job, observer: Observer, results: Path | None, metrics: Path | None
) -> Iterator[Callable[[RunResult], None]]:
    """Write the run's files when it ends, however it ends."""
    from kanon_sql.pages.run_files import RunOutcome, write_metrics, write_results

    done: list[RunResult] = []
    started = time.time()
    error: dict[str, Any] | None = None
    code = int(ExitCode.DONE)
    try:
        yield done.append
    except KanonError as wrong:
        error, code = wrong.to_dict(), int(wrong.exit_code)
        raise
    except KeyboardInterrupt as stop:
        code = int(ExitCode.INTERRUPTED)
        error = {"type": "Interrupted", "message": str(stop) or "interrupted", "hint": "", "exit_code": code}
        raise
    except Exception as wrong:
        code = int(ExitCode.INTERNAL)
        error = {"type": type(wrong).__name__, "message": "internal error", "hint": "", "exit_code": code}
        raise
    finally:
        result = done[0].to_dict() if done else None
        outcome = RunOutcome(job.name, observer.run, started, time.time(), code, result, error)
        # The exit code tells of the run: a file that cannot be written for lack of space denies no release.
        for write, place in ((write_results, results), (write_metrics, metrics)):
            if place is not None:
                try:
                    write(place, outcome)
                except JobError as wrong:
                    observer.note(f"{wrong.message}; {wrong.hint}")


def show_run(result: RunResult) -> None:
    """A run for people."""
    if result.held:
        print(f"nothing was published: {result.held}")
        print(f"{result.release} stays at version {result.version}; `kanon rollback JOB --release` lifts it")
        return
    show_plan(result.plan)
    verified = result.verified
    print(
        f"\nverified by an independent GROUP BY: k = {verified['k']}, {verified['classes']:,} classes, {verified['rows']:,} rows"
    )
    for model in verified.get("models", []):
        print(f"verified {model['label']}: worst class {model['worst']:.6g}")
    for guard in result.guards:
        print(wrapped(f"guard {guard['guard']}: {guard['status']}: {guard['message']}"))
    if result.composition:
        print(wrapped(f"{result.composition['message']} ({result.composition['status']})"))
    if result.unchanged:
        print(f"unchanged: {result.release} stays at version {result.version} (run {result.run})")
    else:
        print(f"published {result.release} version {result.version} (run {result.run})")
