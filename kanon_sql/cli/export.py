"""kanon export."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kanon_sql.cli.output import Debug, JobFile, Json, Quiet, Set, observed, print_json


def export(
    job: JobFile,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="A .parquet or .csv file.")],
    force: Annotated[bool, typer.Option("--force", help="Overwrite the files.")] = False,
    set_: Set = [],  # noqa: B006
    quiet: Quiet = False,
    json: Json = False,
    debug: Debug = False,
) -> None:
    """Write the current release to a Parquet or CSV file, with a codebook beside it; it is verified again first."""
    from kanon_sql.config.load import load_job
    from kanon_sql.flows import export as flow

    with observed(quiet or json, debug) as observer:
        done = flow.export(load_job(job, set_), out, observer, force=force)
    if json:
        print_json(done.to_dict())
        return
    print(f"wrote {done.file}: version {done.version} of {done.release}, {done.rows:,} rows, k = {done.k}")
    print(f"wrote {done.codebook}: columns, labels, what a label stands for, how many rows")
