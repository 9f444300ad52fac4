"""kanon status."""

from __future__ import annotations

import datetime
import re
from typing import Annotated

import typer

from kanon_sql.cli.output import Debug, JobFile, Json, Set, observed, print_json
from kanon_sql.errors import ExitCode, JobError

UNITS = {"m": "minutes", "h": "hours", "d": "days"}


def status(
    job: JobFile,
    late_after: Annotated[
        str, typer.Option("--late-after", metavar="SPAN", help="When a job is late: 90m, 26h or 2d.")
    ] = "26h",
    set_: Set = [],  # noqa: B006
    json: Json = False,
    debug: Debug = False,
) -> None:
    """Print one line for monitoring: last good release, its age, k, whether a rollback holds; exit 1 when late or failed."""
    from kanon_sql.config.load import load_job
    from kanon_sql.flows import status as flow

    found = re.fullmatch(r"(\d+)([mhd])", late_after.strip())
    if found is None:
        raise JobError(f"--late-after {late_after}: that is no span of time", "write 90m, 26h or 2d")
    span = datetime.timedelta(**{UNITS[found[2]]: int(found[1])})
    with observed(quiet=True, debug=debug) as observer:
        state = flow.status(load_job(job, set_), observer, late_after=span)
    if json:
        print_json(state.to_dict())
    else:
        print(state.line())
    if not state.ok:
        raise typer.Exit(int(ExitCode.PRIVACY_GATE))
