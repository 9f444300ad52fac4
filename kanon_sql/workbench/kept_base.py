"""The base frequency set, kept from night to night and refreshed: only the parts of the source that changed are counted again.

A part is a range of the column the job names: `source.append_key` (rows are only ever added, with ever greater keys) or
`source.changed_at` (a row's last change). The column only divides the source: what is kept of a part is believed if a digest of the
part's rows agrees, and is counted again if it does not. So a date that is wrong or did not change, and a base that somebody touched,
cost time and nothing else. Counts only are kept, never persons.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from kanon_sql.backends.base import Backend
from kanon_sql.config.attributes import ColumnKind
from kanon_sql.config.schema import Job
from kanon_sql.errors import ColumnError
from kanon_sql.model.counted import counted
from kanon_sql.sql import statements
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.relations import KEPT_PREFIX
from kanon_sql.sql.statement import Statement

if TYPE_CHECKING:
    from kanon_sql.workbench.workbench import Workbench

KEYS_PER_PART = 100_000
PARTS_PER_STATEMENT = 500
NULL_PART = -1


def changes_column(job: Job) -> str | None:
    """The column that tells of changes, if the job names one."""
    return job.source.append_key or job.source.changed_at


class KeptBase:
    """The kept base of one job: one table, named after the job and after what it counts."""

    def __init__(
        self, backend: Backend, job: Job, source: Relation, columns: Sequence[tuple[str, str]], origin: str
    ) -> None:
        """`origin` tells the table and its types: what was counted of others does not fit."""
        self.backend = backend
        self.dialect = backend.dialect
        self.source = source
        self.columns = columns
        self.column = str(changes_column(job))
        counted = repr([origin, self.column, [name for _, name in columns]])
        self.prefix = f"{KEPT_PREFIX}{hashlib.sha256(job.name.encode()).hexdigest()[:12]}_"
        name = self.prefix + hashlib.sha256(counted.encode()).hexdigest()[:12]
        self.table = backend.kept_relation(name)
        self.mark = f"kept base of {job.name}"
        self.mended = 0

    def refresh(self, kinds: Mapping[str, ColumnKind]) -> tuple[int, int]:
        """Bring the kept base to tonight's source; returns how many parts were read again, and of how many."""
        part = self._part(kinds)
        self._forget_others()
        if not self.backend.exists(self.table):
            self.backend.create_schema(str(self.table.schema))
            with self.backend.transaction():
                self.backend.execute(statements.kept.create(self.dialect, self.table, self.source, part, self.columns))
                self.backend.mark(self.table, self.mark)
                self.backend.close_to_others(self.table)
        here = [self.dialect.read(self.dialect.identifier(name), kinds[name].form) for _, name in self.columns]
        there = [self.dialect.read(alias, kinds[name].form) for alias, name in self.columns]
        found = self.backend.fetch(statements.kept.stale(self.dialect, self.table, self.source, part, here, there))
        stale = [int(row.part) for row in found]
        with self.backend.transaction():
            for start in range(0, len(stale), PARTS_PER_STATEMENT):
                parts = stale[start : start + PARTS_PER_STATEMENT]
                self.backend.execute(statements.kept.forget(self.dialect, self.table, parts))
                refresh = statements.kept.refresh(self.dialect, self.table, self.source, part, self.columns, parts)
                self.backend.execute(refresh)
        counted = f"select count(distinct part) as parts from {self.dialect.relation(self.table)}"
        all_parts = self.backend.fetch_one(Statement("kept/parts", counted)).parts
        # As many rows as are kept, but others: they changed in place, or the base is not what it was.
        self.mended = sum(int(row.known) for row in found)
        return sum(int(row.is_there) for row in found), int(all_parts)

    def is_ours(self) -> bool:
        """Whether the table is free to be made, or was made by this job: one that only has its name is left alone."""
        return not self.backend.exists(self.table) or self.backend.mark_of(self.table) == self.mark

    def raw(self, table: Relation) -> Statement:
        """The statement that makes the base frequency set of it."""
        return statements.kept.raw(self.dialect, table, self.table, self.columns)

    def _part(self, kinds: Mapping[str, ColumnKind]) -> str:
        if self.column not in kinds:
            raise ColumnError(f"source: there is no column {self.column} to tell changes by", "name one of the table's")
        kind = kinds[self.column][0]
        column = self.dialect.identifier(self.column)
        if kind == "integer":
            number = f"floor(cast({column} as {self.dialect.types['double']}) / {KEYS_PER_PART})"
        elif kind in ("date", "timestamp", "timestamptz"):
            moment = self.dialect.at_utc(column) if kind == "timestamptz" else column
            number = f"floor(extract(epoch from {moment}) / 86400)"
        else:
            raise ColumnError(
                f"source: {self.column} is of type {kinds[self.column][2]}",
                "changes are told by a number, a date or a time",
            )
        return f"coalesce(cast({number} as {self.dialect.types['integer']}), {NULL_PART})"

    def _forget_others(self) -> None:
        """What an earlier job of this name counted is of no use any more."""
        for kind, relation in self.backend.relations(str(self.table.schema)):
            if kind != "table" or not relation.name.startswith(self.prefix) or relation.name == self.table.name:
                continue
            if self.backend.mark_of(relation) == self.mark:
                drop = f"drop table if exists {self.dialect.relation(relation)}"
                self.backend.execute(Statement("kept/drop", drop))


def raw_statement(bench: Workbench, columns: list[tuple[str, str]]) -> Statement:
    """Count the source, or bring what was counted last night up to date."""
    if not bench.keeps_base or changes_column(bench.job) is None or bench.job.source.file is not None:
        return statements.levels.raw(bench.dialect, bench.names.raw, bench.source, columns)
    if not bench.backend.capabilities.update:
        bench.notes.append("the base frequency set was counted anew: this engine cannot keep one (no DELETE)")
        return statements.levels.raw(bench.dialect, bench.names.raw, bench.source, columns)
    if bench.counts_persons:
        bench.notes.append("the base frequency set was counted anew: persons with several rows cannot be kept")
        return statements.levels.raw(bench.dialect, bench.names.raw, bench.source, columns)
    kept = KeptBase(bench.backend, bench.job, bench.source, columns, repr([bench.table.parts, bench.described]))
    if not kept.is_ours():
        bench.notes.append(
            f"the base frequency set was counted anew: {kept.table} does not carry this job's mark; drop it if nobody needs it"
        )
        return statements.levels.raw(bench.dialect, bench.names.raw, bench.source, columns)
    again, parts = kept.refresh(bench.kinds)
    bench.notes.append(
        f"the base frequency set was refreshed: {again:,} of {counted(parts, 'part')} of the source were read again"
    )
    if kept.mended:
        bench.notes.append(
            f"in {kept.mended:,} of these parts the kept base did not agree with the source, though it has as many rows: counted again"
        )
    return kept.raw(bench.names.raw)
