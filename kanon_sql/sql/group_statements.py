"""The statements of local recoding around the rounds: coding the rows, merging groups, what groups publish."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kanon_sql.sql.boxes import Boxes, SetCode
from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.relations import WorkNames
from kanon_sql.sql.render import render
from kanon_sql.sql.statement import Statement

Parts = Sequence[tuple[int, int, int, int]]


def range_codes(
    dialect: Dialect, table: Relation, dictionary: Relation, index: int, full: int, finite: str
) -> Statement:
    return render(
        dialect, "cluster/range_codes", table=table, dictionary=dictionary, index=index, full=full, finite=finite
    )


def tree_codes(
    dialect: Dialect, table: Relation, dictionary: Relation, index: int, leaf: int, levels: Sequence[int]
) -> Statement:
    order = [f"q{index}_{level}" for level in (*reversed(levels), leaf)]
    return render(
        dialect,
        "cluster/tree_codes",
        table=table,
        dictionary=dictionary,
        index=index,
        levels=levels,
        order=order,
    )


def tree(dialect: Dialect, table: Relation, codes: Relation, columns: Sequence[str]) -> Statement:
    return render(dialect, "cluster/tree", table=table, codes=codes, columns=columns)


def tree_leaves(dialect: Dialect, trees: Sequence[tuple[int, Relation, Sequence[str]]]) -> Statement:
    """`trees`: (attribute, its leaves, their ancestors' columns)."""
    most = max(len(columns) for _, _, columns in trees)
    return render(dialect, "cluster/tree_leaves", trees=trees, most=most)


def set_codes(dialect: Dialect, table: Relation, dictionary: Relation, index: int, parts: Parts) -> Statement:
    return render(dialect, "cluster/set_codes", table=table, dictionary=dictionary, index=index, parts=parts)


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
        "cluster/rule_codes",
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
        "cluster/units",
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
) -> Statement:
    """`codes`: (index, its code table, the attribute whose level-0 code it is keyed by)."""
    positional = [(code.index, f"c{code.index}") for code in boxes.codes]
    positional += [(code.index, column) for code in boxes.asking().positional for column in code.row_columns]
    words = [
        (word, [c.index for c in boxes.codes if isinstance(c, SetCode) and any(w == word for w, _ in c.masks)])
        for word in range(boxes.words)
    ]
    return render(dialect, "cluster/rows", table=table, units=units, codes=codes, positional=positional, words=words)


def merges(
    dialect: Dialect,
    table: Relation,
    assign: Relation,
    runs: Relation,
    groups: Relation,
    small: Relation,
    boxes: Boxes,
    trees: Mapping[int, Relation],
) -> Statement:
    return render(
        dialect,
        "cluster/merges",
        table=table,
        assign=assign,
        runs=runs,
        boxes=groups,
        small=small,
        joined=boxes.with_box(boxes.of("here"), boxes.of("there")),
        loss=boxes.loss(boxes.of("joined"), lambda index: f"tree_{index}"),
        joins=boxes.tree_joins(lambda index: f"joined.lo{index}"),
        trees=trees,
    )


def merged(dialect: Dialect, table: Relation, assign: Relation, taken: Relation) -> Statement:
    return render(dialect, "cluster/merged", table=table, assign=assign, taken=taken)


def dropped(dialect: Dialect, table: Relation, assign: Relation, small: Relation) -> Statement:
    return render(dialect, "cluster/dropped", table=table, assign=assign, small=small)


def assigned_units(dialect: Dialect, table: Relation, units: Relation, assign: Relation) -> Statement:
    return render(dialect, "cluster/assigned_units", table=table, units=units, assign=assign)


def broken_rules(dialect: Dialect, groups: Relation, rules: Sequence[SetCode]) -> Statement:
    both = [
        (code.index, " + ".join(dialect.bit_count(f"(b{word} & {mask})") for word, mask in code.masks))
        for code in rules
    ]
    return render(dialect, "cluster/broken_groups", boxes=groups, rules=both)


@dataclass(frozen=True)
class TreeLabel:
    """The label of a group of leaves: an expression, and the levels it reads."""

    expression: str
    levels: tuple[int, ...]


@dataclass(frozen=True)
class RangeLabel:
    """The label of a group of numbers, and its ends as stored."""

    index: int
    label: str
    low: str
    high: str


def group_labels(
    dialect: Dialect,
    names: WorkNames,
    table: Relation,
    assign: Relation,
    rows: Relation,
    units: Relation,
    ranges: Sequence[RangeLabel],
    trees: Sequence[tuple[int, Relation, TreeLabel]],
    sets: Sequence[tuple[int, str]],
) -> Statement:
    return render(
        dialect,
        "cluster/group_labels",
        table=table,
        assign=assign,
        rows=rows,
        units=units,
        ranges=[(r.index, names.dictionary(r.index), r.label, r.low, r.high) for r in ranges],
        trees=[(index, names.dictionary(index), codes, label) for index, codes, label in trees],
        sets=[(index, names.dictionary(index), label) for index, label in sets],
    )


def published_groups(
    dialect: Dialect,
    view: Relation,
    units: Relation,
    assign: Relation,
    labels: Relation,
    columns: Sequence[tuple[str, str]],
    beside: Sequence[tuple[Relation, str, str]],
) -> Statement:
    return render(
        dialect,
        "cluster/published_groups",
        view=view,
        units=units,
        assign=assign,
        labels=labels,
        columns=columns,
        beside=beside,
    )


def stage_groups(
    dialect: Dialect,
    table: Relation,
    rows: Relation,
    units: Relation,
    assign: Relation,
    labels: Relation,
    codes: Sequence[tuple[str, str]],
    numbering: Sequence[str],
    columns: Sequence[tuple[str, str]],
    order: Sequence[str],
    place: str,
    work: bool = False,
) -> Statement:
    return render(
        dialect,
        "release/stage_groups",
        table=table,
        rows=rows,
        units=units,
        assign=assign,
        labels=labels,
        codes=codes,
        numbering=numbering,
        columns=columns,
        order=order,
        place=place,
        work=work,
    )


def stage_behind(
    dialect: Dialect, table: Relation, behind: Relation, columns: Sequence[str], order: Sequence[str]
) -> Statement:
    return render(dialect, "release/stage_behind", table=table, behind=behind, columns=columns, order=order)
