"""kanon history."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from kanon_sql.cli.output import Debug, Json, Set, observed, print_json, print_table
from kanon_sql.cli.registered import JobArgument, Schema, Url, named_register
from kanon_sql.cli.terminal import is_terminal

if TYPE_CHECKING:
    from kanon_sql.flows.history import Night, Nights
    from kanon_sql.release.entries import ReleaseEntry, RunEntry

BAR = 20
"""Characters of a bar."""


def history(
    job: JobArgument = None,
    url: Url = None,
    schema: Schema = "kanon",
    limit: Annotated[int, typer.Option("--limit", min=1, help="How many runs.")] = 50,
    nights: Annotated[
        bool,
        typer.Option("--nights", help="Of a job, night by night: who stayed, joined, waited, retired; and the loss."),
    ] = False,
    set_: Set = [],  # noqa: B006
    json: Json = False,
    debug: Debug = False,
) -> None:
    """List runs and releases, newest first: of a job, or of every job in a database (--url)."""
    from kanon_sql.flows import history as flow

    loaded, url = named_register(job, url, set_)
    if nights:
        if loaded is None:
            raise typer.BadParameter("--nights tells of one job: name it")
        with observed(quiet=True, debug=debug) as observer:
            told = flow.nights(loaded, observer, limit=limit)
        print_json(told.to_dict()) if json else _show_nights(told)
        return
    with observed(quiet=True, debug=debug) as observer:
        found = flow.history(loaded, observer, limit=limit, url=url, schema=schema)
    if json:
        print_json(found.to_dict())
        return
    if not found.runs:
        print("no runs are registered" + (f" for {loaded.name}" if loaded is not None else ""))
        return
    print_table(
        ["run", "job", "started (UTC)", "seconds", "status", "algorithm", "k", "rows", "version", "state"],
        [_row(each.run, each.release) for each in found.runs],
    )
    if found.held:
        print(f"{found.held}; `kanon rollback JOB --release` lifts it")


def _row(run: RunEntry, release: ReleaseEntry | None) -> list[object]:
    figures = run.figures or {}
    return [
        run.id,
        run.job,
        f"{run.started:%Y-%m-%d %H:%M:%S}",
        None if run.seconds is None else round(run.seconds, 1),
        run.status,
        run.algorithm,
        figures.get("k"),
        release.rows if release else None,
        release.version if release else None,
        release.state if release else None,
    ]


def _show_nights(told: Nights) -> None:
    if not told.nights:
        print(f"no nights are registered for {told.job}")
        return
    counts = ("stayed", "joined", "founded", "waiting", "retired")
    print_table(
        ["version", "started (UTC)", "rows", "published", "", *counts, "NCP"],
        [
            [
                night.version,
                night.started,
                night.rows,
                f"{night.share:.2%}",
                _drawn(night, told),
                *(night.told.get(name) for name in counts),
                None if night.loss is None else round(night.loss, 4),
            ]
            for night in told.nights
        ],
    )


def _drawn(night: Night, told: Nights) -> str:
    """The published share as a bar, from the least of all nights to the whole."""
    least = min(each.share for each in told.nights)
    blank = 1.0 if least >= 1.0 else (night.share - least) / (1.0 - least)
    return "█" * (1 + round(blank * (BAR - 1))) if is_terminal() else "#" * (1 + round(blank * (BAR - 1)))
