"""kanon rollback: point the view back at an earlier release that is still kept."""

from __future__ import annotations

from typing import Any

from kanon_sql.backends.stopping import stops
from kanon_sql.config.schema import Job
from kanon_sql.errors import JobError
from kanon_sql.flows.session import Session, publishing
from kanon_sql.frozen import dataclass
from kanon_sql.observer import Observer
from kanon_sql.release.entries import CURRENT, DONE, DROPPED, KEPT, ROLLED_BACK, ReleaseEntry
from kanon_sql.release.janitor import clean
from kanon_sql.release.ownership import check_target, is_its_table
from kanon_sql.release.previous_release import PreviousRelease
from kanon_sql.release.publish import switching, turns
from kanon_sql.release.readers import comment_release
from kanon_sql.release.rollback_hold import LIFT, ROLLBACK, rollback_hold
from kanon_sql.release.verify import verify
from kanon_sql.results import Result


@dataclass(frozen=True)
class RolledBack(Result):
    """The view points at an earlier release again."""

    run: str
    view: str
    version: int
    before: int
    k: int
    rows: int
    lifted: bool = False

    def to_dict(self) -> dict[str, Any]:
        return {"run": self.run, "release": self.view} | {
            k: getattr(self, k) for k in ("version", "before", "k", "rows", "lifted")
        }


def rollback(job: Job, to: int | None = None, observer: Observer | None = None, *, release: bool = False) -> RolledBack:
    """Point the view at an earlier release that is still kept, once it verifies; default: the one before the current one.

    It holds: runs publish nothing until `release` lifts it.
    """
    observer = observer or Observer()
    with publishing(job, observer) as session:
        if release:
            return _lift(session, to)
        backend, register, view = session.backend, session.register, session.view
        check_target(backend, register, job, view)
        clean(backend, register, job, view)
        releases = register.releases(job.name)
        current = next((release for release in releases if release.state == CURRENT), None)
        target = _target(releases, current, to)
        table = backend.relation(target.table)
        if not is_its_table(backend, target):
            raise JobError(f"the table of version {target.version} is not the one that was published: {target.table}")
        # By the columns it was published with: intervals may have two.
        before_that = PreviousRelease(target, register.show(target.run))
        quasi = before_that.quasi_columns(job)
        verified = verify(backend, table, quasi, job.privacy.k, target.rows)
        before = current.version if current is not None else 0
        done = RolledBack(
            observer.run, session.publish.table, target.version, before, verified.min_class, verified.rows
        )

        try:
            register.start_run(observer.run, job, command=ROLLBACK)
            for turn in turns():
                with turn, switching(backend, register, view, table):
                    register.set_state(job.name, ROLLED_BACK, old=CURRENT)
                    register.set_state(job.name, CURRENT, version=target.version)
                    register.finish_run(observer.run, DONE, figures=done.to_dict())
                    choice = before_that.figure("choice") or []
                    comment_release(backend, view, target.k, target.version, target.run, choice)
        except BaseException as error:
            with stops.shielded():
                register.fail_run(observer.run, error)
            raise
        return done


def _lift(session: Session, to: int | None) -> RolledBack:
    """Let runs publish again; what readers see stays until one does."""
    if to is not None:
        raise JobError("--release lifts a rollback, --to makes one: say one of them")
    hold = rollback_hold(session.register, session.job.name)
    current = session.register.current_release(session.job.name)
    if hold is None or current is None:
        raise JobError("no rollback holds, so there is none to lift", "`kanon history JOB` lists what happened")
    done = RolledBack(
        session.run, session.publish.table, current.version, hold.before, current.k, current.rows, lifted=True
    )
    with stops.shielded():  # two small statements: a stop signal waits for the second
        session.register.start_run(session.run, session.job, command=LIFT)
        session.register.finish_run(session.run, DONE, figures=done.to_dict())
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
