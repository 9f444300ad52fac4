"""What `kanon init` asks of a table before there is a job."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.render import render
from kanon_sql.sql.statement import Statement


def summary(
    dialect: Dialect, source: Relation, limit: int | None, columns: Sequence[tuple[int, str, str]]
) -> Statement:
    return render(dialect, "onboarding/summary", source=source, limit=limit, columns=columns)


def common_values(
    dialect: Dialect,
    source: Relation,
    limit: int | None,
    least: int,
    columns: Sequence[tuple[int, str]],
    person: str | None,
) -> Statement:
    return render(
        dialect, "onboarding/common_values", source=source, limit=limit, least=least, columns=columns, person=person
    )
