"""One function per statement: its template, its parameters, its label. The rest of the program never writes SQL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kanon_sql.model.attribute import Attribute
from kanon_sql.model.lattice import Node
from kanon_sql.model.levels import Raw, Star
from kanon_sql.sql.class_shape import ClassShape
from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.level_labels import level_label, lookup_condition
from kanon_sql.sql.relations import WorkNames
from kanon_sql.sql.render import render
from kanon_sql.sql.statement import Statement

Keys = Sequence[str]
"""The packed key expressions of a node."""


def source_view(dialect: Dialect, view: Relation, selectable: str) -> Statement:
    return render(dialect, "levels/source_view", view=view, selectable=selectable)


def lookup(dialect: Dialect, table: Relation, levels: int) -> Statement:
    return render(dialect, "levels/lookup", table=table, levels=levels)


def lookup_rows(dialect: Dialect, table: Relation, rows: Sequence[Sequence[str]]) -> Statement:
    return render(dialect, "levels/lookup_rows", table=table, rows=rows)


def repeated_person(dialect: Dialect, source: Relation, person: str) -> Statement:
    return render(dialect, "levels/repeated_person", source=source, person=person)


def raw(dialect: Dialect, table: Relation, source: Relation, columns: Sequence[tuple[str, str]]) -> Statement:
    return render(dialect, "levels/raw", table=table, source=source, columns=columns)


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


def coverage(dialect: Dialect, names: WorkNames, attributes: Sequence[Attribute]) -> Statement:
    dictionaries = [(i, names.dictionary(i), a.star - 1, bool(a.lookup)) for i, a in enumerate(attributes)]
    return render(dialect, "levels/coverage", dictionaries=dictionaries)


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
    dialect: Dialect, names: WorkNames, attributes: Sequence[Attribute], sensitive: int, person: bool, rows: int
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
    )


def level_view(
    dialect: Dialect,
    names: WorkNames,
    view: Relation,
    source: Relation,
    attributes: Sequence[Attribute],
    code_prefix: str | None,
) -> Statement:
    """`code_prefix` (none: no codes) keeps code columns apart from the source's names."""
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
        ]
        described.append((i, attribute.name, names.dictionary(i), levels))
    return render(dialect, "levels/level_view", view=view, source=source, attributes=described)


@dataclass(frozen=True)
class FrequencySource:
    """What the frequency sets are computed from: the base, the dictionaries of its sensitive columns, and N."""

    base: Relation
    sensitive_tables: Mapping[int, Relation]
    rows: int


def frequency_sets(dialect: Dialect, source: FrequencySource, nodes: Sequence[Keys], shape: ClassShape) -> Statement:
    return render(dialect, "checks/frequency_sets", **vars(source), nodes=nodes, shape=shape)


def measured_nodes(
    dialect: Dialect, source: FrequencySource, nodes: Sequence[Keys], shape: ClassShape, budget: int
) -> Statement:
    return render(dialect, "checks/measured_nodes", **vars(source), nodes=nodes, shape=shape, budget=budget)


def suppressed_loss(
    dialect: Dialect,
    source: FrequencySource,
    nodes: Sequence[tuple[Keys, ClassShape, Node]],
    cells: Mapping[int, Relation],
    weights: Sequence[float],
) -> Statement:
    used = {attribute: sorted({node[attribute] for _, _, node in nodes}) for attribute in cells}
    return render(
        dialect, "checks/suppressed_loss", **vars(source), nodes=nodes, cells=cells, weights=weights, used=used
    )


def narrowed_base(dialect: Dialect, table: Relation, base: Relation, columns: Sequence[str], rows: int) -> Statement:
    kind = count_type(rows)
    return render(dialect, "checks/narrowed_base", table=table, base=base, columns=columns, count_type=kind)


def count_type(rows: int) -> str:
    """The type of a combination's count: a small integer while all rows together fit one."""
    return "small" if rows < 1 << 31 else "integer"


def count_rows(dialect: Dialect, table: Relation) -> Statement:
    return render(dialect, "checks/count_rows", table=table)


def table_rows(dialect: Dialect, table: Relation) -> Statement:
    return render(dialect, "checks/table_rows", table=table)


def cells(
    dialect: Dialect,
    table: Relation,
    dictionary: Relation,
    index: int,
    losses: Sequence[tuple[int, str]],
    suppressed: str,
) -> Statement:
    described = {"index": index, "losses": losses, "suppressed": suppressed}
    return render(dialect, "metrics/cells", table=table, dictionary=dictionary, **described)


def cell_sums(dialect: Dialect, cells: Sequence[tuple[int, Relation, Sequence[str]]]) -> Statement:
    width = max(len(losses) for _, _, losses in cells)
    return render(dialect, "metrics/cell_sums", cells=cells, width=width)


def table_classes(dialect: Dialect, table: Relation, columns: Sequence[str], person: str | None, k: int) -> Statement:
    return render(dialect, "checks/table_classes", table=table, columns=columns, person=person, k=k)


def violating(dialect: Dialect, table: Relation, source: FrequencySource, keys: Keys, shape: ClassShape) -> Statement:
    return render(dialect, "release/violating", table=table, **vars(source), keys=keys, shape=shape)


def stage(
    dialect: Dialect,
    table: Relation,
    rows: Relation,
    columns: Sequence[tuple[str, str]],
    order: Sequence[str],
    violating: Relation | None,
    keys: Keys,
) -> Statement:
    return render(
        dialect, "release/stage", table=table, rows=rows, columns=columns, order=order, violating=violating, keys=keys
    )


def verify(dialect: Dialect, table: Relation, columns: Sequence[str]) -> Statement:
    return render(dialect, "release/verify", table=table, columns=columns)


def swap(dialect: Dialect, view: Relation, table: Relation, replace: bool) -> Statement:
    return render(dialect, "release/swap", view=view, table=table, replace=replace)
