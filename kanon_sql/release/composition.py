"""The ledger: who was in which class of which release, so that releasing again does not single anybody out.

Releases of one table can be put together: who shares a class with k - 1 others in each of them may share all of them with nobody.
Persons who have the same classes in every release are a candidate set; so are those who joined, and those who left, with one release.
The ledger lives in a schema of its own, next to the source; persons are salted digests, classes are numbers, and it remembers no
release that is not kept any more.
"""

from __future__ import annotations

import hashlib
import os
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field

from kanon_sql.backends.base import Backend
from kanon_sql.config.privacy_models import values_left
from kanon_sql.config.schema import Job
from kanon_sql.errors import CompositionRisk, JobError
from kanon_sql.model.counted import counted, listed_versions
from kanon_sql.release.recoding import GlobalRecoding, Recoding
from kanon_sql.release.register import Register
from kanon_sql.release.retention import SCHEMA
from kanon_sql.sql import statements
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.statement import Statement
from kanon_sql.sql.statements.ledger import LedgerNames
from kanon_sql.workbench.workbench import Workbench

WAYS_OUT = (
    "keep last night's recoding (search.reuse), generalize further than it, release when more people have joined or left, "
    'or publish knowingly: --accept-composition "why"'
)

OF_GROUPS = (
    "groups are made anew every night: publish once, or use a lattice search whose recoding is kept (search.reuse), "
    'or publish knowingly: --accept-composition "why"'
)


@dataclass(frozen=True)
class Composition:
    """What the guard found. `below` counts, per kind of candidate set, the persons in sets smaller than k."""

    status: str
    message: str
    versions: list[int] = field(default_factory=list)
    changed: bool = False
    smallest: int | None = None
    sets_below: int = 0
    below: dict[str, int] = field(default_factory=dict)
    poor_sets: dict[str, int] = field(default_factory=dict)
    accepted: dict[str, str] | None = None

    def to_dict(self) -> dict[str, object]:
        return {key: value for key, value in vars(self).items() if value is not None}


class Ledger:
    """The ledger of one job on one engine."""

    def __init__(self, backend: Backend, register: Register, job: str) -> None:
        self.backend = backend
        self.dialect = backend.dialect
        self.register = register
        self.job = job
        self.names = LedgerNames(backend.relation(f"{SCHEMA}.releases"), backend.relation(f"{SCHEMA}.memberships"))
        self.salt = ""

    def open(self) -> None:
        """Make the ledger unless it is there, and find the salt."""
        if not self.backend.exists(self.names.memberships) or not self.backend.exists(self.names.releases):
            self.backend.create_schema(SCHEMA)
            self.backend.execute(statements.ledger.releases(self.dialect, self.names))
            self.backend.execute(statements.ledger.memberships(self.dialect, self.names))
        self.salt = os.environ.get("KANON_SALT") or self.register.salt(self.job, secrets.token_hex(32))

    @property
    def salt_digest(self) -> str:
        return hashlib.sha256(f"kanon_sql {self.salt}".encode()).hexdigest()[:16]

    def remembered(self) -> dict[int, str]:
        """The releases the ledger remembers: version to recoding. Another salt than theirs makes strangers of everybody."""
        rows = self.backend.fetch(statements.ledger.remembered(self.dialect, self.names, self.job))
        if any(digest != self.salt_digest for _, _, digest in rows):
            raise JobError(
                "KANON_SALT is not the salt of the earlier releases: the ledger cannot be compared with",
                f"set the salt they were made with, or forget them: delete from {SCHEMA}.releases and {SCHEMA}.memberships",
            )
        # Beside the digest of the recoding stands how many entries the release made; ledgers of before 0.2 do not have it.
        written = {int(version): str(recoding).split() for version, recoding, _ in rows}
        self._check_entries(
            {version: int(parts[1]) for version, parts in written.items() if len(parts) > 1}, set(written)
        )
        return {version: parts[0] for version, parts in written.items()}

    def _check_entries(self, entered: dict[int, int], known: set[int]) -> None:
        """A ledger that lost entries would take people for strangers, and let through what singles them out."""
        found = {
            int(row.version): int(row.entries)
            for row in self.backend.fetch(statements.ledger.entries(self.dialect, self.names, self.job))
        }
        lost = sorted(
            {version for version, count in entered.items() if found.get(version, 0) != count} | (set(found) - known)
        )
        if lost:
            raise CompositionRisk(
                f"not published: the ledger's entries of {listed_versions(lost)} are not those that were made",
                f"restore {SCHEMA} from a backup; or begin anew knowingly: delete this job's rows from {SCHEMA}.releases and "
                f"{SCHEMA}.memberships, and answer for it with --accept-composition",
            )

    def members(self, bench: Workbench, recoding: Recoding, person: str, sensitive: Sequence[str]) -> Relation:
        """Tonight's members, as a work table."""
        table = bench.names.members
        if not isinstance(recoding, GlobalRecoding):
            bench.make_table(table, self._behind(bench, table, recoding))
            return table
        keys = bench.keys(recoding.node, prefix=f"rows.{bench.code_prefix}")
        violating = recoding.violating(bench) if recoding.suppressed and keys else None
        named = [(f"s{index}", name) for index, name in enumerate(sensitive)]
        statement = statements.ledger.members(
            self.dialect, table, bench.coded_view(), person, self.salt, named, violating, keys
        )
        bench.make_table(table, statement)
        return table

    def _behind(self, bench: Workbench, table: Relation, recoding: Recoding) -> Statement:
        behind = recoding.staged_persons(bench)
        assert behind is not None
        named = [(f"s{index}", name) for index, (name, _) in enumerate(behind.sensitive)]
        number = f"{bench.code_prefix}class"
        columns = recoding.quasi_columns(bench)
        return statements.ledger.members_behind(
            self.dialect, table, behind.table, columns, behind.person, number, self.salt, named
        )

    def compare(
        self, bench: Workbench, members: Relation, version: int, last: int, asked: dict[str, tuple[str, int]]
    ) -> tuple[dict[str, tuple[int, int, int]], dict[str, int]]:
        """Candidate sets per kind (smallest, sets below k, persons in them), and per column the sets with too few values."""
        trails = bench.names.trails
        statement = statements.ledger.trails(self.dialect, self.names, trails, members, self.job, version, last)
        bench.make_table(trails, statement)
        found = self.backend.fetch(statements.ledger.candidates(self.dialect, trails, bench.job.privacy.k))
        sets = {str(kind): (int(smallest), int(below), int(people)) for kind, _, smallest, below, people in found}
        poor = {}
        for column, (alias, least) in asked.items():
            statement = statements.ledger.values_left(self.dialect, trails, members, alias, least)
            if count := int(self.backend.fetch_one(statement)[0]):
                poor[column] = count
        return sets, poor

    def record(self, members: Relation, version: int, recoding: str) -> None:
        """Enter a release, within the transaction that publishes it."""
        entries = int(self.backend.fetch_one(statements.ledger.entered(self.dialect, members)).entries)
        values = {
            "job": self.job,
            "version": version,
            "recoding": f"{recoding} {entries}",
            "salt_digest": self.salt_digest,
        }
        self.backend.execute(statements.register.insert(self.dialect, self.names.releases, values))
        self.backend.execute(statements.ledger.record(self.dialect, self.names, members, self.job, version))


