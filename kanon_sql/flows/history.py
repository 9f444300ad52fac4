"""kanon history: the runs and releases a register knows of."""

from __future__ import annotations

from typing import Any

from kanon_sql.config.schema import Job
from kanon_sql.flows.session import register_of
from kanon_sql.frozen import dataclass
from kanon_sql.observer import Observer
from kanon_sql.release.entries import RegisteredRun
from kanon_sql.release.rollback_hold import rollback_hold
from kanon_sql.results import Result


@dataclass(frozen=True)
class History(Result):
    """Runs, newest first, each with its release."""

    runs: tuple[RegisteredRun, ...]
    held: str = ""
    """The rollback of the job that holds; empty where none does, or where no job was named."""

    def to_dict(self) -> dict[str, Any]:
        return {"runs": [each.to_dict(whole=False) for each in self.runs], "held": self.held or None}

    def records(self) -> list[dict[str, Any]]:
        """One row per run."""
        rows = []
        for each in self.runs:
            row = each.to_dict(whole=False)
            release = row.pop("release") or {}
            rows.append(row | {"version": release.get("version"), "state": release.get("state")})
        return rows


@dataclass(frozen=True)
class Night:
    """One release of a job as a night: what was published, who stayed, joined, waited and was retired, and what a published row lost."""

    version: int
    run: str
    started: str
    rows: int
    published: int
    loss: float | None
    """NCP of a published row."""
    told: dict[str, Any]
    """The figures of a night of kept groups; empty where the groups or the node were searched for."""

    @property
    def share(self) -> float:
        return self.published / self.rows if self.rows else 0.0


@dataclass(frozen=True)
class Nights(Result):
    """The nights of a job, oldest first."""

    job: str
    nights: tuple[Night, ...]

    def to_dict(self) -> dict[str, Any]:
        return {"job": self.job, "nights": self.records()}

    def records(self) -> list[dict[str, Any]]:
        """One row per night."""
        return [
            {key: value for key, value in vars(night).items() if key != "told"} | {"share": night.share} | night.told
            for night in self.nights
        ]


def nights(job: Job, observer: Observer | None = None, *, limit: int = 50) -> Nights:
    """The newest releases of a job as nights: who stayed, joined, waited and retired, and what was lost."""
    found = []
    for each in reversed(history(job, observer, limit=limit).runs):
        figures, release = each.run.figures or {}, each.release
        if release is None or figures.get("rows") is None:
            continue
        rows, published = int(figures["rows"]), int(release.rows)
        ncp = (figures.get("utility") or {}).get("ncp")
        loss = None if ncp is None or not published else (float(ncp) * rows - (rows - published)) / published
        told = (figures.get("figures") or {}).get("night") or {}
        started = f"{each.run.started:%Y-%m-%d %H:%M:%S}"
        found.append(Night(release.version, each.run.id, started, rows, published, loss, told))
    return Nights(job.name, tuple(found))


def history(
    job: Job | None = None,
    observer: Observer | None = None,
    *,
    limit: int = 50,
    url: str | None = None,
    schema: str = "kanon",
) -> History:
    """The newest runs of a job, or of every job in a database (`url`); empty where there is no register yet."""
    name = job.name if job is not None else None
    with register_of(job, observer or Observer(), url=url, schema=schema) as register:
        if not register.readable():
            return History(())
        releases = {release.run: release for release in register.releases(name)}
        hold = rollback_hold(register, name) if name is not None else None
        runs = tuple(RegisteredRun(run, releases.get(run.id)) for run in register.history(name, limit))
        return History(runs, str(hold) if hold is not None else "")
