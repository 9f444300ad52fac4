"""kanon show: one run, as the register has it."""

from __future__ import annotations

from kanon_sql.config.schema import Job
from kanon_sql.flows.session import register_of, require_register
from kanon_sql.observer import Observer
from kanon_sql.release.entries import RegisteredRun


def show(
    run: str,
    job: Job | None = None,
    observer: Observer | None = None,
    *,
    url: str | None = None,
    schema: str = "kanon",
) -> RegisteredRun:
    """A run by its id, or by the beginning of it: parameters, choice, figures, timings, release."""
    with register_of(job, observer or Observer(), url=url, schema=schema) as register:
        require_register(register, "no such run")
        entry = register.show(run)
        found = register.releases(run=entry.id)
        return RegisteredRun(entry, found[0] if found else None)
