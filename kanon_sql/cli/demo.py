"""kanon demo."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kanon_sql.cli.output import Debug, Json, Quiet, observed, print_json


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
    from kanon_sql.cli.run import show_run
    from kanon_sql.flows import demo as flow

    with observed(quiet or json, debug) as observer:
        made = flow.demo(directory, rows, seed, observer)
    if json:
        print_json(made.to_dict())
        return
    print(f"a census of {rows:,} people is in {directory / 'census.duckdb'}, its job file is {made.job_file}\n")
    show_run(made.result)
    print(f"report: {made.page}" if made.page is not None else "no report: pip install 'kanon_sql[report]' draws it")
    print(
        f"\nnext: kanon plan {made.job_file} --sql; kanon check {made.job_file} --table release.people; "
        f"kanon history {made.job_file}"
    )
