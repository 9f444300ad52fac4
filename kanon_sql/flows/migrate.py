"""kanon migrate: bring a register's tables to this version."""

from __future__ import annotations

from typing import Any

from kanon_sql.config.schema import Job
from kanon_sql.flows.session import register_of
from kanon_sql.frozen import dataclass
from kanon_sql.observer import Observer
from kanon_sql.release.migrate import known_revisions
from kanon_sql.results import Result


@dataclass(frozen=True)
class Migration(Result):
    """Where the register is, the revision it is at now, and the revisions that were applied."""

    schema: str
    revision: str
    applied: list[str]

    def to_dict(self) -> dict[str, Any]:
        return {"schema": self.schema, "revision": self.revision, "applied": self.applied}


def migrate(
    job: Job | None = None, observer: Observer | None = None, *, url: str | None = None, schema: str = "kanon"
) -> Migration:
    """Bring the register to this version; make it if there is none."""
    with register_of(job, observer or Observer(), url=url, schema=schema, read_only=False) as register:
        applied = register.ensure()
        return Migration(str(register.names.schema), known_revisions()[-1], applied)
