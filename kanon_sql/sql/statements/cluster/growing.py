"""Grow groups row by row, one in every block at a time (k-member; SpatialDistance)."""

from __future__ import annotations

from kanon_sql.sql.boxes import Boxes, SetCode
from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.render import render
from kanon_sql.sql.statement import Statement

PACK = 1 << 32
"""Above every row number: a cost times this, plus a row number, is ordered by cost and then by row."""


def free_rows(
    dialect: Dialect, table: Relation, rows: Relation, blocks: Relation | None, boxes: Boxes, k: int
) -> Statement:
    columns = [*boxes.row_columns, *boxes.cut_columns]
    sides = [f"c{code.index}" for code in boxes.codes if isinstance(code, SetCode) and code.rule]
    return render(
        dialect, "cluster/growing/free_rows", table=table, rows=rows, blocks=blocks, columns=columns, sides=sides, k=k
    )


def first_boxes(dialect: Dialect, table: Relation, free: Relation, boxes: Boxes) -> Statement:
    return render(dialect, "cluster/growing/first_boxes", table=table, free=free, box=_point(boxes), pack=PACK)


def seeds(dialect: Dialect, grown: Relation, free: Relation, boxes: Boxes, turn: int, k: int) -> Statement:
    return render(
        dialect,
        "cluster/growing/seeds",
        grown=grown,
        free=free,
        box=_point(boxes),
        distance=boxes.loss_with_row(boxes.of("last"), "free"),
        turn=turn,
        k=k,
        pack=PACK,
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
        pack=PACK,
    )


def delete_joined(dialect: Dialect, free: Relation, grown: Relation, turn: int, n: int | None) -> Statement:
    return render(dialect, "cluster/growing/delete_joined", free=free, grown=grown, turn=turn, n=n)


def still_free(
    dialect: Dialect, table: Relation, free: Relation, grown: Relation, turn: int, n: int | None
) -> Statement:
    return render(dialect, "cluster/growing/still_free", table=table, free=free, grown=grown, turn=turn, n=n)


def leftovers(dialect: Dialect, grown: Relation, free: Relation, rows: Relation, boxes: Boxes, turn: int) -> Statement:
    joined = boxes.loss_with_row(boxes.of("standing"), "free")
    alone = boxes.loss_with_row(boxes.of("standing"), "member")
    return render(
        dialect,
        "cluster/growing/leftovers",
        grown=grown,
        free=free,
        rows=rows,
        columns=boxes.columns,
        box=boxes.with_row(boxes.of("standing"), "free"),
        cost=f"(standing.n + 1) * ({joined}) - standing.n * ({alone})",
        turn=turn,
    )


def growing_counts(dialect: Dialect, grown: Relation, free: Relation, turn: int) -> Statement:
    return render(dialect, "cluster/growing/growing_counts", grown=grown, free=free, turn=turn)


def grown_groups(dialect: Dialect, table: Relation, grown: Relation, free: Relation) -> Statement:
    return render(dialect, "cluster/growing/grown_groups", table=table, grown=grown, free=free)


def _point(boxes: Boxes) -> dict[str, str]:
    """The box of one row."""
    return {column: f"free.{boxes.row_column(column)}" for column in boxes.columns}
