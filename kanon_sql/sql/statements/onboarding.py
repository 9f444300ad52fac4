"""What `kanon init` asks of a table before there is a job."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.render import render
from kanon_sql.sql.statement import Statement


def summary(
    dialect: Dialect, source: Relation, limit: int | None, columns: Sequence[tuple[int, str, str, str]]
) -> Statement:
    return render(dialect, "onboarding/summary", source=source, limit=limit, columns=columns)


def common_values(
    dialect: Dialect,
    source: Relation,
    limit: int | None,
    least: int,
    columns: Sequence[tuple[int, str, str]],
    person: str | None,
) -> Statement:
    return render(
        dialect, "onboarding/common_values", source=source, limit=limit, least=least, columns=columns, person=person
    )


def column_values(dialect: Dialect, source: Relation, column: str, limit: int, *, nulls: bool = False) -> Statement:
    return render(dialect, "onboarding/column_values", source=source, column=column, limit=limit, nulls=nulls)


def quantiles(dialect: Dialect, source: Relation, column: str, parts: int) -> Statement:
    return render(dialect, "onboarding/quantiles", source=source, column=column, parts=parts)


def singled_out(
    dialect: Dialect, source: Relation, limit: int | None, sets: Sequence[tuple[int, Sequence[str]]]
) -> Statement:
    return render(dialect, "onboarding/singled_out", source=source, limit=limit, sets=sets)


def taxonomy(dialect: Dialect, taxonomy: Relation, value: str, parent: str, label: str | None) -> Statement:
    return render(dialect, "onboarding/taxonomy", taxonomy=taxonomy, value=value, parent=parent, label=label)
