"""The statements of the privacy models: one function per template."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.model.attribute import Attribute
from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.generalized import Generalized
from kanon_sql.sql.level_labels import level_label, lookup_condition
from kanon_sql.sql.relations import WorkNames
from kanon_sql.sql.render import render
from kanon_sql.sql.statement import Statement


def sensitive_hierarchy(
    dialect: Dialect, table: Relation, sensitive: Relation, lookup: Relation, levels: int, rows: int
) -> Statement:
    return render(
        dialect, "levels/sensitive_hierarchy", table=table, sensitive=sensitive, lookup=lookup, levels=levels, rows=rows
    )


def uncovered(dialect: Dialect, table: Relation) -> Statement:
    return render(dialect, "levels/uncovered", table=table)


def sensitive_codes(dialect: Dialect, sensitive: Relation, values: Sequence[str]) -> Statement:
    return render(dialect, "levels/sensitive_codes", sensitive=sensitive, values=values)


def population_dictionary(dialect: Dialect, names: WorkNames, index: int, attribute: Attribute) -> Statement:
    labels = [
        (level, level_label(dialect, attribute, spec, "counted.value", "lookup"))
        for level, spec in enumerate(attribute.levels)
        if level not in (0, attribute.star)
    ]
    return render(
        dialect,
        "levels/population_dictionary",
        table=names.work(f"population_{index}"),
        raw=names.work("population_raw"),
        dictionary=names.dictionary(index),
        lookup=names.lookup(index) if attribute.lookup else None,
        value=f"v{index}",
        index=index,
        labels=labels,
        condition=lookup_condition(dialect, attribute, "counted.value", "lookup") if attribute.lookup else "",
    )


def population_base(dialect: Dialect, names: WorkNames, attributes: Sequence[Attribute]) -> Statement:
    return render(
        dialect,
        "levels/population_base",
        table=names.work("population"),
        raw=names.work("population_raw"),
        dictionaries=[
            (i, names.work(f"population_{i}"), names.dictionary(i), a.star - 1) for i, a in enumerate(attributes)
        ],
    )


def verify_model(
    dialect: Dialect,
    table: Relation,
    source: Relation,
    columns: Sequence[str],
    sensitive: str,
    figure: str,
    **settings: object,
) -> Statement:
    """`settings`: order, values, beta, l, c, lookup, height, as the figure needs them."""
    given = dict.fromkeys(("order", "values", "beta", "l", "c", "lookup", "height")) | settings
    return render(
        dialect,
        "release/verify_model",
        table=table,
        source=source,
        columns=columns,
        sensitive=sensitive,
        figure=figure,
        **given,
    )


def verify_persons(
    dialect: Dialect, table: Relation, columns: Sequence[str], source: Generalized, person: str
) -> Statement:
    return render(dialect, "release/verify_persons", table=table, columns=columns, source=source, person=person)


def verify_behind(
    dialect: Dialect,
    table: Relation,
    behind: Relation,
    source: Relation,
    *,
    quasi: Sequence[str],
    columns: Sequence[str],
    person: tuple[str, str],
    raw: Sequence[tuple[str, str]],
    side: str,
) -> Statement:
    """`person` and `raw`: (column of `behind`, column of the source)."""
    return render(
        dialect,
        "release/verify_behind",
        table=table,
        behind=behind,
        source=source,
        quasi=quasi,
        columns=columns,
        person=person,
        raw=raw,
        side=side,
    )


def verify_population(
    dialect: Dialect,
    table: Relation,
    columns: Sequence[str],
    population: Generalized,
    source: Generalized | None = None,
    person: str | None = None,
) -> Statement:
    return render(
        dialect,
        "release/verify_population",
        table=table,
        columns=columns,
        population=population,
        source=source,
        person=person,
    )


def largest(dialect: Dialect, source: Relation, columns: Sequence[str]) -> Statement:
    return render(dialect, "levels/largest", source=source, columns=columns)
