"""kanon schema: the job file's JSON Schema."""

from __future__ import annotations

from typing import Any

from kanon_sql.config.schema import job_schema


def schema() -> dict[str, Any]:
    """The job file's JSON Schema, for editors."""
    return job_schema()
