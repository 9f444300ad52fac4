"""kanon show."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from kanon_sql.cli.output import Debug, Json, Set, observed, print_json, print_table
from kanon_sql.cli.registered import JobArgument, Schema, Url, named_register

if TYPE_CHECKING:
    from kanon_sql.release.entries import ReleaseEntry, RunEntry


def show(
    run: Annotated[str, typer.Argument(metavar="RUN", help="The run's id, or the beginning of it.")],
    job: JobArgument = None,
    url: Url = None,
    schema: Schema = "kanon",
    set_: Set = [],  # noqa: B006
    json: Json = False,
    debug: Debug = False,
) -> None:
    """Show one run: its parameters, its choice, its figures, its timings, its release."""
    from kanon_sql.flows import show as flow

    loaded, url = named_register(job, url, set_)
    with observed(quiet=True, debug=debug) as observer:
        found = flow.show(run, loaded, observer, url=url, schema=schema)
    if json:
        print_json(found.to_dict())
    else:
        _show(found.run, found.release)


def _show(run: RunEntry, release: ReleaseEntry | None) -> None:
    print(f"run {run.id} of {run.job}: {run.status}")
    ended = f", ended {run.ended:%Y-%m-%d %H:%M:%S} ({run.seconds:.1f} s)" if run.ended else ""
    print(f"started {run.started:%Y-%m-%d %H:%M:%S} UTC{ended}")
    print(f"by {run.account} on {run.host}, process {run.pid}, {run.program}, {run.engine or 'engine unknown'}")
    if run.error:
        print(f"error: {run.error}")
    if release:
        print(
            f"release {release.view} version {release.version}: {release.rows:,} rows, k = {release.k}, "
            f"{release.state}, table {release.table}"
        )
    figures = run.figures or {}
    for key in ("algorithm", "exact", "k", "rows", "suppressed", "classes", "checks", "nodes", "statements"):
        if key in figures:
            print(f"{key}: {figures[key]}")
    for name, value in (figures.get("utility") or {}).items():
        print(f"{name}: {value:.6f}")
    if run.node:
        print()
        print_table(["column", "level"], list(run.node.items()))
    steps = (run.timings or {}).get("statements") or {}
    if steps:
        print()
        slowest = sorted(steps.items(), key=lambda item: -item[1]["seconds"])[:10]
        print_table(["step", "statements", "seconds"], [[name, s["count"], s["seconds"]] for name, s in slowest])
