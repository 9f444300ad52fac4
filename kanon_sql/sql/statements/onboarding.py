"""What `kanon init` asks of a table before there is a job."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.render import rendered
from kanon_sql.sql.statement import Statement


@rendered
def summary(
    dialect: Dialect, source: Relation, limit: int | None, columns: Sequence[tuple[int, str, str, str]]
) -> Statement: ...


@rendered
def common_values(
    dialect: Dialect,
    source: Relation,
    limit: int | None,
    least: int,
    columns: Sequence[tuple[int, str, str]],
    person: str | None,
) -> Statement: ...


@rendered
def column_values(dialect: Dialect, source: Relation, column: str, limit: int, *, nulls: bool = False) -> Statement: ...


@rendered
def quantiles(dialect: Dialect, source: Relation, column: str, parts: int) -> Statement: ...


@rendered
def singled_out(
    dialect: Dialect, source: Relation, limit: int | None, sets: Sequence[tuple[int, Sequence[str]]]
) -> Statement: ...


@rendered
def taxonomy(dialect: Dialect, taxonomy: Relation, value: str, parent: str, label: str | None) -> Statement: ...
