"""The first thing a newcomer types: demo."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kanon_sql.cli.output import Debug, Json, Quiet, observed, print_json


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
    """Make a small synthetic census, write its job file, run it, verify it: nothing is downloaded."""
    from kanon_sql import pipeline
    from kanon_sql.cli.publish import show_run
    from kanon_sql.config.load import load_job
    from kanon_sql.demo.make import make_demo

    job_file = make_demo(directory, rows, seed)
    with observed(quiet or json, debug) as observer:
        result = pipeline.run(load_job(job_file), observer)
    if json:
        print_json(result.to_json() | {"job": str(job_file)})
        return
    print(f"a census of {rows:,} people is in {directory / 'census.duckdb'}, its job file is {job_file}\n")
    show_run(result)
    print(
        f"\nnext: kanon plan {job_file} --sql; kanon check {job_file} --table release.people; kanon history {job_file}"
    )
