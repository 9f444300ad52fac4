"""kanon init."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from kanon_sql.cli.output import Debug, Json, print_json
from kanon_sql.model.counted import counted


def init(
    url: Annotated[str | None, typer.Option("--url", help="duckdb:///file.duckdb or postgresql+psycopg://…")] = None,
    table: Annotated[str | None, typer.Option("--table", help="table or schema.table; a view will do.")] = None,
    file: Annotated[Path | None, typer.Option("--file", help="A CSV or Parquet file instead of a table.")] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="JOB", help="The job file to write; - is standard output.")
    ] = None,
    k: Annotated[int, typer.Option("--k", min=2, help="The k to write, and the least rows a value listed has.")] = 5,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the job file.")] = False,
    json: Json = False,
    debug: Debug = False,
) -> None:
    """Read a table and write a commented job file: roles guessed, levels proposed, every guess marked."""
    from kanon_sql.flows import init as flow

    if table is None and file is None:
        raise typer.BadParameter("name --url and --table, or --file")
    to_output = output is not None and str(output) == "-"
    target = None if to_output else output
    drafted = flow.init(url=url, table=table, file=file, output=target, k=k, force=force, write=not to_output)
    if to_output:
        sys.stdout.write(drafted.text)
        return
    if json:
        print_json(drafted.to_dict())
        return
    roles = ", ".join(f"{count} {role}" for role, count in drafted.roles.items() if count)
    print(f"wrote {drafted.file}: {counted(len(drafted.draft.columns), 'column')}, of which {roles}")
    singling = drafted.draft.singling_out
    if singling is not None and singling.alone:
        print(f"of the columns taken for quasi-identifiers, {singling.sentence()}")
    print(
        f"every guess is marked there: read it, correct it, then: kanon doctor {drafted.file}; kanon plan {drafted.file}"
    )
