"""kanon check."""

from __future__ import annotations

from typing import Annotated

import typer

from kanon_sql.cli.output import Debug, JobFile, Json, Set, Sql, observed, print_json
from kanon_sql.cli.plan import show_risk
from kanon_sql.model.counted import counted


def check(
    job: JobFile,
    table: Annotated[str | None, typer.Option("--table", help="Another table or view than the source.")] = None,
    set_: Set = [],  # noqa: B006
    json: Json = False,
    sql: Sql = False,
    debug: Debug = False,
) -> None:
    """Measure a table as it stands; exit 1 if it is below the job's thresholds."""
    from kanon_sql.config.load import load_job
    from kanon_sql.flows import check as flow

    with observed(quiet=True, debug=debug, sql=sql) as observer:
        result = flow.check(load_job(job, set_), table, observer)
    if json:
        print_json(result.to_dict())
    else:
        print(
            f"k = {result.k}, {result.counts} counted, over {counted(result.rows, 'row')} in "
            f"{counted(result.classes, 'class', 'classes')}; the job asks for k = {result.threshold}"
        )
        if result.counts == "rows" and result.person is not None:
            print(
                f"rows, not persons: the table has no column {result.person}, so a person with several rows counts several times"
            )
        print(f"unique rows: {result.unique_rows:,}; rows in classes below k: {result.rows_below_k:,}")
        show_risk(result.risk)
        for column in result.l:
            print(
                f"{column}: {result.l[column]} distinct values at least, t = {result.t[column]:.4g} at most, in a class"
            )
        for model in result.models:
            holds = "holds" if model["passes"] else "does not hold"
            print(f"{model['label']}: {holds} (worst class: {model['worst']:.6g})")
        if result.unexpected:
            print(f"columns that a release of this job does not have: {', '.join(result.unexpected)}")
        print("passes" if result.passes else "does not pass")
    if not result.passes:
        raise typer.Exit(1)
