"""kanon forget: a person who was erased from the source leaves the releases that are kept, and the ledger.

A release names nobody, and the ledger knows a person's class, not a person's row. So the newest release is made anew without the person
(which retires whoever is then alone), and from every older version that is kept the whole class goes that the person was in; a version of
which that class is not known goes itself. What stays verifies again.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any

from kanon_sql.backends.rows import Row
from kanon_sql.backends.stopping import stops
from kanon_sql.config.schema import Job
from kanon_sql.errors import JobError, KanonError
from kanon_sql.flows.run import run as publish_anew
from kanon_sql.flows.session import Session, publishing
from kanon_sql.frozen import dataclass
from kanon_sql.observer import Observer
from kanon_sql.release.composition import off
from kanon_sql.release.entries import CURRENT, DONE, DROPPED, ReleaseEntry
from kanon_sql.release.kept_state import forget_person
from kanon_sql.release.ledger import KnownNight, Ledger, scope_of
from kanon_sql.release.ownership import is_its_table
from kanon_sql.release.previous_release import PreviousRelease
from kanon_sql.release.verify import verify
from kanon_sql.results import Result
from kanon_sql.sql import statements
from kanon_sql.sql.person_keys import person_key
from kanon_sql.sql.statement import Statement
from kanon_sql.workbench.workbench import Workbench


@dataclass(frozen=True)
class Forgotten(Result):
    """What was done so that somebody is in no release any more; who it was is not told."""

    run: str
    release: str
    version: int
    shortened: dict[str, int] = field(default_factory=dict)
    """Older versions without the class the person was in, and how many rows that took."""
    dropped: list[str] = field(default_factory=list)
    """Older versions that are gone, because nobody could say which class of theirs it was."""

    def to_dict(self) -> dict[str, Any]:
        return dict(vars(self))


def forget(job: Job, person: str, why: str, observer: Observer | None = None) -> Forgotten:
    """Take a person out of the ledger and of every kept version; the person must be gone from the source.

    The register says when and why, not who.
    """
    observer = observer or Observer()
    if job.publish is None or off(job) is not None:
        raise JobError(
            "this job keeps no ledger, so nobody can be forgotten", "it needs source.person and publish.guard"
        )
    _check_gone(job, person, observer)
    released = publish_anew(job, observer)
    with publishing(job, observer) as session:
        session.register.start_run(session.run, job, command="forget")
        try:
            ledger = Ledger(session.backend, session.register, scope_of(job, session.backend))
            ledger.make()
            ledger.open(job.name)
            done = _forget(session, ledger, person, why, released.version)
        except BaseException as error:
            with stops.shielded():
                session.register.fail_run(session.run, error)
            raise
        return done


def _check_gone(job: Job, person: str, observer: Observer) -> None:
    """Whoever is still in the source would be back with the next night."""
    with publishing(job, observer) as session, Workbench(session.backend, job, session.run) as bench:
        bench.open_source()
        assert job.source.person is not None
        found = session.backend.fetch_one(
            statements.ledger.person_rows(session.backend.dialect, bench.source, job.source.person, person)
        )
        if int(found.rows):
            raise JobError(
                "that person is still in the source: the next night would publish them again", "delete them there first"
            )


def _forget(session: Session, ledger: Ledger, person: str, why: str, version: int) -> Forgotten:
    backend, register = session.backend, session.register
    entries = backend.fetch(statements.ledger.person_entries(backend.dialect, ledger.names, ledger.salt, person))
    if not entries:
        raise JobError("the ledger knows no such person", "write the person key as the source does")
    for entry in entries:
        if entry.job is not None and not int(entry.away):
            raise JobError(
                f"the newest release of {entry.job} still holds that person",
                "run that job, whose source has the person no more, and then this again",
            )
    done = Forgotten(session.run, session.publish.table, version)
    for name in sorted({str(entry.job) for entry in entries if entry.job is not None} | {session.job.name}):
        of_job = [entry for entry in entries if entry.job == name]
        for release in register.releases(name):
            if release.state != DROPPED and is_its_table(backend, release):
                _clean(session, ledger, release, of_job, done)
    with register.publishing(backend):
        ledger.forget(person, job=session.job.name, run=session.run, why=why)
        key = person_key(backend.dialect, ledger.salt, backend.dialect.text_literal(person))
        for name in {night.job for night in ledger.nights}:
            forget_person(backend, name, key)
        register.finish_run(session.run, DONE, figures=done.to_dict() | {"why": why})
    return done


def _clean(session: Session, ledger: Ledger, release: ReleaseEntry, entries: list[Row], done: Forgotten) -> None:
    """Take the person's class out of a version, or drop the version."""
    night = next((n for n in ledger.nights if (n.job, n.version) == (release.job, release.version)), None)
    classes = [_class_in(entry, night) for entry in entries]
    if all(found == "" for found in classes) and entries and night is not None:
        return  # it was made after the person had left, or before they came
    known = [found for found in classes if found]
    if release.state == CURRENT and release.job == session.job.name:
        return  # it was made anew, without the person
    shown = f"{release.job} version {release.version}"
    if None in classes or not entries or not session.backend.capabilities.update:
        if release.state == CURRENT:
            raise JobError(f"{shown} is what readers see, and nobody can say who is in it", "run that job first")
        _drop(session, release)
        done.dropped.append(shown)
        return
    before = release.rows
    after = _shorten(session, ledger, release, known)
    if after is None:
        _drop(session, release)
        done.dropped.append(shown)
    else:
        done.shortened[shown] = before - after


def _class_in(entry: Row, night: KnownNight | None) -> str | None:
    """The class that an entry was in with a release; empty where it was in none of it, none where nobody knows."""
    if night is None:
        return None
    if int(entry.away) and night.sequence >= int(entry.away):
        return ""
    if night.sequence < int(entry.since) or night.recoding != str(entry.recoding) or night.sequence <= int(entry.gap):
        return None
    return str(entry.class_key)


def _drop(session: Session, release: ReleaseEntry) -> None:
    with session.register.publishing(session.backend):
        session.backend.drop_table(session.backend.relation(release.table))
        session.register.dropped(release.job, release.table)


def _shorten(session: Session, ledger: Ledger, release: ReleaseEntry, classes: list[str]) -> int | None:
    """A version without some classes, verified again; returns its rows, or none where it does not verify or nothing could be taken."""
    backend, register = session.backend, session.register
    table = backend.relation(release.table)
    quasi = PreviousRelease(release, register.show(release.run)).quasi_columns(session.job)
    counted = Statement("release/count", f"select count(*) as rows from {backend.dialect.relation(table)}")
    try:
        with register.publishing(backend):
            backend.execute(statements.ledger.retire_class(backend.dialect, table, quasi, ledger.salt, classes))
            rows = int(backend.fetch_one(counted).rows)
            if rows == release.rows:
                return None
            verify(backend, table, quasi, release.k, rows)
            register.set_rows(release.job, release.version, rows)
    except KanonError:
        return None
    return rows
