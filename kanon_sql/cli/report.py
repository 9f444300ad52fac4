"""kanon report."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kanon_sql.cli.output import Debug, Json, Quiet, Set, observed, print_json


def report(
    run: Annotated[
        str | None,
        typer.Argument(metavar="[RUN]", help="The run's id, or its beginning; default: the current release's."),
    ] = None,
    job: Annotated[
        Path | None, typer.Argument(metavar="[JOB]", help="The job file; default: the one in this folder.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="The page to write; default: RUN.html.")
    ] = None,
    frontier: Annotated[
        bool, typer.Option("--frontier/--no-frontier", help="Show the frontier; it is found now if none was kept.")
    ] = True,
    set_: Set = [],  # noqa: B006
    json: Json = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """Write one HTML file about a run: what was published and why, guarantees, loss, frontier, risk; it needs no network."""
    from kanon_sql.cli.registered import only_job
    from kanon_sql.config.load import load_job
    from kanon_sql.flows import report as flow
    from kanon_sql.pages.written_file import check_place

    if job is None and run is not None and Path(run).suffix in (".yml", ".yaml"):
        job, run = Path(run), None
    file = job or only_job()
    with observed(quiet or json, debug) as observer:
        loaded = load_job(file, set_)
        target = output or Path(f"{run or loaded.name}.html".replace("/", "_"))
        check_place(target)
        written = flow.report(loaded, run, target, observer, with_frontier=frontier)
    if json:
        print_json(written.to_dict())
        return
    print(f"wrote {target}: {written.release['view']} version {written.release['version']}, run {written.run['run']}")
