"""kanon validate."""

from __future__ import annotations

from kanon_sql.cli.output import Debug, JobFile, Json, Set, print_json
from kanon_sql.model.counted import counted


def validate(job: JobFile, set_: Set = [], json: Json = False, debug: Debug = False) -> None:  # noqa: B006
    """Check a job file offline: syntax, unknown keys with their line, hierarchies that do not nest."""
    from kanon_sql.config.load import load_job
    from kanon_sql.flows import validate as flow

    valid = flow.validate(load_job(job, set_))
    if json:
        print_json(valid.to_dict())
        return
    print(
        f"{job}: valid; {counted(valid.columns, 'column')}, {counted(len(valid.quasi_identifiers), 'quasi-identifier')}"
    )
    for name, count in valid.quasi_identifiers.items():
        print(f"  {name}: {counted(count, 'level')}")
