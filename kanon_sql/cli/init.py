"""The command that writes a first job file: init."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from kanon_sql.cli.output import Debug, Json, print_json


def register(app: typer.Typer) -> None:
    app.command()(init)


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
    from kanon_sql.config.load import load_job
    from kanon_sql.errors import JobError
    from kanon_sql.onboarding.draft import Request, draft_job
    from kanon_sql.onboarding.job_text import job_text
    from kanon_sql.sql.names import split_name

    if table is None and file is None:
        raise typer.BadParameter("name --url and --table, or --file")
    stem = split_name(table)[-1] if table is not None else Path(str(file)).stem
    target = output or Path(f"{stem}.yml".replace("/", "_"))
    to_output = str(target) == "-"
    if target.exists() and not force and not to_output:
        raise JobError(f"{target} is there already", "--force overwrites it, --output names another file")
    place = Path(f"{stem}.yml".replace("/", "_")) if to_output else target
    draft = draft_job(Request(output=place, url=url, table=table, file=file, k=k))
    text = job_text(draft)
    if to_output:
        sys.stdout.write(text)
        return
    target.write_text(text, encoding="utf-8")
    if "${KANON_URL}" not in text:
        load_job(target)  # what we write, we can read
    if json:
        columns = {c.name: {"role": c.guess.role, "why": c.guess.why, "levels": list(c.levels)} for c in draft.columns}
        singling = draft.singling_out.to_dict() if draft.singling_out is not None else None
        print_json(
            {
                "job": str(target),
                "k": draft.k,
                "nodes": draft.lattice_size,
                "columns": columns,
                "singled_out": singling,
            }
        )
        return
    roles = {
        role: sum(c.guess.role == role for c in draft.columns) for role in ("identifier", "quasi", "sensitive", "drop")
    }
    print(
        f"wrote {target}: {len(draft.columns)} columns, of which {', '.join(f'{n} {role}' for role, n in roles.items() if n)}"
    )
    if draft.singling_out is not None and draft.singling_out.alone:
        print(f"of the columns taken for quasi-identifiers, {draft.singling_out.sentence()}")
    print(f"every guess is marked there: read it, correct it, then: kanon doctor {target}; kanon plan {target}")
