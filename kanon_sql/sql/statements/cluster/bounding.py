"""What groups lose at least, whoever finds them."""

from __future__ import annotations

from kanon_sql.sql.boxes import EVERYTHING, Boxes
from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.render import render
from kanon_sql.sql.statement import Statement


def nearest_rows(
    dialect: Dialect,
    rows: Relation,
    assignment: Relation,
    groups: Relation,
    boxes: Boxes,
    *,
    sample: int,
    k: int,
    seed: int,
) -> Statement:
    return render(
        dialect,
        "cluster/bounding/nearest_rows",
        rows=rows,
        assignment=assignment,
        boxes=groups,
        everything=EVERYTHING,
        row_columns=boxes.row_columns,
        order=f"(rid * 2654435761 + {seed * 40503}) % 2147483647",
        sample=sample,
        k=k,
        loss=boxes.loss_of_two("other", "sampled"),
    )
