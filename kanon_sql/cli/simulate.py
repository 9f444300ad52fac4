"""kanon simulate."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kanon_sql.cli.output import Debug, Json, Quiet, Set, Sql, observed, print_json, print_table


def simulate(
    job: Annotated[
        Path | None, typer.Argument(metavar="[JOB]", help="Start from the real value frequencies of this job's table.")
    ] = None,
    attributes: Annotated[int | None, typer.Option("--attributes", min=1, max=30, help="Random attributes.")] = None,
    rows: Annotated[int | None, typer.Option("--rows", min=1, help="Rows of each random table.")] = None,
    k: Annotated[int, typer.Option("--k", min=2, help="The k of the random tables.")] = 5,
    values: Annotated[int, typer.Option("--values", min=2, help="Equally likely values of each attribute.")] = 2,
    repetitions: Annotated[int, typer.Option("--repetitions", min=1, help="Random tables.")] = 200,
    level: Annotated[int, typer.Option("--level", min=0, help="With JOB: the level to look at; 0 is the value.")] = 0,
    nights: Annotated[
        int | None,
        typer.Option("--nights", min=1, help="With JOB: what its kept groups publish and lose over so many nights."),
    ] = None,
    churn: Annotated[
        str,
        typer.Option(
            "--churn", help="With --nights: the share of people who leave each night, as many join: 0.5% or 0.005."
        ),
    ] = "0.5%",
    whole: Annotated[
        bool, typer.Option("--whole", help="All repetitions of table 12, 400 million rows in its last line alone.")
    ] = False,
    seed: Annotated[int, typer.Option("--seed", help="The same seed makes the same tables on every engine.")] = 1,
    url: Annotated[str, typer.Option("--url", help="The engine that makes the tables.")] = "duckdb:///:memory:",
    set_: Set = [],  # noqa: B006
    json: Json = False,
    sql: Sql = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """Can data of this shape be k-anonymous at all? Without arguments: the shapes of the thesis's table 12."""
    if nights is not None:
        if job is None:
            raise typer.BadParameter("--nights needs a JOB")
        _nights(job, nights, _share(churn), seed, set_, json, sql, quiet, debug)
        return
    if job is not None:
        _from_table(job, level, set_, json, sql, quiet, debug)
        return
    from kanon_sql.evaluate.simulate import TABLE_12, Shape
    from kanon_sql.flows import simulate as flow

    if (attributes is None) != (rows is None):
        raise typer.BadParameter("--attributes and --rows go together")
    shapes = TABLE_12 if attributes is None or rows is None else (Shape(attributes, k, rows, repetitions, values),)
    most = flow.MOST_ROWS if attributes is None and not whole else None
    with observed(quiet or json, debug, sql=sql) as observer:
        simulated = flow.simulate_shapes(shapes, observer, seed=seed, url=url, most_rows=most)
    if json:
        print_json(simulated.to_dict())
        return
    printed = attributes is None
    print_table(
        ["attributes", "k", "rows", "tables", "k-anonymous", "estimate", *(["thesis", "agrees"] if printed else []), "rows for 95%"],
        [
            [
                r.shape.attributes,
                r.shape.k,
                r.shape.rows,
                r.repetitions,
                f"{r.rate:.1%}",
                f"{r.estimate:.1%}",
                *([f"{r.shape.printed:.0%}", r.agrees] if printed and r.shape.printed is not None else []),
                r.needed,
            ]
            for r in simulated.rows
        ],
    )  # fmt: skip
    seconds = sum(result.seconds for result in simulated.rows)
    print(
        f"\n{sum(r.repetitions for r in simulated.rows):,} random tables, {seconds:.1f} s; the estimate is a closed form"
    )


def _from_table(job: Path, level: int, overrides: list[str], json: bool, sql: bool, quiet: bool, debug: bool) -> None:
    from kanon_sql.config.load import load_job
    from kanon_sql.flows import simulate as flow

    with observed(quiet or json, debug, sql=sql) as observer:
        result = flow.simulate(load_job(job, overrides), observer, level)
    if json:
        print_json(result.to_dict())
        return
    print(
        f"{result.rows:,} rows, k = {result.k}, up to {result.budget:,} rows may be suppressed; "
        "attributes in the order that hurts least\n"
    )
    print_table(
        ["", "attribute", "level", "values", "combinations", "chance", "rows below k: expected", "real", "rows for 95%", "can be published"],
        [
            [
                place + 1,
                step.attribute,
                step.level,
                step.values,
                f"{step.combinations:.3g}",
                f"{step.chance:.1%}",
                round(step.expected_below_k),
                step.actual_below_k,
                step.needed,
                step.publishable,
            ]
            for place, step in enumerate(result.steps)
        ],
    )  # fmt: skip
    print(
        f"\n{result.publishable} of {len(result.steps)} attributes can be published together at this level; "
        f"their frequencies alone, if independent, would promise {result.promised}"
    )


def _share(text: str) -> float:
    """A share as people write it: 0.5% or 0.005."""
    try:
        share = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        share = -1.0
    if not 0 <= share < 1:
        raise typer.BadParameter(f"--churn {text}: a share of the people, as 0.5% or 0.005")
    return share


def _nights(
    job: Path,
    nights: int,
    churn: float,
    seed: int,
    overrides: list[str],
    json: bool,
    sql: bool,
    quiet: bool,
    debug: bool,
) -> None:
    from kanon_sql.config.load import load_job
    from kanon_sql.flows.simulate_nights import simulate_nights

    with observed(quiet or json, debug, sql=sql) as observer:
        told = simulate_nights(load_job(job, overrides), nights, churn, observer, seed=seed)
    if json:
        print_json(told.to_dict())
        return
    print(f"k = {told.k}, margin {told.margin}; {churn:.2%} of the people leave each night, and as many join")
    if told.why is not None:
        print(told.why)
    print()
    print_table(
        ["night", "rows", "published", "joined", "founded", "waiting", "retired", "loss"],
        [
            [n.night, n.rows, f"{n.share:.2%}", n.joined, n.founded, n.waiting, n.retired, round(n.loss, 4)]
            for n in told.nights
        ],
    )
    last = told.nights[-1]
    times = f", {last.loss / told.fresh_loss:.2f} times as much" if told.fresh_loss else ""
    print(
        f"\non the last night {last.share:.2%} are published, {last.waiting:,} rows wait and {last.retired:,} are retired; "
        f"a published row loses {last.loss:.4f}, after a fresh search at k {told.fresh_loss:.4f}{times}"
    )
