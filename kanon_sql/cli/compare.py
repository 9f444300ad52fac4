"""kanon compare."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

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
from kanon_sql.cli.terminal import is_terminal, sparkline

if TYPE_CHECKING:
    from kanon_sql.evaluate.compare import Comparison

DRAWN = ("rv_by_rows", "ncp", "discernibility", "count_error")


def compare(
    job: JobFile,
    algorithms: Annotated[
        str, typer.Option("--algorithms", metavar="A,B,C", help="Searches and local recodings by name.")
    ] = "best-first,global,samarati,datafly",
    k: Annotated[str, typer.Option("--k", metavar="K,K,K", help="The ks to ask for; the job's if absent.")] = "",
    page: Annotated[
        Path | None, typer.Option("--page", metavar="FILE", help="Write one HTML page (needs the extra `report`).")
    ] = None,
    queries: Annotated[
        int, typer.Option("--queries", min=0, help="COUNT and SUM queries asked of every release; 0 asks none.")
    ] = 200,
    set_: Set = [],  # noqa: B006
    json: Json = False,
    sql: Sql = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """Plan with several algorithms, and at several ks: utility, loss, time and checks side by side, and who wins what."""
    from kanon_sql.config.load import load_job
    from kanon_sql.evaluate.compare import algorithms_of
    from kanon_sql.flows import compare as flow
    from kanon_sql.model.algorithms import algorithm_names

    names = algorithms_of(algorithms, algorithm_names())
    loaded = load_job(job, set_)
    try:
        ks = sorted({int(each) for each in k.split(",") if each.strip()}) or [loaded.privacy.k]
    except ValueError:
        raise typer.BadParameter(f"--k {k}: write whole numbers with commas between them") from None
    if min(ks) < 1:
        raise typer.BadParameter("--k: a k is at least 1")
    with observed(quiet or json, debug, sql=sql) as observer:
        result = flow.compare(loaded, names, ks, observer, queries=queries)
    if page is not None:
        from kanon_sql.pages.comparison_page import write_comparison

        write_comparison(
            result, page, title=f"Comparison of {loaded.name}", job=loaded.path.name if loaded.path else ""
        )
    if json:
        print_json(result.to_dict())
        return
    show_comparison(result)
    if page is not None:
        print(f"\npage: {page}")


def show_comparison(result: Comparison) -> None:
    """A comparison for people; a star marks the best at each k."""
    headers = ["k", "algorithm", "proven", "smallest class", "classes", *result.measures]
    rows: list[list[object]] = []
    for row in result.rows:
        if row.plan is None:
            rows.append([row.asked_k, row.algorithm, None, None, None, *([None] * len(result.measures))])
            continue
        figures = [_starred(result, row.asked_k, row.algorithm, name, row.value(name)) for name in result.measures]
        rows.append([row.asked_k, row.algorithm, row.plan.exact, row.plan.k, row.plan.classes, *figures])
    print_table(headers, rows)
    for row in result.rows:
        if row.plan is None:
            print(f"{row.algorithm}, k = {row.asked_k}: {row.failure}")
    print("\n* best at this k")
    if is_terminal() and len(result.ks) > 1:
        print(f"\nagainst k = {', '.join(map(str, result.ks))}")
        print_table(
            ["algorithm", *DRAWN],
            [[name, *_drawn(result, name)] for name in dict.fromkeys(row.algorithm for row in result.rows)],
        )


def _drawn(result: Comparison, algorithm: str) -> list[str]:
    rows = [row for row in result.rows if row.algorithm == algorithm]
    return [sparkline([value for row in rows if (value := row.value(measure)) is not None]) for measure in DRAWN]


def _starred(result: Comparison, k: int, algorithm: str, measure: str, value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:.6g}" + ("*" if algorithm in result.winners(k, measure) else "")
