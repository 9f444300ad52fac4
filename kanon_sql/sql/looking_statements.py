"""Statements that look at a table before there is a job, or before a run: figures, grants, space. One function each."""

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


def column_values(dialect: Dialect, source: Relation, column: str, limit: int) -> Statement:
    return render(dialect, "onboarding/column_values", source=source, column=column, limit=limit)


def quantiles(dialect: Dialect, source: Relation, column: str, parts: int) -> Statement:
    return render(dialect, "onboarding/quantiles", source=source, column=column, parts=parts)


def singled_out(
    dialect: Dialect, source: Relation, limit: int | None, sets: Sequence[tuple[int, Sequence[str]]]
) -> Statement:
    return render(dialect, "onboarding/singled_out", source=source, limit=limit, sets=sets)


def may_create(dialect: Dialect, schema: str) -> Statement:
    return render(dialect, "doctor/may_create", schema=schema)


def may_replace(dialect: Dialect, view: Relation) -> Statement:
    return render(dialect, "doctor/may_replace", view=view)


def may_write(dialect: Dialect, table: Relation) -> Statement:
    return render(dialect, "doctor/may_write", table=table)


def time_zone(dialect: Dialect) -> Statement:
    return render(dialect, "doctor/time_zone")


def space(dialect: Dialect, source: Relation) -> Statement:
    return render(dialect, "doctor/space", source=source)


def persons(dialect: Dialect, source: Relation, person: str) -> Statement:
    return render(dialect, "doctor/persons", source=source, person=person)


def source_rows(dialect: Dialect, source: Relation) -> Statement:
    return render(dialect, "doctor/source_rows", source=source)


def uncovered_values(dialect: Dialect, dictionary: Relation, least: int, limit: int) -> Statement:
    return render(dialect, "doctor/uncovered_values", dictionary=dictionary, least=least, limit=limit)
