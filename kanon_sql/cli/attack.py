"""kanon attack."""

from __future__ import annotations

from typing import Annotated

import typer

from kanon_sql.cli.output import Debug, JobFile, Json, Quiet, Set, Sql, observed, print_json


def attack(
    job: JobFile,
    release: Annotated[
        str | None, typer.Option("--release", metavar="TABLE", help="The release; default: the job's publish.table.")
    ] = None,
    set_: Set = [],  # noqa: B006
    json: Json = False,
    sql: Sql = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """Attack a release: link it with the source, and narrow its classes by what the search gives away; exit 1 if a link is too good."""
    from kanon_sql.config.load import load_job
    from kanon_sql.flows import attack as flow

    with observed(quiet or json, debug, sql=sql) as observer:
        result = flow.attack(load_job(job, set_), release, observer)
    if json:
        print_json(result.to_dict())
    else:
        if result.node is not None:
            print("levels found: " + ", ".join(f"{name} {level}" for name, level in result.node.items()))
            print(
                f"linkage: {result.released_rows:,} released rows, {result.rows_below_k:,} with fewer than {result.k} candidates "
                f"in the source; {result.source_rows_linked:,} source rows, {result.source_rows_below_k:,} with fewer than "
                f"{result.k} candidates in the release (fewest: {result.fewest_candidates}); "
                f"{result.source_rows_unlinked:,} source rows are not in it"
            )
            if result.stranger_rows:
                print(f"strangers: {result.stranger_rows:,} released rows fit no row of the source")
        else:
            print(
                f"linkage: the release is recoded locally; {result.rows_below_k:,} of {result.released_rows:,} rows are in classes "
                f"of fewer than {result.k} (smallest: {result.fewest_candidates})"
            )
        print(
            f"minimality: {result.narrowed_rows:,} rows ({result.narrowed_share:.2%}) in {result.narrowed_classes:,} classes are "
            "narrowed by knowing that the search minimises"
        )
        if result.single_value_rows:
            print(f"downcoding: {result.single_value_rows:,} rows have a label that stands for one value of the source")
        for line in result.advice:
            print(f"to lower it: {line}")
        print("holds" if result.passes else "does not hold")
    if not result.passes:
        raise typer.Exit(1)
