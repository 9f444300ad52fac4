"""kanon status: one line for monitoring: the last good release, its age, its k, and what is wrong."""

from __future__ import annotations

import datetime
from typing import Any

from kanon_sql.config.schema import Job
from kanon_sql.flows.session import register_of
from kanon_sql.frozen import dataclass
from kanon_sql.observer import Observer
from kanon_sql.release.entries import DONE, FAILED, PUBLISHED, RunEntry, utc_now
from kanon_sql.release.rollback_hold import rollback_hold
from kanon_sql.results import Result

LATE_AFTER = datetime.timedelta(hours=26)
"""A nightly job that has not ended well for so long has missed a night."""


@dataclass(frozen=True)
class Status(Result):
    """The state of a job. `checked` is when a run last ended well, whether it published or found nothing changed."""

    job: str
    ok: bool
    reason: str
    version: int | None = None
    k: int | None = None
    rows: int | None = None
    published: datetime.datetime | None = None
    checked: datetime.datetime | None = None
    age_seconds: int | None = None
    held: str = ""
    last_run: str | None = None
    last_status: str | None = None

    def to_dict(self) -> dict[str, Any]:
        shown = dict(vars(self))
        for key in ("published", "checked"):
            moment = shown[key]
            shown[key] = None if moment is None else f"{moment:%Y-%m-%dT%H:%M:%S}Z"
        return shown | {"held": self.held or None}

    def line(self) -> str:
        """What a monitor shows."""
        if self.version is None:
            return f"{'ok' if self.ok else 'FAILED'}: {self.job}: {self.reason}"
        age = "" if self.age_seconds is None else f", last good run {_age(self.age_seconds)} ago"
        what = f"version {self.version}, k = {self.k}, {self.rows:,} rows{age}"
        return f"{'ok' if self.ok else 'FAILED'}: {self.job}: {what}" + (f"; {self.reason}" if self.reason else "")


def status(job: Job, observer: Observer | None = None, *, late_after: datetime.timedelta = LATE_AFTER) -> Status:
    """The state of a job by its register: not ok where nothing was published, the last run failed, or none ended well in time."""
    with register_of(job, observer or Observer()) as register:
        if not register.readable():
            return Status(job.name, False, "nothing was ever published: there is no register yet")
        current = register.current_release(job.name)
        runs = [run for run in register.history(job.name, limit=None) if run.command == "run"]
        hold = rollback_hold(register, job.name)
    last = next((run for run in runs if run.status in (DONE, FAILED, PUBLISHED)), None)
    good = next((run for run in runs if run.status in (DONE, PUBLISHED)), None)
    last_run, last_status = (last.id, last.status) if last is not None else (None, None)
    if current is None:
        reason = _failure(last) or "nothing was ever published"
        return Status(job.name, False, reason, last_run=last_run, last_status=last_status)
    checked = (good.ended or good.started) if good is not None else None
    age = None if checked is None else int((utc_now() - checked).total_seconds())
    reasons = [text for text in (_failure(last), _late(age, late_after), str(hold) if hold else "") if text]
    return Status(
        job.name,
        ok=not _failure(last) and not _late(age, late_after),
        reason="; ".join(reasons),
        version=current.version,
        k=current.k,
        rows=current.rows,
        published=current.published,
        checked=checked,
        age_seconds=age,
        held=str(hold) if hold else "",
        last_run=last_run,
        last_status=last_status,
    )


def _failure(last: RunEntry | None) -> str:
    if last is None or last.status != FAILED:
        return ""
    return f"the last run failed ({last.id}): {last.error or 'no reason is registered'}"


def _late(age: int | None, late_after: datetime.timedelta) -> str:
    if age is None or age <= late_after.total_seconds():
        return ""
    return f"late: more than {_age(int(late_after.total_seconds()))}"


def _age(seconds: int) -> str:
    """A span as people say it."""
    for size, name in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        if seconds >= 2 * size:
            return f"{seconds // size} {name}s"
    return f"{seconds} seconds" if seconds != 1 else "1 second"
