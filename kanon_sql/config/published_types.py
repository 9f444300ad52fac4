"""`publish.types` against the levels of its columns: a declared type must be that of every level a release may stand at."""

from __future__ import annotations

from kanon_sql.config.schema import Job
from kanon_sql.errors import JobError
from kanon_sql.model.algorithms import LOCAL_RECODINGS
from kanon_sql.model.attribute import Attribute
from kanon_sql.model.levels import Star, meaning
from kanon_sql.model.published_type import TYPED, is_typed


def declared_types(job: Job) -> dict[str, str]:
    """What the job declares of its quasi-identifiers; other columns are published as they are stored."""
    types: dict[str, str] = dict(job.publish.types) if job.publish is not None else {}
    for name, declared in types.items():
        entry = job.columns.get(name)
        if entry is None:
            raise JobError(f"publish.types.{name}: the job has no such column", "name a quasi-identifier of the job")
        if entry.role != "quasi":
            raise JobError(
                f"publish.types.{name}: a column with the role {entry.role} has no levels that could change its type",
                "take it out; cast the column in a view to publish it with another type",
            )
        if declared in TYPED and job.search.algorithm in LOCAL_RECODINGS:
            raise JobError(
                f"publish.types.{name}: groups of rows are published as text (search.algorithm: {job.search.algorithm})",
                "publish.intervals: typed publishes the ends of numeric intervals as numbers",
            )
    return types


def check_type(attribute: Attribute, kind_known: bool = True) -> None:
    """Refuse a declared type that a level of the column does not give."""
    declared = attribute.declared
    if declared not in TYPED:
        return
    for number in range(attribute.min_level, attribute.max_level + 1):
        level = attribute.levels[number]
        if not is_typed(level, declared, attribute.kind if kind_known else None, attribute.lookup):
            lower = number - 1 >= attribute.min_level
            raise JobError(
                f"publish.types.{attribute.name}: level {number} ({meaning(level)}) does not give every value as {declared}",
                f"set max_level: {number - 1} for it, or let it be text"
                if lower or isinstance(level, Star)
                else "let it be text",
            )
