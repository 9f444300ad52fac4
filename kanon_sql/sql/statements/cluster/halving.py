"""Halve every open group between two distant seeds (top-down, Xu et al. 2006, section 4.2)."""

from __future__ import annotations

from kanon_sql.sql.boxes import Boxes
from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.render import render
from kanon_sql.sql.statement import Statement

PACK = 1 << 32
"""Above every row number."""

LARGE = 20
"""A group of more than so many times k rows is large:"""

UNEVEN = 10
"""each of its sides gets at least this part, which bounds the depth."""


def open_rows(dialect: Dialect, table: Relation, rows: Relation, boxes: Boxes) -> Statement:
    return render(
        dialect, "cluster/cutting/open_rows", table=table, rows=rows, assign=None, columns=boxes.row_columns, stop=0
    )


def first_seeds(dialect: Dialect, table: Relation, open: Relation, boxes: Boxes, salt: int) -> Statement:
    chosen = f"min((rid + {salt}) * 2654435761 % 2147483647 * {PACK} + rid) % {PACK}"
    return render(dialect, "cluster/halving/first_seeds", table=table, open=open, chosen=chosen, box=_point(boxes))


def far_seeds(dialect: Dialect, table: Relation, open: Relation, seeds: Relation, boxes: Boxes) -> Statement:
    return render(
        dialect,
        "cluster/halving/far_seeds",
        table=table,
        open=open,
        seeds=seeds,
        distance=boxes.loss_with_row(boxes.of("seed"), "open"),
        box=_point(boxes),
        pack=PACK,
    )


def halves(
    dialect: Dialect, table: Relation, open: Relation, left: Relation, right: Relation, boxes: Boxes, k: int
) -> Statement:
    least = f"case when n > {LARGE * k} then {dialect.quotient('n', str(UNEVEN))} else {k} end"
    return render(
        dialect,
        "cluster/halving/halves",
        table=table,
        open=open,
        left=left,
        right=right,
        columns=boxes.row_columns,
        to_left=boxes.loss_with_row(boxes.of("here"), "open"),
        to_right=boxes.loss_with_row(boxes.of("there"), "open"),
        least=least,
    )


def still_open(
    dialect: Dialect, table: Relation, sides: Relation, sizes: Relation, boxes: Boxes, stop: int
) -> Statement:
    return render(
        dialect,
        "cluster/cutting/still_open",
        table=table,
        sides=sides,
        sizes=sizes,
        columns=boxes.row_columns,
        stop=stop,
    )


def _point(boxes: Boxes) -> dict[str, str]:
    return {column: f"open.{boxes.row_column(column)}" for column in boxes.columns}
