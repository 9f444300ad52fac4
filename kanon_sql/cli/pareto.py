"""kanon pareto."""

from __future__ import annotations

import sys
from pathlib import Path
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
from kanon_sql.model.counted import counted


def pareto(
    job: JobFile,
    algorithm: Annotated[
        str, typer.Option("--algorithm", help="pareto (exact, by bounds) or poka (as published).")
    ] = "pareto",
    depth: Annotated[
        int | None, typer.Option("--depth", min=1, help="poka's depth; the paper's default if absent.")
    ] = None,
    l_column: Annotated[
        str | None,
        typer.Option("--l", metavar="COLUMN", help="A sensitive column whose distinct l is a second dimension."),
    ] = None,
    picture: Annotated[
        Path | None,
        typer.Option(
            "--picture", metavar="FILE", help="Write a picture: .svg, .png or .html (needs the extra `report`)."
        ),
    ] = None,
    with_run: Annotated[
        str | None, typer.Option("--with", metavar="RUN", help="Compare with the frontier an earlier run kept.")
    ] = None,
    keep: Annotated[bool, typer.Option("--keep/--no-keep", help="Keep the frontier in the register.")] = True,
    set_: Set = [],  # noqa: B006
    json: Json = False,
    sql: Sql = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """The frontier of k against loss: every k worth choosing, what it costs, and the knees after which loss jumps."""
    from kanon_sql.config.load import load_job
    from kanon_sql.flows import pareto as flow
    from kanon_sql.pages.frontier_picture import frontier_table, frontier_text, write_frontier_picture
    from kanon_sql.pages.written_file import check_place
    from kanon_sql.search.pareto_frontier import compare_frontiers

    if picture is not None:
        check_place(picture)
    loaded = load_job(job, set_)
    earlier = flow.kept_frontier(loaded, with_run) if with_run is not None else None
    with observed(quiet or json, debug, sql=sql) as observer:
        observer.anytime = True
        result = flow.pareto(loaded, observer, algorithm=algorithm, depth=depth, l_column=l_column, keep=keep)
    document = result.to_dict()
    changes = compare_frontiers(earlier[1], result.frontier) if earlier is not None else ()
    if picture is not None:
        documents = {"now": document} | ({earlier[0]: earlier[1].to_dict()} if earlier is not None else {})
        write_frontier_picture(documents, picture)
    if json:
        shown = document | ({"changes": [vars(change) for change in changes]} if earlier is not None else {})
        print_json(shown)
        return
    print(frontier_text(document) if sys.stdout.isatty() else frontier_table(document))
    if result.frontier.band:
        print("\nbetween which losses the frontier runs")
        print_table(["k", "least found", "proven at least"], [[p.k, p.loss, p.bound] for p in result.frontier.band])
    for change in changes:
        print(change)
    for note in result.frontier.notes:
        print(f"note: {note}")
    claim = "exact" if result.frontier.exact else "not proven complete"
    measured = (
        f"{result.frontier.evaluated:,} of {result.frontier.nodes:,} nodes measured"
        if result.frontier.names
        else f"groups for {result.frontier.evaluated} values of k"
    )
    print(
        f"{counted(len(result.frontier.points), 'point')}, {claim}; {measured}, {result.statements:,} statements, {result.seconds:.2f} s"
    )
    if result.run is not None and not result.frontier.names:
        print(f"kept as run {result.run}: kanon run {job} --set privacy.k=K")
    elif result.run is not None:
        print(
            f"kept as run {result.run}: kanon plan {job} --from-pareto {result.run} --point N; kanon run {job} --at-k K"
        )
