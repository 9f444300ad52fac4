"""From a verified staged table to what readers see: the stable view is switched in one transaction, its grants kept."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import TracebackType

from kanon_sql.backends.base import Backend
from kanon_sql.errors import KanonError, StatementTimedOut
from kanon_sql.release.dependents import drop_dependents, make_dependents
from kanon_sql.release.ownership import is_its_table
from kanon_sql.release.register import Register
from kanon_sql.sql import statements
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.relations import version_of
from kanon_sql.sql.statement import Statement

LOCK_SECONDS = 2.0
"""How long the switch waits for readers at a time: those who come after it wait behind it."""
SWITCH_ATTEMPTS = 150
DROP_LOCK_SECONDS = 1.0


def next_version(backend: Backend, register: Register, job: str, view: Relation) -> int:
    """A number no release has had: not in the register, nor among tables and views that only look like releases."""
    limit = backend.dialect.max_identifier_bytes
    taken = [version_of(relation.name, view, limit) or 0 for _, relation in backend.relations(str(view.schema))]
    return max(register.next_version(job), max(taken, default=0) + 1)


class Turn:
    """One of the times that a switch waits for its locks. Where that is not the last, the next one tries again what this could not have."""

    def __init__(self, last: bool) -> None:
        self.last = last
        self.done = False

    def __enter__(self) -> Turn:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        self.done = error is None
        return isinstance(error, StatementTimedOut) and not self.last


def turns() -> Iterator[Turn]:
    """`for turn in turns(): with turn, switching(...)`: a reader's open transaction holds the view, so the switch waits for it in short
    turns, and other readers get through between them."""
    for attempt in range(1, SWITCH_ATTEMPTS + 1):
        turn = Turn(last=attempt == SWITCH_ATTEMPTS)
        yield turn
        if turn.done:
            return
        time.sleep(0.5)


@contextmanager
def switching(
    backend: Backend,
    register: Register,
    view: Relation,
    table: Relation,
    staged: Relation | None = None,
    mark: str = "",
) -> Iterator[None]:
    """The transaction in which the view comes to read a release's table, which is `staged` so far; what is done is registered within it.

    An engine without transactions switches last: the register's rows can be taken back (`fail_run`, the janitor), the switch cannot.
    """
    whole = backend.capabilities.transactional_ddl
    with register.publishing(backend):
        backend.set_lock_timeout(LOCK_SECONDS)
        if staged is not None:
            backend.mark(staged, mark)
            if staged != table:
                backend.rename_table(staged, table)
        if whole:
            swap(backend, view, table)
        yield
    if not whole:
        swap(backend, view, table)


def swap(backend: Backend, view: Relation, table: Relation) -> None:
    """Point the view at a release. To be called inside a transaction."""
    shown_view, shown_table = _in_database(backend, view), _in_database(backend, table)
    before = [(column.name, column.type_name, column.collation) for column in backend.describe(view)]
    after = [(column.name, column.type_name, column.collation) for column in backend.describe(table)]
    compatible = not before or before == after[: len(before)] or not backend.capabilities.grants
    if compatible and backend.capabilities.grants:
        backend.execute(statements.release.swap(backend.dialect, shown_view, shown_table, replace=True))
        return
    restore = backend.privileges(view, [name for name, *_ in after]) if before else []
    if compatible:  # an embedded engine replaces a view of any shape, but forgets its comment
        backend.execute(statements.release.swap(backend.dialect, shown_view, shown_table, replace=True))
        for statement in restore:
            backend.execute(statement)
        backend.keep_view(view, table)
        return
    # The columns' types or collations changed, so the view must be made anew, and its grants and comments with it.
    built_on_it = drop_dependents(backend, view)
    backend.execute(Statement("release/drop_view", f"drop view {backend.dialect.relation(shown_view)}"))
    backend.execute(statements.release.swap(backend.dialect, shown_view, shown_table, replace=False))
    for statement in restore:
        backend.execute(statement)
    make_dependents(backend, view, built_on_it)


def drop_old(backend: Backend, register: Register, job: str, keep: int) -> list[str]:
    """Drop the releases beyond `keep`, and register it; one that somebody still reads is left to the next run.

    A table that took the name of a release is somebody's: the release is gone, the table stays.
    """
    gone = []
    for old in register.beyond_keep(job, keep):
        with suppress(KanonError), register.publishing(backend):
            backend.set_lock_timeout(DROP_LOCK_SECONDS)
            if is_its_table(backend, old):
                backend.drop_table(backend.relation(old.table))
                gone.append(old.table)
            register.dropped(job, old.table)
    return gone


def _in_database(backend: Backend, relation: Relation) -> Relation:
    """A name that stays true when the database file is renamed: without its catalog."""
    return Relation(relation.parts[-2:])
