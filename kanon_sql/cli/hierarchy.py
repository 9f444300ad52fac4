"""kanon hierarchy."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kanon_sql.cli.output import Debug, JobFile, Json, Quiet, Set, observed, print_json


def hierarchy(
    job: JobFile,
    column: Annotated[str, typer.Argument(metavar="COLUMN", help="A column of the job.")],
    kind: Annotated[
        str | None,
        typer.Option(
            "--kind",
            help="widths, quantiles, dates, prefix, icd10, atc, taxonomy or skeleton; default: what type and values suggest.",
        ),
    ] = None,
    taxonomy: Annotated[
        str | None, typer.Option("--taxonomy", metavar="TABLE", help="A tree kept as a table: schema.table.")
    ] = None,
    value: Annotated[str, typer.Option("--value", help="The taxonomy's column of entries.")] = "code",
    parent: Annotated[str, typer.Option("--parent", help="The taxonomy's column of parents.")] = "parent",
    label: Annotated[str | None, typer.Option("--label", help="The taxonomy's column of labels, if any.")] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write the hierarchy file here; - is standard output."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file.")] = False,
    set_: Set = [],  # noqa: B006
    quiet: Quiet = False,
    json: Json = False,
    debug: Debug = False,
) -> None:
    """Propose the levels of a column and write its hierarchy file; say what its present ones do not nest or cover."""
    from kanon_sql.config.load import load_job
    from kanon_sql.flows import hierarchy as flow

    tree = flow.Taxonomy(taxonomy, value, parent, label) if taxonomy is not None else None
    to_output = output is not None and str(output) == "-"
    with observed(quiet, debug) as observer:
        found = flow.hierarchy(
            load_job(job, set_),
            column,
            kind,
            observer,
            taxonomy=tree,
            output=None if to_output else output,
            overwrite=force,
        )
    if to_output and found.proposal.needs_file:
        print(found.proposal.text(), end="")
        return
    if json:
        print_json(found.to_dict())
        return
    print(f"{column}: {found.proposal.why} ({found.proposal.kind})")
    if found.example:
        print(f"  for example {' → '.join(found.example)} → *")
    for finding in found.findings:
        print(f"  {finding}")
    if found.written is not None:
        print(f"wrote {found.written}: {len(found.proposal.rows):,} values")
    elif found.proposal.needs_file:
        print(f"{len(found.proposal.rows):,} values; write them with --output hierarchies/{column}.csv")
    if found.rare:
        print(f"  {found.rare:,} of them are shared by fewer than k rows: keep the file where the table is kept")
    print(f"in the job file, under columns.{column}:")
    print("    role: quasi")
    print(f"    {found.entry}")
