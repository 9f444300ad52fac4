"""Views that people built on a release: a release whose columns change type is made anew, and they with it."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.backends.base import Backend, Dependent
from kanon_sql.errors import JobError, StatementFailed
from kanon_sql.model.counted import counted
from kanon_sql.model.names import written_name
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.statement import Statement

WAY_OUT = (
    "let their owner drop them for this run, or give this user their role; or keep the type by min_level and max_level "
    "(a column is text at every level but 0)"
)


def foretell_dependents(backend: Backend, view: Relation) -> tuple[str, str]:
    """What to hear before a search of the views built on a release: those that can follow it, and those that cannot."""
    found = backend.dependents(view)
    ours = [one for one in found if one.ours]
    others = [one for one in found if not one.ours]
    following = f"{_named(ours)} on {view.name}: made anew where a column's type changes" if ours else ""
    blocking = (
        f"{_named(others)} on {view.name} and cannot be made anew by this user: a run that changes a column's type will stop"
        if others
        else ""
    )
    return following, blocking


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
                "drop that view, or cast in it: a generalized column is text",
            ) from error


def _named(found: Sequence[Dependent]) -> str:
    names = ", ".join(written_name(one.view.parts) for one in found[:3]) + (", ..." if len(found) > 3 else "")
    return f"{counted(len(found), 'view')} ({names}) {'depends' if len(found) == 1 else 'depend'}"
