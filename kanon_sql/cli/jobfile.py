"""Commands about the job file itself: validate, schema."""

from __future__ import annotations

import typer

from kanon_sql.cli.output import Debug, JobFile, Json, Set, print_json


def register(app: typer.Typer) -> None:
    app.command()(validate)
    app.command()(schema)


def validate(job: JobFile, set_: Set = [], json: Json = False, debug: Debug = False) -> None:  # noqa: B006
    """Check a job file offline: syntax, unknown keys with their line, hierarchies that do not nest."""
    from kanon_sql.config.attributes import validate_offline
    from kanon_sql.config.load import load_job

    loaded = load_job(job, set_)
    levels = validate_offline(loaded)
    if json:
        print_json({"valid": True, "columns": len(loaded.columns), "quasi_identifiers": levels})
        return
    print(f"{job}: valid; {len(loaded.columns)} columns, {len(levels)} quasi-identifiers")
    for name, count in levels.items():
        print(f"  {name}: {count} levels")


def schema() -> None:
    """Print the job file's JSON Schema."""
    from kanon_sql.config.schema import job_schema

    print_json(job_schema())
