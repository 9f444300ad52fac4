"""kanon plan."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from kanon_sql.cli.choice import show_alternatives, show_choice
from kanon_sql.cli.output import (
    Debug,
    JobFile,
    Json,
    ProfileFile,
    Quiet,
    Set,
    Sql,
    figure,
    observed,
    print_json,
    print_table,
    profiled,
)
from kanon_sql.cli.terminal import bold, is_terminal, sparkline, wrapped

if TYPE_CHECKING:
    from kanon_sql.results import PlanResult


def plan(
    job: JobFile,
    choose: Annotated[
        int | None, typer.Option("--choose", metavar="N", help="Take the N-th passing node instead of the best.")
    ] = None,
    from_pareto: Annotated[
        str | None, typer.Option("--from-pareto", metavar="RUN", help="Take a point of the frontier that RUN kept.")
    ] = None,
    point: Annotated[int | None, typer.Option("--point", metavar="N", help="Which point, in ascending k.")] = None,
    why: Annotated[
        bool, typer.Option("--why", help="What each quasi-identifier costs, and what giving up a level would bring.")
    ] = False,
    profile: ProfileFile = None,
    set_: Set = [],  # noqa: B006
    json: Json = False,
    sql: Sql = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """Search and publish nothing: what would be released, in words, and what else could be taken."""
    from kanon_sql.config.load import load_job
    from kanon_sql.flows import plan as flow

    with observed(quiet or json, debug, sql=sql) as observer, profiled(observer, profile):
        observer.anytime = True
        result = flow.plan(load_job(job, set_), observer, choose, from_pareto=from_pareto, point=point, why=why)
    if json:
        print_json(result.to_dict())
    else:
        show_plan(result)


def show_risk(risk: dict[str, float | None]) -> None:
    """The risks of linking a record, those that could be measured."""
    if risk:
        names = ("prosecutor", "journalist", "marketer", "journalist_marketer", "unique_share")
        shown = [f"{name} {value:.4g}" for name in names if (value := risk.get(name)) is not None]
        print(
            wrapped(f"risk: {', '.join(shown)}; share of rows above {risk['threshold']:.4g}: {risk['share_above']:.4g}")
        )


RULE_KEYS = ("column", "rule", "importance", "holds", "broken_rows")


def _show_why(costs: list[dict[str, Any]]) -> None:
    """What each quasi-identifier costs, the most expensive first."""
    print("\nwhat each quasi-identifier costs (rows: suppressed rows that change)")
    print_table(
        [
            "column",
            "level",
            "its loss",
            "loss without it",
            "rows it alone makes rare",
            "one level up",
            "one level down",
        ],
        [
            [
                cost["attribute"],
                f"{cost['level']} (*)" if cost["star"] else str(cost["level"]),
                cost["loss"],
                cost["loss_without"],
                cost["rows_alone"],
                _step(cost["give_up"], "costs", "keeps"),
                _step(cost["refine"], "saves", "loses"),
            ]
            for cost in costs
        ],
    )


def _step(step: dict[str, Any] | None, loss: str, rows: str) -> str:
    return "" if step is None else f"{loss} {step[loss]:.4g}, {rows} {step[rows]:,} rows"


def show_plan(result: PlanResult) -> None:
    """A plan for people: the choice in words, its measures, what else could be taken."""
    show_choice(result)
    print("\n" + bold("measures"))
    for name, value in result.utility.items():
        print(f"{name} = {figure(value)}")
    if result.groups is not None:
        sizes = ", ".join(f"{size}: {count:,}" for size, count in result.figures["class_sizes"].items() if count)
        print(f"classes by size: {sizes}")
    if result.why is not None:
        _show_why(result.why)
    if result.rules:
        print("\nrules")
        print_table(
            ["column", "rule", "importance", "holds", "rows that break it"][: 4 if result.groups is None else 5],
            [[r[key] for key in RULE_KEYS if key in r] for r in result.rules],
        )
    show_alternatives(result.alternatives)
    if result.alternatives:
        print()
    show_risk(result.risk)
    if (found := result.figures.get("associations")) is not None:
        print("\nassociations and the weights that follow from them")
        rows = [
            [name, *row, found["weights"][name]] for name, row in zip(found["columns"], found["matrix"], strict=True)
        ]
        print_table(["", *found["columns"], "weight"], rows)
    for note in result.notes:
        print(wrapped(f"note: {note}"))
    if is_terminal() and len(result.tried) > 2:
        print(f"\nloss of the nodes tried  {sparkline([float(node['loss']) for node in result.tried])}")
    work = (
        f"{result.checks:,} checks of {result.nodes:,} nodes" if result.groups is None else f"{result.checks:,} rounds"
    )
    print(f"\n{work}, {result.statements:,} statements, {result.seconds:.2f} s")
