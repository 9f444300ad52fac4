"""The ledger: one row per person (or row of a person), in a schema of its own next to the source, shared by all jobs that read that source.

People with exactly the same history over all releases are a cell, and a cell is a number. So the ledger remembers everything that was ever
released, whatever `publish.keep` says, and is no larger than the source. Persons are salted digests; the salt is with the register, apart
from the ledger. Both know how much the ledger held after each release: one that lost entries is not believed.
"""

from __future__ import annotations

import hashlib
import os
import secrets
from collections.abc import Sequence
from dataclasses import replace

from kanon_sql.backends.base import Backend
from kanon_sql.config.schema import Job
from kanon_sql.errors import CompositionRisk, JobError
from kanon_sql.frozen import dataclass
from kanon_sql.model.counted import listed_versions
from kanon_sql.release.composition import off
from kanon_sql.release.entries import PUBLISHED, LedgerState
from kanon_sql.release.register import Register
from kanon_sql.sql import statements
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.statements.ledger import LedgerNames, Night

SCHEMA = "kanon_ledger"
EVERYBODY = "everybody"
"""The audience of jobs that name none: their releases are taken to meet in one reader's hands."""
ANEW = 'restore it from a backup, or begin anew knowingly: kanon run JOB --rebase "why"'
UNCHANGED, ACCEPTED, REBASED, FORGOTTEN = "night", "accepted", "rebase", "forget"


@dataclass(frozen=True)
class Scope:
    """Whose releases are put together: a source, the column that names a person, and an audience."""

    source: str
    person: str
    audience: str

    @property
    def id(self) -> str:
        return hashlib.sha256("\n".join((self.source, self.person, self.audience)).encode()).hexdigest()[:12]


@dataclass(frozen=True)
class KnownNight:
    """A release as the ledger knows it, and what the ledger held after it."""

    sequence: int
    job: str
    version: int
    recoding: str
    salt_digest: str
    entries: int
    checksum: str
    several: int
    how: str


def scope_of(job: Job, backend: Backend) -> Scope:
    """The source by the database's own identity of it, however the job spells it."""
    assert job.source.person is not None
    if job.source.table is not None:
        source = ".".join(backend.identity(backend.relation(job.source.table)))
    else:
        file = str(job.source.file)
        source = f"file {file if '://' in file else (job.base / file).resolve()}"
    audience = job.publish.audience if job.publish is not None else None
    return Scope(source, job.source.person, audience or EVERYBODY)