def prepare_ledger(backend: Backend, register: Register, job: Job) -> None:
    """Make the ledger, where the job has one, before anything reads the source."""
    guarded = job.publish is not None and job.publish.guard != "never" and job.source.person is not None
    if guarded and backend.capabilities.update:
        Ledger(backend, register, job.name).open()


class CompositionGuard:
    """Compares a release with the earlier ones of its job before it is published, and enters it into the ledger with it."""

    def __init__(self, bench: Workbench, register: Register, recoding: Recoding, digest: str) -> None:
        self.bench = bench
        self.job = bench.job
        self.recoding = recoding
        self.digest = digest
        self.ledger = Ledger(bench.backend, register, bench.job.name)
        self.members: Relation | None = None

    def check(self, version: int, last: int | None, accepted: dict[str, str] | None) -> Composition:
        """What the releases together give away; raises CompositionRisk when that must not be published."""
        job = self.job
        assert job.publish is not None
        person = job.source.person
        if job.publish.guard == "never":
            return Composition("off", "composition guard: off (publish.guard)")
        if person is None:
            return Composition("off", "composition guard: off, because the job names no person key (source.person)")
        if not self.bench.backend.capabilities.update:
            return Composition("off", "composition guard: off, because this engine cannot keep a ledger (no DELETE)")
        self.ledger.open()
        earlier = self.ledger.remembered()
        asked = {column: (f"s{index}", least) for index, (column, least) in enumerate(values_left(job).items())}
        self.members = self.ledger.members(self.bench, self.recoding, person, list(asked))
        if not earlier or last is None:
            return Composition(
                "passed", "composition guard: nothing to compare with, this is the first release in the ledger"
            )
        sets, poor = self.ledger.compare(self.bench, self.members, version, last, asked)
        return self._judged(sets, poor, earlier, last, accepted)

    def _judged(
        self,
        sets: dict[str, tuple[int, int, int]],
        poor: dict[str, int],
        earlier: dict[int, str],
        last: int,
        accepted: dict[str, str] | None,
    ) -> Composition:
        job = self.job
        assert job.publish is not None
        changed = earlier.get(last) != self.digest
        below = {kind: people for kind, (_, _, people) in sets.items() if people}
        sets_below = sum(count for _, count, _ in sets.values())
        smallest = min((smallest for smallest, _, _ in sets.values()), default=None)
        risky = bool(below or (poor and changed))
        kinds = ", ".join(f"{people:,} who {kind}" for kind, people in below.items())
        message = (
            f"together with {listed_versions(list(earlier))}, {counted(sum(below.values()), 'person', 'people')} "
            f"{'is' if sum(below.values()) == 1 else 'are'} in {counted(sets_below, 'candidate set')} below k = {job.privacy.k} ({kinds})"
            if below
            else f"no candidate set below k = {job.privacy.k} together with {listed_versions(list(earlier))}"
        )
        if poor:
            message += "; too few sensitive values remain in " + ", ".join(
                f"{counted(n, 'set')} ({c})" for c, n in poor.items()
            )
        blocks = risky and (changed or job.publish.guard == "always")
        status = "passed" if not risky else "noted" if not blocks else "blocked" if accepted is None else "accepted"
        if status == "noted":
            message += "; the recoding is last night's, so this is what anybody sees who compares two nights"
        found = Composition(
            status=status,
            message=f"composition guard: {message}",
            versions=list(earlier),
            changed=changed,
            smallest=smallest,
            sets_below=sets_below,
            below=below,
            poor_sets=poor,
            accepted=accepted if status == "accepted" else None,
        )
        if status == "blocked":
            raise CompositionRisk(
                f"not published: {message}", WAYS_OUT if isinstance(self.recoding, GlobalRecoding) else OF_GROUPS
            )
        return found

    def record(self, version: int) -> None:
        """Within the publishing transaction."""
        if self.members is not None:
            self.ledger.record(self.members, version, self.digest)
