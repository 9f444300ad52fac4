"""Halve every open group between two distant seeds (top-down, Xu et al. 2006, section 4.2)."""

from __future__ import annotations

from kanon_sql.sql.boxes import ROW_PACK, Boxes
from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.render import render
from kanon_sql.sql.statement import Statement

LARGE = 20
"""A group of more than so many times k rows is large:"""

UNEVEN = 10
"""each of its sides gets at least this part, which bounds the depth."""


def first_seeds(dialect: Dialect, table: Relation, open: Relation, boxes: Boxes, salt: int) -> Statement:
    chosen = f"min((rid + {salt}) * 2654435761 % 2147483647 * {ROW_PACK} + rid) % {ROW_PACK}"
    return render(
        dialect, "cluster/halving/first_seeds", table=table, open=open, chosen=chosen, box=boxes.of_row("open")
    )


def far_seeds(dialect: Dialect, table: Relation, open: Relation, seeds: Relation, boxes: Boxes) -> Statement:
    return render(
        dialect,
        "cluster/halving/far_seeds",
        table=table,
        open=open,
        seeds=seeds,
        distance=boxes.loss_with_row(boxes.of("seed"), "open"),
        box=boxes.of_row("open"),
        pack=ROW_PACK,
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
