"""kanon rollback."""

from __future__ import annotations

from typing import Annotated

import typer

from kanon_sql.cli.output import Debug, JobFile, Json, Set, observed, print_json


def rollback(
    job: JobFile,
    to: Annotated[int | None, typer.Option("--to", metavar="VERSION", help="Default: the one before.")] = None,
    release: Annotated[
        bool, typer.Option("--release", help="Lift the rollback that holds: the next run publishes again.")
    ] = False,
    set_: Set = [],  # noqa: B006
    json: Json = False,
    debug: Debug = False,
) -> None:
    """Point the view back at an earlier release that is still kept; it is verified again first, and holds until --release lifts it."""
    from kanon_sql.config.load import load_job
    from kanon_sql.flows import rollback as flow

    with observed(quiet=True, debug=debug) as observer:
        done = flow.rollback(load_job(job, set_), to, observer, release=release)
    if json:
        print_json(done.to_dict())
        return
    if done.lifted:
        print(f"the rollback is lifted: {done.view} stays at version {done.version} until the next run publishes")
        return
    print(f"{done.view} is back at version {done.version} (k = {done.k}, {done.rows:,} rows); it was at {done.before}")
    print("it holds until `kanon rollback JOB --release` lifts it: runs publish nothing before")