class Ledger:
    """The ledger of one scope on one engine.

    Where an engine can delete, entries are replaced in place, in the transaction that publishes. Where it cannot, every release writes its
    tables anew under its own name, and the register says which of them count.
    """

    def __init__(self, backend: Backend, register: Register, scope: Scope) -> None:
        self.backend = backend
        self.dialect = backend.dialect
        self.register = register
        self.scope = scope
        self.in_place = backend.capabilities.update
        self.known = register.ledger_state(scope.id)
        self.nights: list[KnownNight] = []
        self.salt = ""
        self.entry_per_row = True
        """Whether an entry may be of one row of a person, or of a row without one."""
        self.names = self._names(None if self.in_place or self.known is None else self.known.run)

    def _names(self, run: str | None) -> LedgerNames:
        suffix = f"{self.scope.id}_{run}" if run is not None else self.scope.id
        return LedgerNames(
            *(self.backend.relation(f"{SCHEMA}.{what}_{suffix}") for what in ("people", "cells", "nights"))
        )

    @property
    def tables(self) -> tuple[Relation, Relation, Relation]:
        return self.names.people, self.names.cells, self.names.nights

    @property
    def empty(self) -> bool:
        """There is nothing yet to read."""
        return not self.in_place and self.known is None

    @property
    def salt_digest(self) -> str:
        return hashlib.sha256(f"kanon_sql {self.salt}".encode()).hexdigest()[:16]

    @property
    def sequence(self) -> int:
        """The number of the release at hand."""
        known = self.known.sequence if self.known else 0
        return max([known, *(night.sequence for night in self.nights)]) + 1

    @property
    def several(self) -> bool:
        """Whether persons had several rows once: then rows are told apart from then on."""
        return any(night.several for night in self.nights)

    # -- opening

    def make(self, rebase: bool = False) -> None:
        """Make the ledger where there is none yet; one that should be there and is not is not made anew without a word."""
        self.backend.create_schema(SCHEMA)
        if not self.in_place:
            self._check_rebuilt(rebase)
            return
        missing = [table for table in self.tables if not self.backend.exists(table)]
        if missing and not rebase and (self.known is not None or len(missing) < len(self.tables)):
            raise self._gone(missing)
        for table, statement in (
            (self.names.people, statements.ledger.people(self.dialect, self.names)),
            (self.names.cells, statements.ledger.cells(self.dialect, self.names)),
            (self.names.nights, statements.ledger.nights(self.dialect, self.names, keyed=True)),
        ):
            if table in missing:
                self.backend.execute(statement)

    def _check_rebuilt(self, rebase: bool) -> None:
        """Of the tables that releases wrote, only those of the last one count, which the register names."""
        found = [relation for _, relation in self.backend.relations(SCHEMA) if f"_{self.scope.id}_" in relation.name]
        names = {relation.name for relation in found}
        missing = [table for table in self.tables if table.name not in names]
        if not rebase and self.known is not None and missing:
            raise self._gone(missing)
        if not rebase and self.known is None and found:
            raise CompositionRisk(
                f"not published: there is a ledger of {self.scope.source} that this register does not know",
                'name the register its releases were made with, or begin anew knowingly: kanon run JOB --rebase "why"',
            )
        ours = {table.name for table in self.tables} if self.known is not None else set()
        for relation in found if self.known is not None else []:
            if relation.name not in ours:  # of a release before the last one, or of one that failed
                self.backend.drop_table(relation)

    def _gone(self, missing: Sequence[Relation]) -> CompositionRisk:
        which = ", ".join(map(str, missing))
        return CompositionRisk(
            f"not published: the ledger of {self.scope.source} is gone, or a part of it ({which})", ANEW
        )

    def open(self, job: str, *, rebase: bool = False) -> None:
        """Read what the ledger knows, find the salt, and refuse what cannot be believed. `rebase`: all of that is given up."""
        readable = not self.empty and self.backend.exists(self.names.nights)
        found = self.backend.fetch(statements.ledger.known_nights(self.dialect, self.names)) if readable else []
        self.nights = [KnownNight(*row) for row in found]
        self.salt = os.environ.get("KANON_SALT") or self.registered_salt(may_make=rebase or not self.nights)
        if rebase:
            return
        if any(night.salt_digest != self.salt_digest for night in self.nights):
            raise JobError(
                "KANON_SALT is not the salt of the earlier releases, or this is not their register: the ledger cannot be compared with",
                'use the salt and the register they were made with, or begin anew knowingly: kanon run JOB --rebase "why"',
            )
        self._check_entries()
        self._check_releases(job)

    def registered_salt(self, may_make: bool) -> str:
        """The salt that is with the register; `may_make`: one is made where there is none."""
        of = " ".join(part for part in (self.register.database, f"ledger {self.scope.id}") if part)
        salt = self.register.salt(of)
        if salt is None and may_make:
            salt = secrets.token_urlsafe(24)  # with most person keys one block of SHA-256: two take twice as long
            self.register.new_salt(of, salt)
        if salt is None:
            raise CompositionRisk(
                f"not published: the ledger of {self.scope.source} has {len(self.nights)} releases, and this register does not have its salt",
                'name the register they were made with (register.url, register.schema), or begin anew knowingly: kanon run JOB --rebase "why"',
            )
        return salt

    def state(self) -> tuple[int, str]:
        """What the ledger holds now: entries, and their sum."""
        row = self.backend.fetch_one(statements.ledger.state(self.dialect, self.names))
        self.entry_per_row = bool(row.greatest_row)
        return int(row.entries), str(int(row.checksum))

    def _check_entries(self) -> None:
        """A ledger that lost entries would take people for strangers, and let through what singles them out."""
        if self.empty:
            return
        known = self.known
        last = self.nights[-1] if self.nights else None
        held = (last.entries, last.checksum) if last else (0, "0")
        behind = known is not None and (last is None or last.sequence < known.sequence)
        differs = (
            known is not None
            and last is not None
            and last.sequence == known.sequence
            and (known.entries, known.checksum) != held
        )
        if behind or differs or self.state() != held:
            raise CompositionRisk(
                f"not published: the ledger of {self.scope.source} is not what it was after its last release", ANEW
            )

    def _check_releases(self, job: str) -> None:
        """Releases of the job that the ledger knows nothing of cannot be compared with."""
        known = {night.version for night in self.nights if night.job == job}
        first = min(known, default=0)
        unknown = [
            release.version
            for release in self.register.releases(job)
            if release.version > first
            and release.version not in known
            and self.register.show(release.run).status == PUBLISHED
        ]
        if unknown:
            raise CompositionRisk(
                f"not published: nobody can say who was in {listed_versions(sorted(unknown))}, which the ledger of {self.scope.source} "
                "does not know (published without the guard, by another version, or with another source, person key or audience)",
                'begin anew knowingly: kanon run JOB --rebase "why"',
            )

    def last_recoding(self, job: str) -> str | None:
        """The recoding of a job's last release."""
        return next((night.recoding for night in reversed(self.nights) if night.job == job), None)

    def last_sequence(self, job: str) -> int:
        """The number of a job's last release; 0 where it has none."""
        return max((night.sequence for night in self.nights if night.job == job), default=0)

    def other_jobs(self, job: str) -> list[str]:
        """The other jobs whose releases are in the ledger."""
        return sorted({night.job for night in self.nights if night.job != job})

    # -- writing, within the transaction that publishes

    def record(
        self,
        night: Night,
        read: LedgerNames,
        *,
        job: str,
        version: int,
        run: str,
        sequence: int,
        recoding: str,
        several: bool,
        how: str,
        why: str | None,
    ) -> None:
        """Enter a release. `read`: what it was compared with, which is empty where somebody begins anew."""
        self._check_nobody_was_faster(sequence)
        if self.in_place:
            if how == REBASED:
                for table in self.tables:
                    self.backend.execute(statements.ledger.clear(self.dialect, table))
            self._replace(night.people, night.cells)
        else:
            self.names = self._names(run)
            self._rebuild(read, night.people, night.cells)
        entries, checksum = self.state()
        entered = KnownNight(sequence, job, version, recoding, self.salt_digest, entries, checksum, int(several), how)
        if self.in_place:
            insert = statements.register.insert(self.dialect, self.names.nights, vars(entered))
        else:
            nights = [entered] if how == REBASED else [*self.nights, entered]
            insert = statements.ledger.rebuilt_nights(
                self.dialect, self.names.nights, [tuple(vars(night).values()) for night in nights]
            )
        self.backend.execute(insert)
        self.register.add_ledger_state(self.scope.id, job, LedgerState(sequence, entries, checksum, how, run), why)

    def forget(self, person: str, *, job: str, run: str, why: str) -> None:
        """A person leaves the ledger; the register says when and why, and not who. Within a transaction of the register."""
        ledger, dialect, last = statements.ledger, self.dialect, self.nights[-1]
        if self.in_place:
            self.backend.execute(ledger.forget_person(dialect, self.names.people, self.salt, person))
        else:
            before, self.names = self.names, self._names(run)
            self.backend.execute(ledger.without_person(dialect, self.names.people, before.people, self.salt, person))
            self.backend.execute(ledger.copied(dialect, self.names.cells, before.cells))
        entries, checksum = self.state()
        amended = replace(last, entries=entries, checksum=checksum)
        if self.in_place:
            statement = ledger.amend_night(dialect, self.names.nights, last.sequence, entries, checksum)
        else:
            rows = [tuple(vars(night).values()) for night in (*self.nights[:-1], amended)]
            statement = ledger.rebuilt_nights(dialect, self.names.nights, rows)
        self.backend.execute(statement)
        state = LedgerState(last.sequence, entries, checksum, FORGOTTEN, run)
        self.register.add_ledger_state(self.scope.id, job, state, why)

    def _replace(self, people: Relation, cells: Relation) -> None:
        """Entries and cells that changed, in place of what they were."""
        ledger, dialect = statements.ledger, self.dialect
        for statement in (
            ledger.forget_people(dialect, self.names.people, people),
            ledger.enter_people(dialect, self.names.people, people),
            ledger.forget_cells(dialect, self.names.cells, cells),
            ledger.enter_cells(dialect, self.names.cells, cells),
        ):
            self.backend.execute(statement)

    def _rebuild(self, read: LedgerNames, people: Relation, cells: Relation) -> None:
        for table in self.tables:
            self.backend.drop_table(table)
        ledger, dialect = statements.ledger, self.dialect
        self.backend.execute(ledger.rebuilt_people(dialect, self.names.people, read.people, people))
        self.backend.execute(ledger.rebuilt_cells(dialect, self.names.cells, read.cells, cells))

    def _check_nobody_was_faster(self, sequence: int) -> None:
        state = self.register.ledger_state(self.scope.id)
        found = self.backend.fetch(statements.ledger.known_nights(self.dialect, self.names)) if self.in_place else []
        if (state is not None and state.sequence >= sequence) or any(int(row.sequence) >= sequence for row in found):
            raise CompositionRisk(
                f"not published: another job released {self.scope.source} while this run was under way", "run again"
            )


def prepare_ledger(backend: Backend, register: Register, job: Job, *, rebase: bool = False) -> None:
    """Make the ledger, where the job has one, before anything reads the source."""
    if off(job) is None:
        Ledger(backend, register, scope_of(job, backend)).make(rebase)
