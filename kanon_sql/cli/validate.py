"""kanon validate."""

from __future__ import annotations

from kanon_sql.cli.output import Debug, JobFile, Json, Set, print_json


def validate(job: JobFile, set_: Set = [], json: Json = False, debug: Debug = False) -> None:  # noqa: B006
    """Check a job file offline: syntax, unknown keys with their line, hierarchies that do not nest."""
    from kanon_sql.config.load import load_job
    from kanon_sql.flows import validate as flow

    valid = flow.validate(load_job(job, set_))
    if json:
        print_json(valid.to_dict())
        return
    print(f"{job}: valid; {valid.columns} columns, {len(valid.quasi_identifiers)} quasi-identifiers")
    for name, count in valid.quasi_identifiers.items():
        print(f"  {name}: {count} levels")
