"""kanon diff."""

from __future__ import annotations

from typing import Annotated

import typer

from kanon_sql.cli.output import Debug, JobFile, Json, Set, observed, print_json, print_table


def diff(
    job: JobFile,
    a: Annotated[int, typer.Argument(metavar="A", help="A release's version.")],
    b: Annotated[int, typer.Argument(metavar="B", help="Another one's.")],
    set_: Set = [],  # noqa: B006
    json: Json = False,
    debug: Debug = False,
) -> None:
    """Compare two releases: recoding, k, utility, rows."""
    from kanon_sql.config.load import load_job
    from kanon_sql.flows import diff as flow

    with observed(quiet=True, debug=debug) as observer:
        found = flow.diff(load_job(job, set_), a, b, observer)
    if json:
        print_json(found.to_dict())
        return
    print_table(["", f"version {a}", f"version {b}"], found.table())
