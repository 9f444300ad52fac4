"""kanon grants."""

from __future__ import annotations

from typing import Annotated

import typer

from kanon_sql.cli.output import Debug, JobFile, Json, Set, print_json


def grants(
    job: JobFile,
    role: Annotated[
        str | None, typer.Option("--role", help="Who runs the job; default: the user in source.url.")
    ] = None,
    reader: Annotated[list[str], typer.Option("--reader", help="A role that may read what is published.")] = [],  # noqa: B006
    set_: Set = [],  # noqa: B006
    json: Json = False,
    debug: Debug = False,
) -> None:
    """Print the exact grants a run needs, as a script for whoever may give them; nothing is connected to."""
    from kanon_sql.config.load import load_job
    from kanon_sql.flows import grants as flow

    script = flow.grants(load_job(job, set_), role, reader)
    if json:
        print_json({"grants": script})
        return
    for statement in script:
        print(statement if statement.startswith("--") else f"{statement};")
