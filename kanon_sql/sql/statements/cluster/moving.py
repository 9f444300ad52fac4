"""One round of moves and swaps between groups: a fixed number of statements, whatever the number of groups."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

from kanon_sql.sql.boxes import EVERYTHING, Boxes
from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.packed_keys import ordered_keys
from kanon_sql.sql.render import render, rendered
from kanon_sql.sql.statement import Statement

PACKED = 1 << 62
"""Above every packed integer."""
Trees = Mapping[int, Relation]

FEWEST_PARTS, MORE_PARTS = 3, 4
"""An attribute whose neighbours are alike is first sorted by 3 to 6 ranges of its values."""

PARTS_OF_SETS, MANY_VALUES = 6, 20
"""A set of more values is first sorted by so many ranges of them."""


def box_table(
    dialect: Dialect,
    table: Relation,
    assignment: Relation,
    rows: Relation,
    boxes: Boxes,
    trees: Trees,
    touched: Relation | None = None,
    old: Relation | None = None,
) -> Statement:
    return render(
        dialect,
        "cluster/moving/box_table",
        table=table,
        assignment=assignment,
        rows=rows,
        box=boxes.aggregated("rows"),
        loss=boxes.loss(boxes.of("box"), lambda index: f"tree_{index}"),
        stored=boxes.stored(boxes.of("box"), lambda index: f"tree_{index}"),
        joins=boxes.tree_joins(lambda index: f"box.lo{index}"),
        trees=trees,
        touched=touched,
        old=old,
    )


def row_context(
    dialect: Dialect,
    table: Relation,
    assignment: Relation,
    rows: Relation,
    groups: Relation,
    boxes: Boxes,
    trees: Trees,
    touched: Relation | None = None,
    old: Relation | None = None,
) -> Statement:
    sets = {column: aggregate for column, aggregate in boxes.aggregated("rows").items() if column.startswith("b")}
    without = {
        f"w_{column}": f"((boxes.{column} - around.{boxes.row_column(column)}) | coalesce(ends.twice_{column}, 0))"
        for column in sets
    }
    for code in boxes.positional:
        for end, alone in (("lo", "lows"), ("hi", "highs")):
            column, at = f"{end}{code.index}", f"around.a{code.index}"
            without[f"w_{column}"] = (
                f"case when {at} = boxes.{column} and ends.{alone}{code.index} = 1 then ends.next_{column} else boxes.{column} end"
            )
    return render(
        dialect,
        "cluster/moving/row_context",
        table=table,
        assignment=assignment,
        rows=rows,
        boxes=groups,
        row_columns=boxes.row_columns,
        positions=[code.index for code in boxes.positional],
        before={f"p_{column}": f"{aggregate} over before" for column, aggregate in sets.items()},
        twice={f"twice_{column}": f"bit_or(around.{boxes.row_column(column)} & around.p_{column})" for column in sets},
        without={f"w_{column}": without[f"w_{column}"] for column in boxes.columns},
        loss=boxes.loss(boxes.of("outside", "w_"), lambda index: f"tree_{index}"),
        joins=boxes.tree_joins(lambda index: f"outside.w_lo{index}"),
        trees=trees,
        touched=touched,
        old=old,
    )


@rendered
def replaced_rows(dialect: Dialect, table: Relation, old: Relation, fresh: Relation) -> Statement: ...


@rendered
def delete_rows(dialect: Dialect, table: Relation, named: Relation, column: str) -> Statement: ...


@rendered
def insert_rows(dialect: Dialect, table: Relation, fresh: Relation) -> Statement: ...


def sort_runs(
    dialect: Dialect,
    table: Relation,
    rows: Relation,
    sizes: Sequence[tuple[int, int]],
    boxes: Boxes,
    length: int,
    salt: str,
    count: int,
    combinations: Relation | None = None,
) -> Statement:
    """`sizes`: (attribute, its number of values); `count`: of the rows. `salt` mixes the order of the attributes, and into how many ranges
    of neighbours each is parted before its values count: rows meet that are roughly alike in many attributes, not quite alike in the first
    two or three."""

    def mixed(what: object) -> int:
        return int(hashlib.sha256(f"{salt}/{what}".encode()).hexdigest(), 16)

    near = {code.index for code in boxes.positional}
    order = sorted(sizes, key=lambda entry: mixed(entry[0]))
    keys: list[tuple[str, int]] = []
    parted = []
    for index, size in order:
        parts = FEWEST_PARTS + mixed(f"parts/{index}") % MORE_PARTS if index in near else PARTS_OF_SETS
        if size <= (parts if index in near else MANY_VALUES):
            keys.append((f"c{index}", size))
            continue
        width = -(-size // parts)
        keys.append((dialect.quotient(f"c{index}", str(width)), size // width + 1))
        parted.append((f"c{index}", size))
    return render(
        dialect,
        "cluster/moving/sort_runs",
        table=table,
        rows=rows,
        combinations=combinations,
        order=ordered_keys([*keys, *parted, ("rid", count + 1)]),
        shift=mixed("shift") % length,
        length=length,
    )


def candidates(
    dialect: Dialect,
    table: Relation,
    row_context: Relation,
    runs: Relation,
    groups: Relation,
    boxes: Boxes,
    *,
    k: int,
    heat: int,
    penalty: int,
    plateau: bool,
    most: int,
    small: bool,
    last: int,
    alike: bool = False,
) -> Statement:
    """`last`: the greatest number of a group. `alike`: the runs tell which rows are alike."""
    base = 1 << last.bit_length()
    return render(
        dialect,
        "cluster/moving/candidates",
        table=table,
        row_context=row_context,
        runs=runs,
        boxes=groups,
        stages=boxes.added_by_stages("boxes", "moving"),
        everything=EVERYTHING,
        k=k,
        heat=heat,
        penalty=penalty,
        plateau=plateau,
        most=most,
        small=small,
        alike=alike,
        base=base,
        dearest=PACKED // base,
    )


def operations(
    dialect: Dialect,
    table: Relation,
    candidates: Relation,
    row_context: Relation,
    boxes: Boxes,
    *,
    k: int,
    heat: int,
    penalty: int,
    room: int,
    salt: int,
) -> Statement:

    def noise(rid: str, rid2: str) -> str:
        if not heat:
            return "0"
        mixed = f"(({rid} * 31 + {rid2} * 17 + {salt * 1009}) % 1000003 * 2654435761) % 2147483647 % 1000"
        return dialect.quotient(f"({mixed} * {heat})", "1000")

    return render(
        dialect,
        "cluster/moving/operations",
        table=table,
        candidates=candidates,
        row_context=row_context,
        first=boxes.loss_in_place("mover.w_", "mover.loss_without_row", "partner"),
        second=boxes.loss_in_place("partner.w_", "partner.loss_without_row", "mover"),
        noise=noise,
        k=k,
        penalty=penalty,
        room=room,
    )


@rendered
def chosen_moves(dialect: Dialect, table: Relation, operations: Relation, passes: int) -> Statement: ...


@rendered
def touched_groups(dialect: Dialect, table: Relation, chosen_moves: Relation) -> Statement: ...


@rendered
def moved_rows(dialect: Dialect, table: Relation, chosen_moves: Relation) -> Statement: ...


@rendered
def sweep_counts(dialect: Dialect, chosen_moves: Relation) -> Statement: ...


def small_groups(dialect: Dialect, groups: Relation, k: int) -> Statement:
    return render(dialect, "cluster/moving/small_groups", boxes=groups, k=k)


@rendered
def copied_groups(dialect: Dialect, table: Relation, assignment: Relation) -> Statement: ...


def group_counts(dialect: Dialect, groups: Relation, k: int) -> Statement:
    return render(dialect, "cluster/moving/group_counts", boxes=groups, k=k)
