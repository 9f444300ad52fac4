"""The level view, the dictionaries and the base frequency set: from source rows to small integers."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.model.attribute import Attribute
from kanon_sql.model.lattice import Node
from kanon_sql.model.levels import Raw, Star
from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.level_labels import level_label, lookup_condition
from kanon_sql.sql.relations import WorkNames
from kanon_sql.sql.render import render, rendered
from kanon_sql.sql.statement import Statement


@rendered
def source_view(dialect: Dialect, view: Relation, selectable: str) -> Statement: ...


@rendered
def columns_view(
    dialect: Dialect, view: Relation, relation: Relation, columns: Sequence[tuple[str, str]]
) -> Statement: ...


@rendered
def lookup(dialect: Dialect, table: Relation, levels: int) -> Statement: ...


@rendered
def lookup_rows(dialect: Dialect, table: Relation, rows: Sequence[Sequence[str]]) -> Statement: ...


@rendered
def person_range(dialect: Dialect, source: Relation, person: str) -> Statement: ...


@rendered
def repeated_person(dialect: Dialect, source: Relation, person: str, lowest: int | None = None) -> Statement:
    """`lowest`: of keys that are integers and lie close together."""


@rendered
def raw(dialect: Dialect, table: Relation, source: Relation, columns: Sequence[tuple[str, str]]) -> Statement: ...


def dictionary(dialect: Dialect, names: WorkNames, index: int, attribute: Attribute) -> Statement:
    labels = [
        (level, level_label(dialect, attribute, spec, "counted.value", "lookup"))
        for level, spec in enumerate(attribute.levels)
        if level not in (0, attribute.star)
    ]
    return render(
        dialect,
        "levels/dictionary",
        table=names.dictionary(index),
        raw=names.raw,
        lookup=names.lookup(index) if attribute.lookup else None,
        value=f"v{index}",
        index=index,
        labels=labels,
        first_label=level_label(dialect, attribute, Raw(), "counted.value", "lookup"),
        condition=lookup_condition(dialect, attribute, "counted.value", "lookup") if attribute.lookup else "",
        order=dialect.ordered("value", attribute.kind),
    )


def dictionaries(dialect: Dialect, names: WorkNames, attributes: Sequence[Attribute]) -> Statement:
    """All of them in one table."""
    columns = [value_column(i) for i in range(len(attributes))]
    values = [f"counted.{column}" for column in columns]
    labels = [
        [
            (i, level_label(dialect, a, a.levels[level], values[i], f"lookup_{i}"))
            for i, a in enumerate(attributes)
            if level < a.star
        ]
        for level in range(most_levels(attributes))
    ]
    return render(
        dialect,
        "levels/dictionaries",
        table=names.dictionaries,
        raw=names.raw,
        columns=columns,
        orders=[dialect.ordered(column, a.kind) for column, a in zip(columns, attributes, strict=True)],
        lookups=[
            (i, names.lookup(i), lookup_condition(dialect, a, values[i], f"lookup_{i}"))
            for i, a in enumerate(attributes)
            if a.lookup
        ],
        labels=labels,
    )


def dictionary_view(dialect: Dialect, names: WorkNames, index: int, attribute: Attribute) -> Statement:
    return render(
        dialect,
        "levels/dictionary_view",
        view=names.dictionary(index),
        dictionaries=names.dictionaries,
        index=index,
        value=value_column(index),
        levels=attribute.star,
        has_lookup=bool(attribute.lookup),
    )


def value_column(index: int) -> str:
    """The column of an attribute's values in the base frequency set as stored."""
    return f"v{index}"


def most_levels(attributes: Sequence[Attribute]) -> int:
    """The levels below `*` of the attribute that has the most."""
    return max(attribute.star for attribute in attributes)


def lookup_view(dialect: Dialect, view: Relation, rows: Sequence[tuple[str, ...]]) -> Statement:
    columns = ["value", *(f"label_{level}" for level in range(1, len(rows[0])))]
    return render(dialect, "levels/lookup_view", view=view, rows=rows, columns=columns)


def coverage(dialect: Dialect, names: WorkNames, attributes: Sequence[Attribute]) -> Statement:
    dictionaries = [(i, names.dictionary(i), a.star - 1, bool(a.lookup)) for i, a in enumerate(attributes)]
    return render(dialect, "levels/coverage", dictionaries=dictionaries)


def codes(dialect: Dialect, names: WorkNames, attributes: Sequence[Attribute], most: int) -> Statement:
    """`most`: of rows, after which it ends."""
    shown = _code_names(attributes)
    none = dialect.cast("null", "small")
    dictionaries = [
        (
            i,
            names.dictionary(i),
            [(name, f"q{i}_{level}" if level < a.star else none) for level, name in enumerate(shown)],
            bool(a.lookup),
        )
        for i, a in enumerate(attributes)
    ]
    return render(dialect, "levels/codes", dictionaries=dictionaries, names=shown, most=most)


