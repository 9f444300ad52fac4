"""The first thing a newcomer types: demo."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kanon_sql.cli.output import Debug, Json, Quiet, observed, print_json

if TYPE_CHECKING:
    from kanon_sql.config.schema import Job
    from kanon_sql.observer import Observer


def register(app: typer.Typer) -> None:
    app.command()(demo)


def demo(
    directory: Annotated[Path, typer.Argument(metavar="[DIR]", help="Where to put it; made if need be.")] = Path(
        "demo"
    ),
    rows: Annotated[int, typer.Option("--rows", min=100, help="Rows of the synthetic census.")] = 50_000,
    seed: Annotated[int, typer.Option("--seed", help="The same seed makes the same census.")] = 1,
    json: Json = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """Make a small synthetic census, write its job file, run it, verify it, report it: nothing is downloaded."""
    from kanon_sql import pipeline
    from kanon_sql.cli.publish import show_run
    from kanon_sql.config.load import load_job
    from kanon_sql.demo.make import make_demo

    job_file = make_demo(directory, rows, seed)
    with observed(quiet or json, debug) as observer:
        job = load_job(job_file)
        result = pipeline.run(job, observer)
        page = _report(job, result.run, directory / "report.html", observer)
    if json:
        print_json(result.to_json() | {"job": str(job_file), "report": None if page is None else str(page)})
        return
    print(f"a census of {rows:,} people is in {directory / 'census.duckdb'}, its job file is {job_file}\n")
    show_run(result)
    print(f"report: {page}" if page is not None else "no report: pip install 'kanon_sql[report]' draws it")
    print(
        f"\nnext: kanon plan {job_file} --sql; kanon check {job_file} --table release.people; kanon history {job_file}"
    )


def _report(job: Job, run: str, page: Path, observer: Observer) -> Path | None:
    """The run's report, where what draws it is installed; without the frontier, which takes longer than all the rest."""
    from importlib.util import find_spec

    from kanon_sql import report_path

    if find_spec("altair") is None or find_spec("vl_convert") is None:
        return None
    report_path.report(job, run, page, observer, statements=list(observer.statements), with_frontier=False)
    return page
