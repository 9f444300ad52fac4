"""Groups that stay below the columns' max_level."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.render import rendered
from kanon_sql.sql.statement import Statement


@rendered
def groupable_rows(dialect: Dialect, table: Relation, rows: Relation, keys: Sequence[str], k: int) -> Statement: ...


@rendered
def separated_groups(
    dialect: Dialect,
    table: Relation,
    assignment: Relation,
    rows: Relation,
    boxes: Relation,
    keys: Sequence[str],
    beyond: int,
    last: int,
) -> Statement: ...


@rendered
def with_withheld_rows(dialect: Dialect, table: Relation, assignment: Relation, rows: Relation) -> Statement: ...


@rendered
def groups_beyond(dialect: Dialect, boxes: Relation, beyond: int) -> Statement: ...


@rendered
def parted_groups(
    dialect: Dialect,
    table: Relation,
    assignment: Relation,
    rows: Relation,
    boxes: Relation,
    keys: Sequence[str],
    beyond: int,
    last: int,
) -> Statement: ...


@rendered
def without_groups(dialect: Dialect, table: Relation, assignment: Relation, groups: Relation) -> Statement: ...
