"""kanon grants: the exact rights a job needs, as a script. Nothing is connected to."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.config.schema import Job
from kanon_sql.release.grants import grants_script


def grants(job: Job, role: str | None = None, readers: Sequence[str] = ()) -> list[str]:
    """The script, one statement per entry; `role` is the URL's user unless given, `readers` may read what is published."""
    return grants_script(job, role, tuple(readers))
