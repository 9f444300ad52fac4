"""What `kanon doctor` asks: grants, space, time zone, persons, uncovered values."""

from __future__ import annotations

from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.render import render
from kanon_sql.sql.statement import Statement


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
