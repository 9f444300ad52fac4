"""The ledger: one row per person (or row of a person), in a schema of its own next to the source, shared by all jobs that read that source.

People with exactly the same history over all releases are a cell, and a cell is a number. So the ledger remembers everything that was ever
released, whatever `publish.keep` says, and is no larger than the source. Persons are salted digests; the salt is with the register, apart
from the ledger. Both know how much the ledger held after each release: one that lost entries is not believed.
"""

from __future__ import annotations

import hashlib
import os
import secrets
from dataclasses import dataclass

from kanon_sql.backends.base import Backend
from kanon_sql.config.schema import Job
from kanon_sql.errors import CompositionRisk, JobError
from kanon_sql.model.counted import listed_versions
from kanon_sql.release.entries import PUBLISHED
from kanon_sql.release.register import LedgerState, Register
from kanon_sql.sql import statements
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.statements.ledger import LedgerNames, Night

SCHEMA = "kanon_ledger"
EVERYBODY = "everybody"
"""The audience of jobs that name none: their releases are taken to meet in one reader's hands."""
ANEW = 'restore it from a backup, or begin anew knowingly: kanon run JOB --rebase "why"'
UNCHANGED, ACCEPTED, REBASED = "night", "accepted", "rebase"


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
    """The ledger of one scope on one engine."""

    def __init__(self, backend: Backend, register: Register, scope: Scope) -> None:
        self.backend = backend
        self.dialect = backend.dialect
        self.register = register
        self.scope = scope
        self.names = LedgerNames(*(self._relation(what) for what in ("people", "cells", "nights")))
        self.nights: list[KnownNight] = []
        self.salt = ""

    def _relation(self, what: str) -> Relation:
        return self.backend.relation(f"{SCHEMA}.{what}_{self.scope.id}")

    @property
    def tables(self) -> tuple[Relation, Relation, Relation]:
        return self.names.people, self.names.cells, self.names.nights

    @property
    def salt_digest(self) -> str:
        return hashlib.sha256(f"kanon_sql {self.salt}".encode()).hexdigest()[:16]

    @property
    def sequence(self) -> int:
        """The number of the release at hand."""
        state = self.register.ledger_state(self.scope.id)
        return max((night.sequence for night in self.nights), default=state.sequence if state else 0) + 1

    @property
    def several(self) -> bool:
        """Whether persons had several rows once: then rows are told apart from then on."""
        return any(night.several for night in self.nights)

    # -- opening

    def make(self, rebase: bool = False) -> None:
        """Make the ledger where there is none yet; one that should be there and is not is not made anew without a word."""
        missing = [table for table in self.tables if not self.backend.exists(table)]
        if not missing:
            return
        state = self.register.ledger_state(self.scope.id)
        if not rebase and (state is not None or len(missing) < len(self.tables)):
            raise CompositionRisk(
                f"not published: the ledger of {self.scope.source} is gone, or a part of it ({', '.join(map(str, missing))})",
                ANEW,
            )
        self.backend.create_schema(SCHEMA)
        for table, statement in (
            (self.names.people, statements.ledger.people(self.dialect, self.names)),
            (self.names.cells, statements.ledger.cells(self.dialect, self.names)),
            (self.names.nights, statements.ledger.nights(self.dialect, self.names, self.backend.capabilities.update)),
        ):
            if table in missing:
                self.backend.execute(statement)

    def open(self, job: str, *, rebase: bool = False) -> None:
        """Read what the ledger knows, find the salt, and refuse what cannot be believed. `rebase`: all of that is given up."""
        found = self.backend.fetch(statements.ledger.known_nights(self.dialect, self.names))
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
            salt = secrets.token_hex(32)
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
        return int(row.entries), str(int(row.checksum))

    def _check_entries(self) -> None:
        """A ledger that lost entries would take people for strangers, and let through what singles them out."""
        known = self.register.ledger_state(self.scope.id)
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

    def other_jobs(self, job: str) -> list[str]:
        """The other jobs whose releases are in the ledger."""
        return sorted({night.job for night in self.nights if night.job != job})

    # -- writing, within the transaction that publishes

    def record(
        self,
        night: Night,
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
        """Enter a release."""
        self._check_nobody_was_faster(sequence, how)
        if how == REBASED:
            for table in self.tables:
                self.backend.execute(statements.ledger.clear(self.dialect, table))
        self.replace(night.people, night.cells)
        entries, checksum = self.state()
        values = {
            "sequence": sequence,
            "job": job,
            "version": version,
            "recoding": recoding,
            "salt_digest": self.salt_digest,
            "entries": entries,
            "checksum": checksum,
            "several": int(several),
            "how": how,
        }
        self.backend.execute(statements.register.insert(self.dialect, self.names.nights, values))
        self.register.add_ledger_state(self.scope.id, job, LedgerState(sequence, entries, checksum, how, run), why)

    def replace(self, people: Relation, cells: Relation) -> None:
        """Entries and cells that changed, in place of what they were."""
        ledger, dialect = statements.ledger, self.dialect
        for statement in (
            ledger.forget_people(dialect, self.names.people, people),
            ledger.enter_people(dialect, self.names.people, people),
            ledger.forget_cells(dialect, self.names.cells, cells),
            ledger.enter_cells(dialect, self.names.cells, cells),
        ):
            self.backend.execute(statement)

    def _check_nobody_was_faster(self, sequence: int, how: str) -> None:
        found = self.backend.fetch(statements.ledger.known_nights(self.dialect, self.names))
        if how != REBASED and any(int(row.sequence) >= sequence for row in found):
            raise CompositionRisk(
                f"not published: another job released {self.scope.source} while this run was under way", "run again"
            )
