"""The command that publishes: run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kanon_sql.cli.measure import show_plan
from kanon_sql.cli.output import Debug, JobFile, Json, Quiet, Set, Sql, observed, print_json, print_statements
from kanon_sql.errors import NoSolution
from kanon_sql.results import RunResult


def register(app: typer.Typer) -> None:
    app.command()(run)


def run(
    job: JobFile,
    at_k: Annotated[
        int | None,
        typer.Option(
            "--at-k", metavar="K", help="Publish the cheapest point of the newest kept frontier with at least this k."
        ),
    ] = None,
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
    from kanon_sql import pipeline
    from kanon_sql.config.load import load_job

    if report is not None:
        from kanon_sql.report.page import needed

        for module in ("altair", "vl_convert"):  # said before anything is published
            needed(module)
    with observed(quiet or json, debug) as observer:
        loaded = load_job(job, set_)
        if at_k is not None:
            from kanon_sql.frontier_path import job_at, kept_frontier

            _, frontier = kept_frontier(loaded)
            point = frontier.at_k(at_k)
            if point is None:
                raise NoSolution(
                    f"--at-k {at_k}: no node of the kept frontier reaches it",
                    "`kanon pareto JOB` shows what is reached",
                )
            loaded, node = job_at(loaded, frontier, point, at_k)
            result = pipeline.run(loaded, observer, at=node)
        else:
            result = pipeline.run(loaded, observer)
        ran = list(observer.statements)
        if report is not None:
            from kanon_sql import report_path

            report_path.report(loaded, result.run, report, observer, statements=ran)
    if sql:
        print_statements(ran)
    if json:
        print_json(result.to_json())
    else:
        show_run(result)
        if report is not None:
            print(f"report: {report}")


def show_run(result: RunResult) -> None:
    """A run for people."""
    show_plan(result.plan)
    verified = result.verified
    print(
        f"\nverified by an independent GROUP BY: k = {verified['k']}, {verified['classes']:,} classes, {verified['rows']:,} rows"
    )
    for model in verified.get("models", []):
        print(f"verified {model['label']}: worst class {model['worst']:.6g}")
    for guard in result.guards:
        print(f"guard {guard['guard']}: {guard['status']}: {guard['message']}")
    print(f"published {result.release} version {result.version} (run {result.run})")
