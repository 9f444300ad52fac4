"""What the register holds: runs and releases as typed values."""

from __future__ import annotations

import datetime
import getpass
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from kanon_sql.config.secrets import redacted, secrets_of_url
from kanon_sql.errors import RegisterError
from kanon_sql.frozen import dataclass
from kanon_sql.results import Result
from kanon_sql.sql.register_names import RUN_COLUMNS

if TYPE_CHECKING:
    from kanon_sql.backends.trace import TraceEntry
    from kanon_sql.config.schema import Job

RUNNING, DONE, FAILED, PUBLISHED = "running", "done", "failed", "published"
RUN_STATES = (RUNNING, DONE, FAILED, PUBLISHED)
CURRENT, KEPT, DROPPED, ROLLED_BACK = "current", "kept", "dropped", "rolled back"
RELEASE_STATES = (CURRENT, KEPT, DROPPED, ROLLED_BACK)


def utc_now() -> datetime.datetime:
    """Now, as the register stores it: UTC without a zone."""
    return datetime.datetime.now(datetime.UTC).replace(tzinfo=None)


def account() -> str:
    """Who runs this process."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return str(os.getuid()) if hasattr(os, "getuid") else "unknown"


@dataclass(frozen=True)
class RunEntry:
    """A run, as registered. Times are UTC."""

    id: str
    job: str
    command: str
    status: str
    started: datetime.datetime
    ended: datetime.datetime | None
    account: str | None
    host: str | None
    pid: int | None
    program: str
    engine: str | None
    algorithm: str | None
    parameters: Mapping[str, Any]
    node: Mapping[str, int] | None
    figures: Mapping[str, Any] | None
    timings: Mapping[str, Any] | None
    error: str | None

    @classmethod
    def of(cls, row: Sequence[Any]) -> RunEntry:
        values: dict[str, Any] = dict(zip(RUN_COLUMNS, row, strict=True))
        documents = {
            key: document(values[key], key, str(values["id"])) for key in ("parameters", "node", "figures", "timings")
        }
        return cls(**values | documents)

    @property
    def seconds(self) -> float | None:
        return None if self.ended is None else (self.ended - self.started).total_seconds()

    def to_dict(self) -> dict[str, Any]:
        return {"run": self.id} | _shown({key: value for key, value in asdict(self).items() if key != "id"})


@dataclass(frozen=True)
class ReleaseEntry:
    """A release, as registered: a version's table, and the view that points (or pointed) at it."""

    job: str
    version: int
    run: str
    table: str
    view: str
    rows: int
    k: int
    published: datetime.datetime
    state: str
    database: str | None = None
    """Where it is; none for the register's own database."""
    mark: str | None = None
    """What its table carries; none for releases from before tables were marked."""

    def to_dict(self) -> dict[str, Any]:
        return _shown(asdict(self))


@dataclass(frozen=True)
class RegisteredRun(Result):
    """A run, and what it published, if it did."""

    run: RunEntry
    release: ReleaseEntry | None

    def to_dict(self, *, whole: bool = True) -> dict[str, Any]:
        """`whole` tells of parameters, figures and timings too."""
        document = self.run.to_dict() | {"seconds": self.run.seconds}
        if not whole:
            for key in ("parameters", "figures", "timings"):
                document.pop(key)
            document["k"] = (self.run.figures or {}).get("k")
        document["release"] = self.release.to_dict() if self.release else None
        return document


def dumped(value: Mapping[str, Any] | None) -> str | None:
    """A document as the register stores it."""
    return None if value is None else json.dumps(value, default=str, ensure_ascii=False)


def document(text: str | None, column: str, run: str) -> Any:
    """A document as the register stores it; one that cannot be read is named."""
    if text is None:
        return None
    try:
        found = json.loads(text)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise RegisterError(
            f"the register's row of run {run} is broken: its {column} cannot be read",
            "restore that row, or set that column to '{}'; nothing was changed",
        )
    return found


def _shown(values: dict[str, Any]) -> dict[str, Any]:
    return {
        key: value.isoformat() + "Z" if isinstance(value, datetime.datetime) else value for key, value in values.items()
    }


@dataclass(frozen=True)
class LedgerState:
    """What a ledger held after a release: its number, the entries, their sum, what was done and by which run."""

    sequence: int
    entries: int
    checksum: str
    how: str
    run: str


@dataclass(frozen=True)
class Owner:
    """A job, as the target it publishes knows it: its source, its file, and the run that took the target."""

    source: str
    file: str | None
    run: str


def release_mark(run: str) -> str:
    """What the table of a run's release carries."""
    return f"release of run {run}"


def job_parameters(job: Job) -> dict[str, Any]:
    """The job as the register keeps it: without secrets."""
    document = redacted(job.model_dump(mode="json", by_alias=True, exclude_none=True), job_secrets(job))
    assert isinstance(document, dict)
    return document


def job_secrets(job: Job) -> list[str]:
    """The passwords in a job's URLs."""
    urls = [url for url in (job.source.url, job.register_at.url) if url]
    return [secret for url in urls for secret in secrets_of_url(url)]


def step_timings(entries: Sequence[TraceEntry]) -> dict[str, dict[str, float]]:
    """Statements and seconds per label, in the order in which labels first came."""
    timings: dict[str, dict[str, float]] = {}
    for entry in entries:
        step = timings.setdefault(entry.label, {"count": 0, "seconds": 0.0})
        step["count"] += 1
        step["seconds"] = round(step["seconds"] + entry.seconds, 6)
    return timings
