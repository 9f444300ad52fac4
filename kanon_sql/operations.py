"""What an operator does with releases between runs: clean up, roll back, compare, grant. Each holds the job's lock while it writes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from kanon_sql.backends.base import Backend
from kanon_sql.config.schema import Job
from kanon_sql.errors import JobError
from kanon_sql.observer import Observer
from kanon_sql.release.entries import CURRENT, DONE, DROPPED, KEPT, ROLLED_BACK, ReleaseEntry
from kanon_sql.release.janitor import Cleaned, clean
from kanon_sql.release.lock import file_lock, session_lock
from kanon_sql.release.publish import check_target, switch
from kanon_sql.release.register import Register, open_register
from kanon_sql.release.run_id import new_run_id
from kanon_sql.release.verify import verify
from kanon_sql.session import opened


@dataclass(frozen=True)
class RolledBack:
    """The view points at an earlier release again."""

    run: str
    view: str
    version: int
    before: int
    k: int
    rows: int

    def to_json(self) -> dict[str, Any]:
        return {"run": self.run, "release": self.view} | {
            k: getattr(self, k) for k in ("version", "before", "k", "rows")
        }


@dataclass(frozen=True)
class Difference:
    """Two releases side by side; `recode` names the columns whose level changed, with both levels."""

    a: ReleaseEntry
    b: ReleaseEntry
    recode: dict[str, list[int | None]]
    figures: dict[str, list[Any]]
    utility: dict[str, list[float | None]] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return {
            "a": self.a.as_json(),
            "b": self.b.as_json(),
            "recode": self.recode,
            **self.figures,
            "utility": self.utility,
        }

    def table(self) -> list[list[object]]:
        """One line per thing compared."""
        lines: list[list[object]] = [
            ["published (UTC)", f"{self.a.published:%Y-%m-%d %H:%M}", f"{self.b.published:%Y-%m-%d %H:%M}"],
            ["state", self.a.state, self.b.state],
        ]
        lines += [[name, *values] for name, values in self.figures.items()]
        lines += [[name, *values] for name, values in self.utility.items()]
        lines += [[f"level of {column}", *levels] for column, levels in self.recode.items()]
        return lines


@contextmanager
def held(job: Job, observer: Observer) -> Iterator[tuple[Backend, Register]]:
    """The job's engine and register, under its lock."""
    if job.publish is None:
        raise JobError("the job does not say where to publish", "add `publish: {table: schema.name}`")
    run = observer.run = new_run_id()
    with (
        file_lock(job, run, observer.note),
        opened(job, observer, read_only=False, run=run) as backend,
        open_register(job, backend) as register,
        session_lock(backend, register, job, observer.note),
    ):
        yield backend, register


def janitor(job: Job, observer: Observer | None = None) -> Cleaned:
    """Remove what killed runs left; every run does so by itself before it begins."""
    with held(job, observer or Observer()) as (backend, register):
        assert job.publish is not None
        return clean(backend, register, job, backend.relation(job.publish.table))


def rollback(job: Job, to: int | None = None, observer: Observer | None = None) -> RolledBack:
    """Point the view at an earlier release that is still kept, once it verifies; default: the one before the current one."""
    observer = observer or Observer()
    with held(job, observer) as (backend, register):
        assert job.publish is not None
        view = backend.relation(job.publish.table)
        check_target(backend, view)
        clean(backend, register, job, view)
        releases = register.releases(job.name)
        current = next((release for release in releases if release.state == CURRENT), None)
        target = _target(releases, current, to)
        table = backend.relation(target.table)
        verified = verify(backend, table, job.columns_with("quasi"), job.privacy.k, target.rows)
        register.start_run(observer.run, job, command="rollback")
        before = current.version if current is not None else 0
        done = RolledBack(observer.run, job.publish.table, target.version, before, verified.min_class, verified.rows)

        def note() -> None:
            register.set_state(job.name, ROLLED_BACK, old=CURRENT)
            register.set_state(job.name, CURRENT, version=target.version)
            register.finish_run(observer.run, DONE, figures=done.to_json())

        try:
            switch(backend, register, view, table, note)
        except BaseException as error:
            register.fail_run(observer.run, error)
            raise
        return done


def _target(releases: list[ReleaseEntry], current: ReleaseEntry | None, to: int | None) -> ReleaseEntry:
    kept = [release for release in releases if release.state in (KEPT, ROLLED_BACK)]
    known = ", ".join(str(release.version) for release in kept) or "none"
    if to is None:
        earlier = [r for r in kept if r.state == KEPT and (current is None or r.version < current.version)]
        if not earlier:
            raise JobError("there is no earlier release to go back to", f"kept versions: {known}")
        return max(earlier, key=lambda release: release.version)
    if current is not None and to == current.version:
        raise JobError(f"version {to} is the current release already", f"kept versions: {known}")
    for release in kept:
        if release.version == to:
            return release
    gone = any(release.version == to and release.state == DROPPED for release in releases)
    what = "was dropped: it is older than publish.keep" if gone else "was never released"
    raise JobError(f"version {to} {what}", f"kept versions: {known}")


def diff(job: Job, a: int, b: int, observer: Observer | None = None) -> Difference:
    """Two releases of a job compared, by what the register knows of their runs."""
    from kanon_sql.release.register import register_at

    url = job.register_at.url or job.url
    register = register_at(url, job.register_at.schema_name, job.base, read_only=True)
    try:
        if not register.readable():
            raise JobError("there is no register yet, so there are no releases", "`kanon run JOB` makes it")
        found = {release.version: release for release in register.releases(job.name)}
        for version in (a, b):
            if version not in found:
                raise JobError(f"{job.name} has no version {version}", "`kanon history JOB` lists the releases")
        runs = [register.show(found[version].run) for version in (a, b)]
    finally:
        register.close()
    nodes = [run.node or {} for run in runs]
    columns = list(dict.fromkeys([*nodes[0], *nodes[1]]))
    levels = {column: [node.get(column) for node in nodes] for column in columns}
    told = [run.figures or {} for run in runs]
    utility = [figures.get("utility") or {} for figures in told]
    measures = dict.fromkeys([*utility[0], *utility[1]])
    return Difference(
        found[a],
        found[b],
        {column: pair for column, pair in levels.items() if pair[0] != pair[1]},
        {
            "k": [found[a].k, found[b].k],
            "rows": [found[a].rows, found[b].rows],
            **{key: [figures.get(key) for figures in told] for key in ("suppressed", "classes", "algorithm")},
        },
        {measure: [values.get(measure) for values in utility] for measure in measures},
    )
