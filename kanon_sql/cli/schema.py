"""kanon schema."""

from __future__ import annotations

from kanon_sql.cli.output import print_json


def schema() -> None:
    """Print the job file's JSON Schema."""
    from kanon_sql.flows import schema as flow

    print_json(flow.schema())
