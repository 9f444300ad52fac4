"""The composition guard: what a release gives away together with all earlier ones of the same source, and who is withheld for it.

Whoever holds every release, and knows that a person is in the table, cannot narrow that person down further than to those who were in the
same classes wherever the person was. So for every cell of the ledger and every class of tonight, the people of that cell in that class are
none, or k or more; or they came later to people who are k or more and have been wherever they have been. Who is neither is withheld:
rows are left out, and the ledger remembers. See docs/nights.md for what is promised, and what `publish.guard: always` adds.
"""

from __future__ import annotations

import dataclasses

from kanon_sql.config.privacy_models import models_beyond_k
from kanon_sql.errors import CompositionRisk, VerificationFailed
from kanon_sql.model.counted import counted
from kanon_sql.release.composition import OF_GROUPS, OF_KEPT_GROUPS, WAYS_OUT, Composition, in_words, off, people_of
from kanon_sql.release.ledger import ACCEPTED, REBASED, UNCHANGED, Ledger, scope_of
from kanon_sql.release.recoding import GlobalRecoding, Recoding
from kanon_sql.release.register import Register
from kanon_sql.release.tonight import Tonight
from kanon_sql.sql import statements
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.statements.ledger import LedgerNames, Persons
from kanon_sql.workbench.privacy_shape import build_shape
from kanon_sql.workbench.workbench import Workbench


