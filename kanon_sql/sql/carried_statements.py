"""The statements by which counts travel to the embedded engine."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.render import render
from kanon_sql.sql.statement import Statement


def carried(dialect: Dialect, table: Relation, columns: Sequence[tuple[str, str]]) -> Statement:
    return render(dialect, "carried/numbers", table=table, columns=columns)


def arrived(dialect: Dialect, table: Relation, selectable: str) -> Statement:
    return render(dialect, "carried/arrived", table=table, selectable=selectable)


def joined_base(
    dialect: Dialect,
    table: Relation,
    counts: Relation,
    dictionaries: Sequence[tuple[int, Relation, int]],
    sensitive: int,
) -> Statement:
    return render(
        dialect, "carried/joined_base", table=table, counts=counts, dictionaries=dictionaries, sensitive=sensitive
    )
