"""kanon forget."""

from __future__ import annotations

from typing import Annotated

import typer

from kanon_sql.cli.output import Debug, JobFile, Json, Set, observed, print_json


def forget(
    job: JobFile,
    person: Annotated[str, typer.Argument(metavar="PERSON", help="The person key, as the source writes it.")],
    why: Annotated[str, typer.Option("--why", metavar="REASON", help="What the register says of it.")] = "erasure",
    set_: Set = [],  # noqa: B006
    json: Json = False,
    debug: Debug = False,
) -> None:
    """Take a person who was erased from the source out of the ledger and of every kept release; who it was is not registered."""
    from kanon_sql.config.load import load_job
    from kanon_sql.flows import forget as flow

    with observed(quiet=True, debug=debug) as observer:
        done = flow.forget(load_job(job, set_), person, why, observer)
    if json:
        print_json(done.to_dict())
        return
    print(f"{done.release} is at version {done.version}, without that person; the ledger has forgotten them")
    for version, rows in done.shortened.items():
        print(f"{version}: the class they were in is gone ({rows:,} rows), and it verifies")
    for version in done.dropped:
        print(f"{version}: dropped, because nobody can say which of its classes they were in")