class CompositionGuard:
    """Holds a release against the ledger before it is staged, withholds whom it must, and enters the release into the ledger."""

    def __init__(self, bench: Workbench, register: Register, run: str, *, publishes: bool = True) -> None:
        """`publishes`: what the ledger would hold is written down and proven, to be recorded; a plan only wants to know."""
        self.bench = bench
        self.publishes = publishes
        self.job = bench.job
        self.dialect = bench.dialect
        self.backend = bench.backend
        self.register = register
        self.run = run
        self.off: Composition | None = None
        self.ledger: Ledger | None = None
        self.rebase: dict[str, str] | None = None
        self.accepted: dict[str, str] | None = None
        self.digest = ""
        self.sequence = 0
        self.several = False
        self.tonight = Tonight(bench)
        self.night = self.tonight.tables

    # -- opening

    def open(self, rebase: dict[str, str] | None = None, ledger: Ledger | None = None) -> None:
        """Read the ledger, on a prepared workbench; `off` says why where there is none to read. Raises where it is not to be believed."""
        self.off = off(self.job)
        if self.off is not None:
            return
        self.rebase = rebase
        self.ledger = ledger or Ledger(self.backend, self.register, scope_of(self.job, self.backend))
        self.ledger.open(self.job.name, rebase=rebase is not None)
        self.sequence = self.ledger.sequence
        self.several = self.bench.counts_persons or (rebase is None and self.ledger.several)
        self.names = self._emptied() if rebase is not None or self.ledger.empty else self.ledger.names
        for table in (self.names.people, self.names.cells):
            self.backend.analyze(table, often=False)

    def _emptied(self) -> LedgerNames:
        """A ledger without entries, to compare with where somebody begins anew."""
        assert self.ledger is not None
        names = LedgerNames(
            self.bench.names.ledger("no_people"), self.bench.names.ledger("no_cells"), self.ledger.names.nights
        )
        for table, statement in (
            (names.people, statements.ledger.people(self.dialect, names)),
            (names.cells, statements.ledger.cells(self.dialect, names)),
        ):
            self.bench.make_table(table, statement)
        return names

    # -- comparing

    def settled(
        self, found: Composition, recoding: Recoding, suppressed: int, accepted: dict[str, str] | None
    ) -> Composition:
        """What must not be published is refused, unless somebody answers for it: then people begin anew whom it singles out."""
        if accepted is not None:
            self.accepted = accepted
            taken = self.judge(recoding, self.digest, suppressed)
            return dataclasses.replace(found, status="accepted", accepted=accepted, night=taken.night)
        ways = WAYS_OUT if isinstance(recoding, GlobalRecoding) else OF_KEPT_GROUPS if recoding.kept else OF_GROUPS
        out = found.withheld + suppressed
        message = found.message.removeprefix("composition guard: ")
        message += f"; {counted(out, 'row')} would be left out, {self.bench.budget:,} may be"
        raise CompositionRisk(f"not published: {message}", ways)

    def judge(self, recoding: Recoding, digest: str, suppressed: int) -> Composition:
        """What a recoding gives away together with the earlier releases; status `blocked` where that must not be published.

        Rows that are withheld are out of the workbench's level views and of the account of a local recoding from then on.
        """
        ledger = self.ledger
        assert ledger is not None
        self.bench.withhold_nobody()
        self.tonight.drop()
        if self.digest:
            self.bench.drop_table(self.bench.names.violating)  # another node's
        self.digest = digest
        assert self.job.source.person is not None
        self.persons = self._persons(self.job.source.person)
        self.tonight.follow(recoding, self.names, ledger.salt, self.persons)
        self._decide(recoding)
        return self._described(recoding, suppressed)

    def _persons(self, person: str) -> Persons:
        assert self.ledger is not None
        nameless = self.bench.nameless
        if nameless is None:
            found = self.backend.fetch_one(statements.ledger.nameless(self.dialect, self.bench.source, person))
            nameless = bool(found.nameless)
        known = self.rebase is None and bool(self.ledger.nights)
        single = not self.several and not nameless and not self.ledger.entry_per_row
        return Persons(self.ledger.salt, self.several, nameless, known, single)

    def _decide(self, recoding: Recoding) -> None:
        """What becomes of each batch, and what the ledger holds then."""
        ledger, statement = self.ledger, statements.ledger
        assert ledger is not None
        assert self.job.publish is not None
        dialect, night, names, k = self.dialect, self.night, self.names, self.job.privacy.k
        strict = self.job.publish.guard == "always"
        self.unchanged = self.rebase is None and ledger.last_recoding(self.job.name) == self.digest
        self.tonight.make("batches", statement.batches(dialect, night, names, self.job.name, self.digest, self.several))
        poor = self.judges_models = self._find_poor()
        self.tonight.make(
            "decided",
            statement.decided(
                dialect,
                night,
                names,
                self.job.name,
                k,
                poor=poor,
                strict=strict,
                accepted=self.accepted is not None,
            ),
        )
        tops = self.backend.fetch_one(statement.tops(dialect, names))
        self.tonight.make("outcomes", statement.outcomes(dialect, night, int(tops.cell), int(tops.trail)))
        self.has_fellows = strict and self.accepted is None
        if self.has_fellows:
            self.tonight.make("fellows", statement.fellows(dialect, night, names, k, whole=bool(self._models)))
        self.tonight.make("people", statement.new_people(dialect, night, self.sequence, self.several, self.has_fellows))
        if self.publishes:
            self.tonight.make(
                "cells",
                statement.new_cells(
                    dialect,
                    night,
                    names,
                    self.job.name,
                    self.digest,
                    self.sequence,
                    ledger.last_sequence(self.job.name),
                ),
            )

    @property
    def _models(self) -> list[str]:
        return [model.name for model in models_beyond_k(self.job) if model.column is not None]

    def _find_poor(self) -> bool:
        """The batches that fail a privacy model about a sensitive column; returns whether there are such models."""
        if not self._models:
            return False
        bench = self.bench
        sensitive = [(index, bench.names.sensitive(index)) for index in range(len(bench.sensitive))]
        self.tonight.make("batch_rows", statements.ledger.batch_rows(self.dialect, self.night, sensitive))
        shape = build_shape(bench, (), (), of_population=False).shape
        source = statements.checks.FrequencySource(self.night.batch_rows, dict(sensitive), bench.rows)
        shape = dataclasses.replace(shape, k=1)
        self.tonight.make("poor", statements.release.violating(self.dialect, self.night.poor, source, ["batch"], shape))
        return True

    # -- what was found

    def _described(self, recoding: Recoding, suppressed: int) -> Composition:
        job, ledger = self.job, self.ledger
        assert job.publish is not None
        assert ledger is not None
        earlier = [] if self.rebase is not None else ledger.nights
        versions = [night.version for night in earlier if night.job == job.name]
        others = [] if self.rebase is not None else ledger.other_jobs(job.name)
        found = people_of(self.backend.fetch(statements.ledger.night_figures(self.dialect, self.night)))
        figures = found.figures | {
            "left": self._left(),
            "withheld": self.tonight.withhold(recoding, self.persons, self.has_fellows)
            if found.below or self.has_fellows
            else 0,
        }
        poor_sets = self._poor_sets()
        message = in_words(job.privacy.k, figures, found.below, found.sets_below, versions, others)
        for column, count in poor_sets.items():
            message += (
                f"; {counted(count, 'set')} of k or more {'fails' if count == 1 else 'fail'} a privacy model ({column})"
            )
        overdue = self._wait(figures)
        if overdue:
            message += f"; {overdue}"
        over = figures["withheld"] + suppressed > self.bench.budget and figures["withheld"] > 0
        lenient = recoding.kept and job.publish.guard != "always"
        status = "blocked" if over and not lenient else "noted" if figures["withheld"] or overdue else "passed"
        if not earlier and not figures["withheld"]:
            message = "nothing to compare with, this is the first release in the ledger"
        if self.rebase is not None:
            message = "the ledger begins anew with this release: " + message
        if self.publishes and status != "blocked" and self.accepted is None:
            self._prove()
        return Composition(
            status=status,
            message=f"composition guard: {message}",
            versions=versions,
            changed=bool(versions) and not self.unchanged,
            smallest=found.smallest,
            sets_below=found.sets_below,
            below=found.below,
            poor_sets=poor_sets,
            rebased=self.rebase,
            night=figures,
            jobs=others,
            audience=job.publish.audience,
        )

    def _left(self) -> int:
        if not self.persons.known:
            return 0
        left = statements.ledger.left(self.dialect, self.night, self.names, self.job.name, self.several)
        return int(self.backend.fetch_one(left).persons)

    def _wait(self, figures: dict[str, int]) -> str:
        """How long people have waited; says so where that is longer than the job wants."""
        assert self.ledger is not None
        assert self.job.publish is not None
        own = [night.sequence for night in self.ledger.nights if night.job == self.job.name]
        if self.rebase is not None or not own:
            return ""
        wait = self.job.publish.wait
        since = own[-wait] if wait is not None and len(own) >= wait else 0
        found = self.backend.fetch_one(statements.ledger.waiting(self.dialect, self.night, self.names, since))
        figures["nights_waited"] = sum(sequence >= int(found.oldest) for sequence in own) if found.persons else 0
        figures["overdue"] = int(found.overdue) if wait is not None else 0
        if not figures["overdue"]:
            return ""
        people = counted(figures["overdue"], "person waits", "people wait")
        return f"{people} since {counted(wait or 0, 'night')} or longer (publish.wait): k of them must come together"

    def _poor_sets(self) -> dict[str, int]:
        if not self.judges_models:
            return {}
        statement = statements.ledger.poor_sets(self.dialect, self.night, self.job.privacy.k)
        count = int(self.backend.fetch_one(statement).sets)
        return {", ".join(self.job.privacy.sensitive_columns): count} if count else {}

    def _prove(self) -> None:
        """The obligation, by a statement of its own: no cell below k that nobody covers."""
        assert self.job.publish is not None
        statement = statements.ledger.proof(
            self.dialect,
            self.night,
            self.names,
            self.job.privacy.k,
            strict=self.job.publish.guard == "always",
            persons=self.persons,
            fellows=self.has_fellows,
        )
        found = self.backend.fetch_one(statement)
        if int(found.cells):
            raise VerificationFailed(
                f"{int(found.cells)} cells of the release at hand have fewer than k = {self.job.privacy.k} persons: nothing was published",
                "report it with --debug",
            )

    # -- publishing

    def settle(self) -> None:
        """Nothing judges any more: drop what only that reads, before staging wants the room."""
        self.tonight.drop(kept=("people", "cells", "withheld"))

    @property
    def kept_tables(self) -> list[Relation]:
        """The work tables that `record` reads."""
        return [self.night.people, self.night.cells]

    def record(self, version: int) -> None:
        """Within the publishing transaction."""
        if self.ledger is None:
            return
        how = REBASED if self.rebase else ACCEPTED if self.accepted else UNCHANGED
        why = (self.rebase or self.accepted or {}).get("why")
        self.ledger.record(
            self.night,
            self.names,
            job=self.job.name,
            version=version,
            run=self.run,
            sequence=self.sequence,
            recoding=self.digest,
            several=self.several,
            how=how,
            why=why,
        )
