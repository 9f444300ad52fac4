"""kanon workload."""

from __future__ import annotations

from typing import Annotated

import typer

from kanon_sql.cli.output import (
    Debug,
    JobFile,
    Json,
    Quiet,
    Set,
    Sql,
    observed,
    print_json,
    print_table,
)


def workload(
    job: JobFile,
    release: Annotated[
        str | None, typer.Option("--release", metavar="TABLE", help="The release, if not the job's publish.table.")
    ] = None,
    queries: Annotated[int, typer.Option("--queries", min=1, help="COUNT queries, and as many SUM queries.")] = 1000,
    attributes: Annotated[
        int, typer.Option("--attributes", min=0, help="Attributes a query asks about; 0 is all of them.")
    ] = 3,
    sum_column: Annotated[
        str | None, typer.Option("--sum", metavar="COLUMN", help="The numeric quasi-identifier to add up.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="The same seed asks the same queries.")] = 1,
    set_: Set = [],  # noqa: B006
    json: Json = False,
    sql: Sql = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """Random COUNT and SUM queries answered from the release, as if values were uniform within a label, against the truth."""
    from kanon_sql.config.load import load_job
    from kanon_sql.flows import workload as flow

    with observed(quiet or json, debug, sql=sql) as observer:
        result = flow.workload(
            load_job(job, set_),
            release,
            observer,
            queries=queries,
            attributes=attributes or None,
            sum_column=sum_column,
            seed=seed,
        )
    if json:
        print_json(result.to_dict())
        return
    rows = [["COUNT", result.count_mean, result.count_median]]
    if result.summed is not None:
        rows.append([f"SUM({result.summed})", result.sum_mean, result.sum_median])
    print_table(["query", "mean relative error", "median"], rows)
    print(f"\n{result.queries:,} queries; {result.empty:,} have a true answer of 0 and no relative error")
