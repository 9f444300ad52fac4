"""What `kanon doctor` asks: grants, space, time zone, persons, uncovered values."""

from __future__ import annotations

from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.render import rendered
from kanon_sql.sql.statement import Statement


@rendered
def may_create(dialect: Dialect, schema: str) -> Statement: ...


@rendered
def may_replace(dialect: Dialect, view: Relation) -> Statement: ...


@rendered
def may_write(dialect: Dialect, table: Relation) -> Statement: ...


@rendered
def time_zone(dialect: Dialect) -> Statement: ...


@rendered
def space(dialect: Dialect, source: Relation) -> Statement: ...


@rendered
def persons(dialect: Dialect, source: Relation, person: str) -> Statement: ...


@rendered
def source_rows(dialect: Dialect, source: Relation) -> Statement: ...


@rendered
def uncovered_values(dialect: Dialect, dictionary: Relation, least: int, limit: int) -> Statement: ...
