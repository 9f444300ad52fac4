"""What readers of a release find: the right to read it, and comments that say what they read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kanon_sql.backends.base import Backend
from kanon_sql.config.schema import Job
from kanon_sql.errors import JobError
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.statement import Statement

OURS = "kanon_sql: "
"""A comment that begins like this is ours; one that somebody else wrote stays."""


def check_readers(job: Job, backend: Backend) -> str:
    """Refuse readers whom the database does not know, before a search; returns what an operator should hear, or nothing."""
    readers = job.publish.readers if job.publish is not None else []
    if not readers:
        return ""
    if not backend.capabilities.grants:
        return "publish.readers has no effect: this engine has no grants"
    unknown = backend.unknown_roles(readers)
    if unknown:
        raise JobError(
            f"publish.readers: there is no role {', '.join(unknown)}",
            "create the role, or take it out of publish.readers",
        )
    return ""


def grant_readers(backend: Backend, view: Relation, readers: Sequence[str]) -> None:
    """Let the readers named in the job read the view; what they may do already is left alone. Within the publishing transaction."""
    if readers and backend.capabilities.grants:
        for statement in backend.missing_grants(view, readers):
            backend.execute(statement)


def comment_release(
    backend: Backend, view: Relation, k: int, version: int, run: str, choice: Sequence[Mapping[str, Any]]
) -> None:
    """Say in comments what the view and its columns are, unless somebody else commented on them."""
    comments = backend.comments(view)
    if comments is None:
        return
    name, quoted = backend.dialect.relation(view), backend.dialect.text_literal
    texts: dict[str | None, str] = {None: f"k-anonymous release, k = {k}; version {version}, run {run}"}
    for line in choice:
        level = f" (level {line['level']} of {line['levels']})" if "level" in line else ""
        texts[str(line["column"])] = f"published: {line['published']}{level}"
    for column, text in texts.items():
        if (column is not None and column not in comments) or not (comments.get(column) or OURS).startswith(OURS):
            continue
        place = f"view {name}" if column is None else f"column {name}.{backend.dialect.identifier(column)}"
        backend.execute(Statement("release/comment", f"comment on {place} is {quoted(OURS + text)}"))
