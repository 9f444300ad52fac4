"""The base that is kept between runs, part by part."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.render import rendered
from kanon_sql.sql.statement import Statement

Columns = Sequence[tuple[str, str]]
"""(alias, source column)"""


@rendered
def create(dialect: Dialect, table: Relation, source: Relation, part: str, columns: Columns) -> Statement: ...


@rendered
def stale(
    dialect: Dialect, table: Relation, source: Relation, part: str, here: Sequence[str], there: Sequence[str]
) -> Statement: ...


@rendered
def forget(dialect: Dialect, table: Relation, parts: Sequence[int]) -> Statement: ...


@rendered
def refresh(
    dialect: Dialect, table: Relation, source: Relation, part: str, columns: Columns, parts: Sequence[int]
) -> Statement: ...


@rendered
def raw(dialect: Dialect, table: Relation, kept: Relation, columns: Columns) -> Statement: ...
