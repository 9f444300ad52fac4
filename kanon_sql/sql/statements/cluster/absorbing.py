"""Rows of groups that cannot stay: absorbed by other groups, dissolved, or suppressed within the budget."""

from __future__ import annotations

from kanon_sql.sql.boxes import Boxes
from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.packed_keys import KEY_BITS
from kanon_sql.sql.render import render, rendered
from kanon_sql.sql.statement import Statement


def absorb_small_groups(
    dialect: Dialect,
    table: Relation,
    row_context: Relation,
    groups: Relation,
    boxes: Boxes,
    runs: Relation | None,
    *,
    k: int,
    room: int,
    budget: int,
    last: int,
    most: int = 1,
) -> Statement:
    """`last`: the greatest number of a group; `most`: rows that a group takes."""
    bits = last.bit_length()
    return render(
        dialect,
        "cluster/absorbing/absorb_small_groups",
        table=table,
        row_context=row_context,
        boxes=groups,
        joined=boxes.loss_joined("boxes", "leaving"),
        runs=runs,
        k=k,
        room=room,
        budget=budget,
        most=most,
        full=boxes.full,
        pack=1 << bits,
        ceiling=1 << KEY_BITS - 1 - bits,
    )


def costliest_groups(
    dialect: Dialect,
    table: Relation,
    row_context: Relation,
    groups: Relation,
    boxes: Boxes,
    runs: Relation | None,
    *,
    k: int,
    most: int,
    budget: int,
) -> Statement:
    return render(
        dialect,
        "cluster/absorbing/costliest_groups",
        table=table,
        row_context=row_context,
        boxes=groups,
        joined=boxes.loss_joined("boxes", "leaving"),
        runs=runs,
        k=k,
        most=most,
        full=boxes.full if budget else None,
    )


@rendered
def dissolved_groups(
    dialect: Dialect, table: Relation, assignment: Relation, groups: Relation, first: int
) -> Statement: ...


def outliers(dialect: Dialect, table: Relation, row_context: Relation, boxes: Boxes, k: int, budget: int) -> Statement:
    return render(
        dialect, "cluster/absorbing/outliers", table=table, row_context=row_context, k=k, full=boxes.full, budget=budget
    )


@rendered
def suppressed_rows(dialect: Dialect, assignment: Relation) -> Statement: ...
