"""Grow groups row by row, one in every block at a time (k-member; SpatialDistance)."""

from __future__ import annotations

from kanon_sql.sql.boxes import ROW_PACK, Box, Boxes, SetCode
from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.render import render, rendered
from kanon_sql.sql.statement import Statement


def free_rows(
    dialect: Dialect, table: Relation, rows: Relation, blocks: Relation | None, boxes: Boxes, k: int
) -> Statement:
    columns = [*boxes.row_columns, *boxes.cut_columns]
    sides = [f"c{code.index}" for code in boxes.codes if isinstance(code, SetCode) and code.rule]
    return render(
        dialect, "cluster/growing/free_rows", table=table, rows=rows, blocks=blocks, columns=columns, sides=sides, k=k
    )


def first_boxes(dialect: Dialect, table: Relation, free: Relation, box: Box) -> Statement:
    return render(dialect, "cluster/growing/first_boxes", table=table, free=free, box=box, pack=ROW_PACK)


def seeds(dialect: Dialect, grown: Relation, free: Relation, boxes: Boxes, turn: int, k: int) -> Statement:
    return render(
        dialect,
        "cluster/growing/seeds",
        grown=grown,
        free=free,
        box=boxes.of_row("free"),
        distance=boxes.loss_with_row(boxes.of("last"), "free"),
        turn=turn,
        k=k,
        pack=ROW_PACK,
    )


def nearest(dialect: Dialect, grown: Relation, free: Relation, boxes: Boxes, turn: int, n: int) -> Statement:
    return render(
        dialect,
        "cluster/growing/nearest",
        grown=grown,
        free=free,
        box=boxes.with_row(boxes.of("growing"), "free"),
        cost=boxes.loss_with_row(boxes.of("growing"), "free"),
        turn=turn,
        n=n,
        pack=ROW_PACK,
    )


@rendered
def delete_joined(dialect: Dialect, free: Relation, grown: Relation, turn: int, n: int | None) -> Statement: ...


@rendered
def still_free(
    dialect: Dialect, table: Relation, free: Relation, grown: Relation, turn: int, n: int | None
) -> Statement: ...


@rendered
def leftovers(
    dialect: Dialect, grown: Relation, free: Relation, rows: Relation, box: Box, cost: str, turn: int
) -> Statement:
    """`box`: of the group `nearby` with the row `free` in it; `cost`: of that row there."""


def joining_cost(boxes: Boxes) -> str:
    """What the row `free` adds to the loss of the group `nearby`; `member` is a row of that group."""
    joined = boxes.loss_with_row(boxes.of("nearby"), "free")
    before = boxes.loss_with_row(boxes.of("nearby"), "member")
    return f"(nearby.n + 1) * ({joined}) - nearby.n * ({before})"


@rendered
def growing_counts(dialect: Dialect, grown: Relation, free: Relation, turn: int) -> Statement: ...


@rendered
def grown_groups(dialect: Dialect, table: Relation, grown: Relation, free: Relation) -> Statement: ...
