"""The work tables and views that a run has made: written down before the first, dropped when it ends, however it ends."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from kanon_sql.backends.base import Backend
from kanon_sql.backends.stopping import stops
from kanon_sql.errors import KanonError
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.relations import WorkNames
from kanon_sql.sql.statement import Statement


class WorkTables:
    """One run's work tables on one engine. Use it as a context manager: leaving drops them. `made`: what there is, in turn."""

    def __init__(self, backend: Backend, run: str) -> None:
        self.backend = backend
        self.dialect = backend.dialect
        self.names = WorkNames(backend.work_schema, run, backend.dialect.max_identifier_bytes)
        self.made: list[tuple[str, Relation]] = []
        self._enlisted = False

    def __enter__(self) -> Self:
        # While the claim holds, a janitor leaves this run's work tables alone.
        self.backend.claim(f"run {self.names.run}")
        return self

    def enlist(self) -> None:
        """Write this run down where its work tables will be, before the first of them; once is enough."""
        if not self._enlisted:
            self._enlisted = True
            self.backend.enlist(self.names.run)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Drop every work table; a connection that is gone has nothing left to drop by it."""
        with contextlib.suppress(KanonError), stops.shielded():  # what a lost connection leaves, a run's janitor finds
            self.backend.drop_work(self.made)
            stops.clear("work table", sum(kind == "table" for kind, _ in self.made))
            if self._enlisted:
                self.backend.delist(self.names.run)
        self.made.clear()

    def drop_all_but(self, kept: Sequence[Relation]) -> None:
        """Drop the work tables that nothing reads any more."""
        self.backend.drop_work([each for each in self.made if each[1] not in kept])
        self.made = [each for each in self.made if each[1] in kept]

    def _make(self, kind: str, relation: Relation, statement: Statement) -> None:
        self.enlist()
        self.made.append((kind, relation))
        self.backend.execute(statement)

    def _make_all(self, tables: Sequence[tuple[Relation, Statement]]) -> None:
        self.enlist()
        self.made += [("table", table) for table, _ in tables]
        self.backend.execute_all([statement for _, statement in tables])

    def make_table(self, table: Relation, statement: Statement) -> None:
        """Another work table of this run, dropped with the rest."""
        self._make("table", table, statement)

    def make_view(self, view: Relation, statement: Statement) -> None:
        """Another work view of this run, dropped with the rest."""
        self._make("view", view, statement)

    def drop_view(self, view: Relation) -> None:
        """Drop a work view before the rest: it would hold on to a table that goes or gets another name."""
        self.backend.drop_work([("view", view)])
        # Not before: after an interrupt `close` drops it, or what it reads could not be dropped either.
        self.made.remove(("view", view))

    def drop_table(self, table: Relation) -> None:
        """Drop a work table before the rest, where it is there, to make it anew."""
        if ("table", table) in self.made:
            self.backend.drop_work([("table", table)])
            self.made.remove(("table", table))
