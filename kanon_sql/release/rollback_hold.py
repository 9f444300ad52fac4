"""A rollback holds until a person lifts it: a nightly run must not publish again what was just taken back."""

from __future__ import annotations

import datetime

from kanon_sql.frozen import dataclass
from kanon_sql.release.entries import DONE, PUBLISHED
from kanon_sql.release.register import Register

ROLLBACK = "rollback"
LIFT = "rollback --release"
WAY_OUT = "`kanon rollback JOB --release` lifts it; the next run publishes again"


@dataclass(frozen=True)
class RollbackHold:
    """The rollback that holds: who rolled back, when (UTC), and from which version to which."""

    run: str
    since: datetime.datetime
    by: str
    before: int
    version: int

    def __str__(self) -> str:
        return (
            f"a rollback from version {self.before} to {self.version} holds since {self.since:%Y-%m-%d %H:%M} UTC"
            + (f", by {self.by}" if self.by else "")
        )


def rollback_hold(register: Register, job: str) -> RollbackHold | None:
    """The newest rollback of a job, unless it was lifted or something was published since."""
    entry = register.newest(job, (("run", PUBLISHED), (ROLLBACK, DONE), (LIFT, DONE)))
    if entry is None or entry.command != ROLLBACK:
        return None
    figures = entry.figures or {}
    return RollbackHold(
        entry.id, entry.started, entry.account or "", int(figures.get("before", 0)), int(figures["version"])
    )
