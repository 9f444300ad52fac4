"""Commands that look after releases: janitor, rollback, diff, grants."""

from __future__ import annotations

from typing import Annotated

import typer

from kanon_sql.cli.output import Debug, JobFile, Json, Set, observed, print_json, print_table


def register(app: typer.Typer) -> None:
    app.command()(janitor)
    app.command()(rollback)
    app.command()(diff)
    app.command()(grants)


def janitor(job: JobFile, set_: Set = [], json: Json = False, debug: Debug = False) -> None:  # noqa: B006
    """Remove what killed runs left: work tables, staged tables, runs that never ended. Every run does so by itself."""
    from kanon_sql import operations
    from kanon_sql.config.load import load_job

    with observed(quiet=True, debug=debug) as observer:
        cleaned = operations.janitor(load_job(job, set_), observer)
    if json:
        print_json(cleaned.to_json())
        return
    for what, names in cleaned.to_json().items():
        for name in names:
            print(f"{what.replace('_', ' ')}: {name}")
    print(cleaned)


def rollback(
    job: JobFile,
    to: Annotated[int | None, typer.Option("--to", metavar="VERSION", help="Default: the one before.")] = None,
    set_: Set = [],  # noqa: B006
    json: Json = False,
    debug: Debug = False,
) -> None:
    """Point the view back at an earlier release that is still kept; it is verified again first."""
    from kanon_sql import operations
    from kanon_sql.config.load import load_job

    with observed(quiet=True, debug=debug) as observer:
        done = operations.rollback(load_job(job, set_), to, observer)
    if json:
        print_json(done.to_json())
        return
    print(f"{done.view} is back at version {done.version} (k = {done.k}, {done.rows:,} rows); it was at {done.before}")


def diff(
    job: JobFile,
    a: Annotated[int, typer.Argument(metavar="A", help="A release's version.")],
    b: Annotated[int, typer.Argument(metavar="B", help="Another one's.")],
    set_: Set = [],  # noqa: B006
    json: Json = False,
    debug: Debug = False,
) -> None:
    """Compare two releases: recoding, k, utility, rows."""
    from kanon_sql import operations
    from kanon_sql.config.load import load_job

    with observed(quiet=True, debug=debug) as observer:
        found = operations.diff(load_job(job, set_), a, b, observer)
    if json:
        print_json(found.to_json())
        return
    print_table(["", f"version {a}", f"version {b}"], found.table())


def grants(
    job: JobFile,
    role: Annotated[
        str | None, typer.Option("--role", help="Who runs the job; default: the user in source.url.")
    ] = None,
    reader: Annotated[list[str], typer.Option("--reader", help="A role that may read what is published.")] = [],  # noqa: B006
    set_: Set = [],  # noqa: B006
    json: Json = False,
    debug: Debug = False,
) -> None:
    """Print the exact grants a run needs, as a script for whoever may give them; nothing is connected to."""
    from kanon_sql.config.load import load_job
    from kanon_sql.release.grants import grants_script

    script = grants_script(load_job(job, set_), role, tuple(reader))
    if json:
        print_json({"grants": script})
        return
    for statement in script:
        print(statement if statement.startswith("--") else f"{statement};")