def all_codes(dialect: Dialect, names: WorkNames, attributes: Sequence[Attribute], most: int) -> Statement:
    """`codes`, where all dictionaries are in one table."""
    looked_up = [i for i, a in enumerate(attributes) if a.lookup]
    shown = _code_names(attributes)
    return render(
        dialect, "levels/all_codes", dictionaries=names.dictionaries, looked_up=looked_up, codes=shown, most=most
    )


def _code_names(attributes: Sequence[Attribute]) -> list[str]:
    return [f"code_{level}" for level in range(most_levels(attributes))]


def sizes(dialect: Dialect, names: WorkNames, attributes: Sequence[Attribute]) -> Statement:
    levels = [(i, names.dictionary(i), level) for i, a in enumerate(attributes) for level in range(a.star)]
    return render(dialect, "levels/sizes", levels=levels)


def sensitive(dialect: Dialect, names: WorkNames, index: int, kind: str) -> Statement:
    return render(
        dialect,
        "levels/sensitive",
        table=names.sensitive(index),
        raw=names.raw,
        value=f"s{index}",
        order=dialect.ordered("value", kind),
    )


def base(
    dialect: Dialect,
    names: WorkNames,
    attributes: Sequence[Attribute],
    sensitive: int,
    person: bool,
    rows: int,
    *,
    as_view: bool = False,
) -> Statement:
    return render(
        dialect,
        "levels/base",
        count_type=count_type(rows),
        table=names.base,
        raw=names.raw,
        dictionaries=[(i, names.dictionary(i), a.star - 1) for i, a in enumerate(attributes)],
        sensitive=[(i, names.sensitive(i)) for i in range(sensitive)],
        person=person,
        as_view=as_view,
    )


def level_view(
    dialect: Dialect,
    names: WorkNames,
    view: Relation,
    source: Relation,
    attributes: Sequence[Attribute],
    code_prefix: str | None,
    node: Node | None = None,
) -> Statement:
    """`code_prefix` (none: no codes) keeps code columns apart from the source's names; `node`: only its levels (none: all)."""
    described = []
    for i, attribute in enumerate(attributes):
        levels = [
            (
                level,
                names.level_column(attribute.name, level),
                "raw" if isinstance(spec, Raw) else "star" if isinstance(spec, Star) else "label",
                f"{code_prefix}q{i}_{level}" if code_prefix else None,
            )
            for level, spec in enumerate(attribute.levels)
            if node is None or level == node[i]
        ]
        joined = any(kind == "label" or (code and kind == "raw") for _, _, kind, code in levels)
        described.append((i, attribute.name, names.dictionary(i) if joined else None, levels))
    return render(dialect, "levels/level_view", view=view, source=source, attributes=described)


def count_type(rows: int) -> str:
    """The type of a combination's count: a small integer while all rows together fit one."""
    return "small" if rows < 1 << 31 else "integer"


@rendered
def sensitive_hierarchy(
    dialect: Dialect, table: Relation, sensitive: Relation, lookup: Relation, levels: int, rows: int
) -> Statement: ...


@rendered
def uncovered(dialect: Dialect, table: Relation) -> Statement: ...


@rendered
def sensitive_codes(dialect: Dialect, sensitive: Relation, values: Sequence[str]) -> Statement: ...


def population_dictionary(dialect: Dialect, names: WorkNames, index: int, attribute: Attribute) -> Statement:
    labels = [
        (level, level_label(dialect, attribute, spec, "counted.value", "lookup"))
        for level, spec in enumerate(attribute.levels)
        if level not in (0, attribute.star)
    ]
    return render(
        dialect,
        "levels/population_dictionary",
        table=names.population_dictionary(index),
        raw=names.population_raw,
        dictionary=names.dictionary(index),
        lookup=names.lookup(index) if attribute.lookup else None,
        value=f"v{index}",
        index=index,
        labels=labels,
        condition=lookup_condition(dialect, attribute, "counted.value", "lookup") if attribute.lookup else "",
    )


def population_base(dialect: Dialect, names: WorkNames, attributes: Sequence[Attribute], person: bool) -> Statement:
    return render(
        dialect,
        "levels/population_base",
        person=person,
        table=names.population,
        raw=names.population_raw,
        dictionaries=[
            (i, names.population_dictionary(i), names.dictionary(i), a.star - 1) for i, a in enumerate(attributes)
        ],
    )


@rendered
def largest(dialect: Dialect, source: Relation, columns: Sequence[str]) -> Statement: ...
