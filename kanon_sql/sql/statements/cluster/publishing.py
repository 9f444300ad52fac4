"""What the groups publish, and what they are checked by."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.frozen import dataclass
from kanon_sql.sql.boxes import SetCode
from kanon_sql.sql.dialect import CountedRelation, Dialect, Relation
from kanon_sql.sql.relations import WorkNames
from kanon_sql.sql.render import render, rendered
from kanon_sql.sql.statement import Statement


@rendered
def assigned_units(
    dialect: Dialect, table: Relation, units: Relation, assignment: Relation, columns: Sequence[str]
) -> Statement: ...


def broken_groups(dialect: Dialect, groups: Relation, rules: Sequence[SetCode]) -> Statement:
    both = [
        (code.index, code.values_held(dialect, {f"b{word}": f"b{word}" for word, _ in code.masks})) for code in rules
    ]
    return render(dialect, "cluster/publishing/broken_groups", boxes=groups, rules=both)


@dataclass(frozen=True)
class TreeLabel:
    """The label of a group of leaves: an expression, the levels it reads, and the level the label is of."""

    expression: str
    levels: tuple[int, ...]
    level: str = "0"


@dataclass(frozen=True)
class RangeLabel:
    """The label of a group of numbers, and its ends as stored; `covers`: the least and the greatest value under it, and whether NULL is."""

    index: int
    label: str
    low: str
    high: str
    covers: tuple[str, str, str] = ("null", "null", "0")


@dataclass(frozen=True)
class SetLabel:
    """The label of a group of values, an aggregate over `words`; `code`, `codes`: its bits and where they are, where one word has them all."""

    index: int
    label: str
    code: SetCode | None = None
    codes: Relation | None = None

    @property
    def in_one_word(self) -> bool:
        return self.code is not None and len(self.code.masks) == 1


@dataclass(frozen=True)
class Told:
    """What tells the labels of groups, by index: ranges, trees, the words of sets with bits, and the sets without."""

    ranges: tuple[int, ...]
    trees: tuple[int, ...]
    words: tuple[int, ...]
    wide: tuple[int, ...]

    @property
    def columns(self) -> list[str]:
        """The columns of `group_ends`."""
        ranges = [f"{end}{index}" for index in self.ranges for end in ("first", "second", "last")]
        trees = [f"{end}{index}" for index in self.trees for end in ("lo", "hi")]
        return ["g", "n", *ranges, *trees, *(f"b{word}" for word in self.words)]


def group_ends(dialect: Dialect, table: Relation, assignment: Relation, rows: Relation, told: Told) -> Statement:
    return render(
        dialect,
        "cluster/publishing/group_ends",
        table=table,
        assignment=assignment,
        rows=rows,
        ranges=told.ranges,
        trees=told.trees,
        words=told.words,
    )


def group_values(
    dialect: Dialect, table: Relation, assignment: Relation, units: Relation, sets: Sequence[int]
) -> Statement:
    return render(
        dialect, "cluster/publishing/group_values", table=table, assignment=assignment, units=units, sets=sets
    )


def group_labels(
    dialect: Dialect,
    names: WorkNames,
    table: Relation,
    assignment: Relation,
    rows: Relation,
    units: Relation,
    ranges: Sequence[RangeLabel],
    trees: Sequence[tuple[int, Relation, TreeLabel]],
    sets: Sequence[SetLabel],
    *,
    frozen: bool = False,
    told: Relation | None = None,
    values: Relation | None = None,
) -> Statement:
    return render(
        dialect,
        "cluster/publishing/group_labels",
        table=table,
        assignment=assignment,
        rows=rows,
        units=units,
        ranges=[(r.index, names.dictionary(r.index), r.label, r.low, r.high) for r in ranges],
        trees=[(index, names.dictionary(index), codes, label) for index, codes, label in trees],
        sets=[(s.index, names.dictionary(s.index), s.label) for s in sets if not s.in_one_word],
        bit_sets=[
            (s.index, names.dictionary(s.index), s.codes, *s.code.masks[0], s.label)
            for s in sets
            if s.in_one_word and s.code is not None
        ],
        words=sorted({s.code.masks[0][0] for s in sets if s.in_one_word and s.code is not None}),
        covers={r.index: r.covers for r in ranges} if frozen else None,
        told=told,
        values=values,
    )


def published_groups(
    dialect: Dialect,
    view: CountedRelation,
    units: Relation,
    assignment: Relation,
    labels: Relation,
    columns: Sequence[tuple[str, str]],
    beside: Sequence[tuple[Relation, str, str]],
    several: bool,
    told: Relation | None = None,
) -> Statement:
    return render(
        dialect,
        "cluster/publishing/published_groups",
        view=view,
        units=units,
        assignment=assignment,
        labels=labels,
        columns=columns,
        beside=beside,
        several=several,
        told=None if beside or several else told,
    )
