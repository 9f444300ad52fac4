"""kanon validate: check a job without a database."""

from __future__ import annotations

from typing import Any

from kanon_sql.config.attributes import validate_offline
from kanon_sql.config.schema import Job
from kanon_sql.frozen import dataclass
from kanon_sql.results import Result


@dataclass(frozen=True)
class ValidJob(Result):
    """A job that is valid: its columns, and the levels of each quasi-identifier."""

    columns: int
    quasi_identifiers: dict[str, int]

    def records(self) -> list[dict[str, Any]]:
        """One row per quasi-identifier."""
        return [{"column": name, "levels": levels} for name, levels in self.quasi_identifiers.items()]

    def to_dict(self) -> dict[str, Any]:
        return {"valid": True, "columns": self.columns, "quasi_identifiers": self.quasi_identifiers}


def validate(job: Job) -> ValidJob:
    """Hierarchies, levels and rules of a job that was read; raises JobError where something is wrong."""
    return ValidJob(len(job.columns), validate_offline(job))
