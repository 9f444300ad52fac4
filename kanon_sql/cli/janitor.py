"""kanon janitor."""

from __future__ import annotations

from kanon_sql.cli.output import Debug, JobFile, Json, Set, observed, print_json


def janitor(job: JobFile, set_: Set = [], json: Json = False, debug: Debug = False) -> None:  # noqa: B006
    """Remove what killed runs left: work tables, staged tables, runs that never ended. Every run does so by itself."""
    from kanon_sql.config.load import load_job
    from kanon_sql.flows import janitor as flow

    with observed(quiet=True, debug=debug) as observer:
        cleaned = flow.janitor(load_job(job, set_), observer)
    if json:
        print_json(cleaned.to_dict())
        return
    for what, names in cleaned.to_dict().items():
        if names and what != "work_tables":  # nobody knows a work table by name; --json lists them
            print(f"{what.replace('_', ' ')}: {_shown(names)}")
    print(cleaned)


def _shown(names: list[str], most: int = 3) -> str:
    return ", ".join(names[:most]) + (f" and {len(names) - most:,} more" if len(names) > most else "")
