"""From a verified staged table to what readers see: the stable view is switched in one transaction, its grants kept."""

from __future__ import annotations

from kanon_sql.backends.base import Backend
from kanon_sql.errors import JobError
from kanon_sql.sql import statements
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.statement import Statement


def check_target(backend: Backend, view: Relation) -> None:
    """The publish target must be free, or a view: a table of that name is somebody's data."""
    if backend.relation_kind(view) == "table":
        raise JobError(
            f"publish.table: {view.name} is a table; a release is published as a view of that name",
            "rename that table, or choose another publish.table",
        )


def swap(backend: Backend, view: Relation, table: Relation) -> None:
    """Point the view at a release. To be called inside a transaction."""
    shown_view, shown_table = _in_database(backend, view), _in_database(backend, table)
    before = [(column.name, column.type_name) for column in backend.describe(view)]
    after = [(column.name, column.type_name) for column in backend.describe(table)]
    compatible = not before or before == after[: len(before)] or not backend.capabilities.grants
    if compatible:
        backend.execute(statements.swap(backend.dialect, shown_view, shown_table, replace=True))
        backend.keep_view(view, table)
        return
    # The columns' types changed, so the view must be made anew, and its grants and comment with it.
    restore = backend.privileges(view)
    backend.execute(Statement("release/drop_view", f"drop view {backend.dialect.relation(shown_view)}"))
    backend.execute(statements.swap(backend.dialect, shown_view, shown_table, replace=False))
    for statement in restore:
        backend.execute(statement)


def drop_table(backend: Backend, table: Relation) -> None:
    backend.drop_table(table)


def _in_database(backend: Backend, relation: Relation) -> Relation:
    """A name that stays true when the database file is renamed: without its catalog."""
    return Relation(relation.parts[-2:])
