"""kanon history."""

from __future__ import annotations

from typing import Annotated

import typer

from kanon_sql.cli.output import Debug, Json, Set, observed, print_json, print_table
from kanon_sql.cli.registered import JobArgument, Schema, Url, named_register
from kanon_sql.release.entries import ReleaseEntry, RunEntry


def history(
    job: JobArgument = None,
    url: Url = None,
    schema: Schema = "kanon",
    limit: Annotated[int, typer.Option("--limit", min=1, help="How many runs.")] = 50,
    set_: Set = [],  # noqa: B006
    json: Json = False,
    debug: Debug = False,
) -> None:
    """List runs and releases, newest first: of a job, or of every job in a database (--url)."""
    from kanon_sql.flows import history as flow

    loaded, url = named_register(job, url, set_)
    with observed(quiet=True, debug=debug) as observer:
        found = flow.history(loaded, observer, limit=limit, url=url, schema=schema)
    if json:
        print_json(found.to_dict())
        return
    if not found.runs:
        print("no runs are registered" + (f" for {loaded.name}" if loaded is not None else ""))
        return
    print_table(
        ["run", "job", "started (UTC)", "seconds", "status", "algorithm", "k", "rows", "version", "state"],
        [_row(each.run, each.release) for each in found.runs],
    )
    if found.held:
        print(f"{found.held}; `kanon rollback JOB --release` lifts it")


def _row(run: RunEntry, release: ReleaseEntry | None) -> list[object]:
    figures = run.figures or {}
    return [
        run.id,
        run.job,
        f"{run.started:%Y-%m-%d %H:%M:%S}",
        None if run.seconds is None else round(run.seconds, 1),
        run.status,
        run.algorithm,
        figures.get("k"),
        release.rows if release else None,
        release.version if release else None,
        release.state if release else None,
    ]
