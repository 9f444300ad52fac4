"""kanon doctor: look at everything a run of the job needs, before it runs."""

from __future__ import annotations

from collections.abc import Callable

from kanon_sql.config.schema import Job
from kanon_sql.diagnosis.examine import examine
from kanon_sql.diagnosis.findings import Finding, Findings
from kanon_sql.observer import Observer


def doctor(
    job: Job, heard: Callable[[Finding], None] = lambda finding: None, observer: Observer | None = None
) -> Findings:
    """Connect and look: versions, grants, space, columns, values; `heard` is told of each finding as it is made."""
    return examine(job, heard, observer)
