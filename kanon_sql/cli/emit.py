"""kanon emit."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from kanon_sql.cli.output import Debug, JobFile, Json, Quiet, Set, observed, print_json


def emit(
    job: JobFile,
    format: Annotated[str, typer.Option("--format", help="sql, or dbt: a model with its tests.")] = "sql",
    dialect: Annotated[
        str | None,
        typer.Option(
            "--dialect",
            help="snowflake, bigquery, redshift, tsql or databricks: translated, never run. Default: the engine's own.",
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="PATH", help="A file, or with dbt the project's folder.")
    ] = None,
    set_: Set = [],  # noqa: B006
    quiet: Quiet = False,
    json: Json = False,
    debug: Debug = False,
) -> None:
    """Print the chosen recoding as one standalone SQL statement, or write it as a dbt model with its tests."""
    from kanon_sql.config.load import load_job
    from kanon_sql.flows import emit as flow

    with observed(quiet, debug) as observer:
        emitted = flow.emit(load_job(job, set_), observer, dialect=dialect, format=format)
    written = emitted.write(out) if out is not None else []
    if json:
        print_json(emitted.to_dict() | {"written": [str(path) for path in written]})
        return
    if not quiet:
        print(f"kanon: the recoding of {emitted.origin}", file=sys.stderr)
    for path in written:
        print(f"wrote {path}")
    if written:
        return
    if emitted.files:
        for name, text in emitted.files.items():
            print(f"-- {name}\n{text}")
        return
    print(f"{emitted.sql};")
