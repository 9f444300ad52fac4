"""Views that people built on a release: a release whose columns change type is made anew, and they with it."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.backends.base import Backend, Dependent
from kanon_sql.errors import JobError, StatementFailed
from kanon_sql.model.counted import counted
from kanon_sql.model.names import written_name
from kanon_sql.release.column_types import ChangingColumns
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.statement import Statement

WAY_OUT = "let their owner drop them for this run, or give this user their role"
OLD_TYPES = "publish.types: {{{columns}}} keeps the types that went with the level"


def foretell_dependents(backend: Backend, view: Relation, changing: ChangingColumns) -> tuple[str, str]:
    """What to hear before a search of the views built on a release: those that can follow it, and those that cannot."""
    if not changing.certain and not changing.possible:
        return "", ""
    found = backend.dependents(view)
    ours = [one for one in found if one.ours]
    others = [one for one in found if not one.ours]
    when = (
        _changed(view, changing.certain)
        if changing.certain
        else f"where {_listed(changing.possible)} gets another type"
    )
    following = f"{_named(ours)} on {view.name}: made anew, since {when}" if ours and changing.certain else ""
    if ours and not changing.certain:
        following = f"{_named(ours)} on {view.name}: made anew {when}"
    blocking = ""
    if others and changing.certain:
        blocking = f"{_named(others)} on {view.name} and cannot be made anew by this user, but {when}: a run will stop"
    elif others:
        blocking = f"{_named(others)} on {view.name} and cannot be made anew by this user: a run will stop {when}"
    return following, blocking


def stop_for_dependents(backend: Backend, view: Relation, changing: ChangingColumns) -> None:
    """Refuse before the search what the switch would have to refuse after it."""
    if not changing.certain:
        return
    if others := [one for one in backend.dependents(view) if not one.ours]:
        raise JobError(
            f"{_changed(view, changing.certain)}, and {_named(others)} on it, which this user cannot make anew",
            f"{WAY_OUT}; or {keeping_types(changing.certain)}",
        )


def keeping_types(columns: Sequence[str]) -> str:
    """How a job keeps the types that releases had while they went with the level."""
    return OLD_TYPES.format(columns=", ".join(f"{name}: stored" for name in columns))


def drop_dependents(backend: Backend, view: Relation) -> list[Statement]:
    """Drop the views built on a release; returns what makes them anew, in order. Within the publishing transaction."""
    found = backend.dependents(view)
    if others := [one for one in found if not one.ours]:
        raise JobError(
            f"not published: columns of {view.name} change their type, and {_named(others)} on it, "
            "which this user cannot make anew",
            WAY_OUT,
        )
    made_anew = [statement for one in found for statement in (one.create, *backend.privileges(one.view))]
    for one in reversed(found):
        name = backend.dialect.relation(one.view)
        backend.execute(Statement("release/drop_dependent", f"drop view {name}"))
    return made_anew


def make_dependents(backend: Backend, view: Relation, statements: Sequence[Statement]) -> None:
    """Make the dropped views anew; one that does not fit the new types stops the release."""
    for statement in statements:
        try:
            backend.execute(statement)
        except StatementFailed as error:
            raise JobError(
                f"not published: columns of {view.name} change their type, and a view on it does not fit them: {error.message}",
                "drop that view, or cast in it: a quasi-identifier is text; publish.types: {column: stored} keeps the old types",
            ) from error


def _changed(view: Relation, columns: Sequence[str]) -> str:
    return f"{counted_columns(columns)} of {view.name} {'changes' if len(columns) == 1 else 'change'} with this release"


def counted_columns(columns: Sequence[str]) -> str:
    return f"{'column' if len(columns) == 1 else 'columns'} {_listed(columns)}"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:5]) + (f" and {len(names) - 5:,} more" if len(names) > 5 else "")


def _named(found: Sequence[Dependent]) -> str:
    names = ", ".join(written_name(one.view.parts) for one in found[:3]) + (", ..." if len(found) > 3 else "")
    return f"{counted(len(found), 'view')} ({names}) {'depends' if len(found) == 1 else 'depend'}"
