"""The base that is kept between runs, part by part."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.render import render
from kanon_sql.sql.statement import Statement

Columns = Sequence[tuple[str, str]]
"""(alias, source column)"""


def create(dialect: Dialect, table: Relation, source: Relation, part: str, columns: Columns) -> Statement:
    return render(dialect, "kept/create", table=table, source=source, part=part, columns=columns)


def stale(
    dialect: Dialect, table: Relation, source: Relation, part: str, here: Sequence[str], there: Sequence[str]
) -> Statement:
    return render(dialect, "kept/stale", table=table, source=source, part=part, here=here, there=there)


def forget(dialect: Dialect, table: Relation, parts: Sequence[int]) -> Statement:
    return render(dialect, "kept/forget", table=table, parts=parts)


def refresh(
    dialect: Dialect, table: Relation, source: Relation, part: str, columns: Columns, parts: Sequence[int]
) -> Statement:
    return render(dialect, "kept/refresh", table=table, source=source, part=part, columns=columns, parts=parts)


def raw(dialect: Dialect, table: Relation, kept: Relation, columns: Columns) -> Statement:
    return render(dialect, "kept/raw", table=table, kept=kept, columns=columns)
