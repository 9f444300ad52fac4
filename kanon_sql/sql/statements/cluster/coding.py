"""The rows of a local recoding as integers: positions of numerics, leaves of trees, bits of sets and rules."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.sql.boxes import Boxes, SetCode
from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.render import render, rendered
from kanon_sql.sql.statement import Statement

Parts = Sequence[tuple[int, int, int, int]]


@rendered
def range_codes(
    dialect: Dialect, table: Relation, dictionary: Relation, index: int, full: int, finite: str
) -> Statement: ...


def tree_codes(
    dialect: Dialect, table: Relation, dictionary: Relation, index: int, leaf: int, levels: Sequence[int]
) -> Statement:
    order = [f"q{index}_{level}" for level in (*reversed(levels), leaf)]
    return render(
        dialect,
        "cluster/coding/tree_codes",
        table=table,
        dictionary=dictionary,
        index=index,
        levels=levels,
        order=order,
    )


@rendered
def tree_leaves(dialect: Dialect, table: Relation, codes: Relation, columns: Sequence[str]) -> Statement: ...


def leaf_ancestors(dialect: Dialect, trees: Sequence[tuple[int, Relation, Sequence[str]]]) -> Statement:
    """`trees`: (attribute, its leaves, their ancestors' columns)."""
    most = max(len(columns) for _, _, columns in trees)
    return render(dialect, "cluster/coding/leaf_ancestors", trees=trees, most=most)


@rendered
def set_codes(dialect: Dialect, table: Relation, dictionary: Relation, index: int, parts: Parts) -> Statement: ...


def rule_codes(
    dialect: Dialect,
    table: Relation,
    dictionary: Relation,
    index: int,
    attribute: int,
    sides: tuple[str, str],
    part: tuple[int, int],
) -> Statement:
    """`part`: (word, shift) of the two bits."""
    return render(
        dialect,
        "cluster/coding/rule_codes",
        table=table,
        dictionary=dictionary,
        index=index,
        attribute=attribute,
        sides=sides,
        word=part[0],
        shift=part[1],
    )


def units(
    dialect: Dialect, table: Relation, base: Relation, attributes: int, sensitive: int, person: str | None
) -> Statement:
    return render(
        dialect,
        "cluster/coding/units",
        table=table,
        base=base,
        codes=[f"q{index}_0" for index in range(attributes)],
        sensitive=[f"s{index}" for index in range(sensitive)],
        person=person,
    )


def rows(
    dialect: Dialect,
    table: Relation,
    units: Relation,
    codes: Sequence[tuple[int, Relation, int]],
    boxes: Boxes,
    repeated: bool = False,
    view: bool = False,
) -> Statement:
    """`codes`: (index, its code table, the attribute whose level-0 code it is keyed by); `repeated`: units may share a rid."""
    positional = [(code.index, f"c{code.index}") for code in boxes.codes]
    positional += [(code.index, column) for code in boxes.asking().positional for column in code.row_columns]
    words = [
        (word, [c.index for c in boxes.codes if isinstance(c, SetCode) and any(w == word for w, _ in c.masks)])
        for word in range(boxes.words)
    ]
    return render(
        dialect,
        "cluster/coding/rows",
        table=table,
        units=units,
        codes=codes,
        positional=positional,
        words=words,
        repeated=repeated,
        view=view,
    )


@rendered
def unit_counts(dialect: Dialect, units: Relation) -> Statement: ...
