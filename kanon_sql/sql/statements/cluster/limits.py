"""Groups that stay below the columns' max_level."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.render import render
from kanon_sql.sql.statement import Statement


def groupable_rows(dialect: Dialect, table: Relation, rows: Relation, keys: Sequence[str], k: int) -> Statement:
    return render(dialect, "cluster/limits/groupable_rows", table=table, rows=rows, keys=keys, k=k)


def separated_groups(
    dialect: Dialect,
    table: Relation,
    assignment: Relation,
    rows: Relation,
    boxes: Relation,
    keys: Sequence[str],
    beyond: int,
    last: int,
) -> Statement:
    return render(
        dialect,
        "cluster/limits/separated_groups",
        table=table,
        assignment=assignment,
        rows=rows,
        boxes=boxes,
        keys=keys,
        beyond=beyond,
        last=last,
    )


def with_withheld_rows(dialect: Dialect, table: Relation, assignment: Relation, rows: Relation) -> Statement:
    return render(dialect, "cluster/limits/with_withheld_rows", table=table, assignment=assignment, rows=rows)


def groups_beyond(dialect: Dialect, boxes: Relation, beyond: int) -> Statement:
    return render(dialect, "cluster/limits/groups_beyond", boxes=boxes, beyond=beyond)
