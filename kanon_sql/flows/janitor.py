"""kanon janitor: remove what killed runs left."""

from __future__ import annotations

from kanon_sql.config.schema import Job
from kanon_sql.flows.session import publishing
from kanon_sql.observer import Observer
from kanon_sql.release.janitor import Cleaned, clean


def janitor(job: Job, observer: Observer | None = None) -> Cleaned:
    """Remove what killed runs left; every run does so by itself before it begins."""
    with publishing(job, observer or Observer()) as session:
        return clean(session.backend, session.register, job, session.view)
