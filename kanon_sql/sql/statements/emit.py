"""A recoding as one statement that stands alone."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.sql.class_shape import ClassShape
from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.generalized import Generalized
from kanon_sql.sql.render import render
from kanon_sql.sql.statement import Statement

SOURCE = Relation(("source",))
PEOPLE = Relation(("people",))
POPULATION = Relation(("population",))


def sensitive_table(index: int) -> Relation:
    return Relation((f"sensitive_{index}",))


def hierarchy_table(index: int) -> Relation:
    return Relation((f"hierarchy_{index}",))


def recoding(
    dialect: Dialect,
    *,
    header: Sequence[str],
    source: str,
    values: Sequence[tuple[str, str]],
    rows: Generalized,
    columns: Sequence[str],
    quasi: Sequence[str],
    order: Sequence[str],
    person: str | None,
    sensitive: Sequence[tuple[str, str, Sequence[Sequence[str]] | None]],
    population: tuple[str, Generalized, Sequence[tuple[str, str]]] | None,
    shape: ClassShape,
) -> Statement:
    """`source` and `population` are SQL to select from; `sensitive` is (column, ordering, hierarchy rows or none)."""
    return render(
        dialect,
        "emit/recoding",
        header=header,
        source=source,
        values=values,
        rows=rows,
        columns=columns,
        quasi=quasi,
        order=order,
        person=person,
        sensitive=sensitive,
        population=population,
        shape=shape,
        shape_base=Relation(("counted",)),
        sensitive_tables={index: sensitive_table(index) for index in range(len(sensitive))},
        plain=not (person or shape.columns or shape.conditions or population),
    )
