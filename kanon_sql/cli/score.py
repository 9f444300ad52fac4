"""kanon score."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from kanon_sql.cli.output import (
    Debug,
    JobFile,
    Json,
    Set,
    Sql,
    figure,
    observed,
    print_json,
    print_table,
)

if TYPE_CHECKING:
    from kanon_sql.evaluate.score import Score


def score(
    job: JobFile,
    release: Annotated[
        str | None, typer.Option("--release", metavar="TABLE", help="The release, if not the job's publish.table.")
    ] = None,
    set_: Set = [],  # noqa: B006
    json: Json = False,
    sql: Sql = False,
    debug: Debug = False,
) -> None:
    """Every measure of a published release, global or local, against its source."""
    from kanon_sql.config.load import load_job
    from kanon_sql.flows import score as flow

    with observed(quiet=True, debug=debug, sql=sql) as observer:
        result = flow.score(load_job(job, set_), release, observer)
    if json:
        print_json(result.to_dict())
    else:
        show_score(result)


def show_score(result: Score) -> None:
    """A score for people."""
    print(f"a {result.recoding} recoding")
    for name, value in result.measures.items():
        print(f"{name} = {figure(value)}")
    print()
    columns = list(next(iter(result.attributes.values())))
    print_table(
        ["column", *columns],
        [[name, *(figures.get(column, "") for column in columns)] for name, figures in result.attributes.items()],
    )
    print("\nclasses by size")
    print_table(["rows", "classes"], [[size, count] for size, count in result.class_sizes.items()])
    if result.rules:
        print("\nrules")
        print_table(
            ["column", "rule", "importance", "holds"],
            [[r["column"], r["rule"], r["importance"], r["holds"]] for r in result.rules],
        )
    for note in result.notes:
        print(f"note: {note}")
