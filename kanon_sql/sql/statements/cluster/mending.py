"""Groups that satisfy the privacy models while rows move between them: operations and cuts are tried before they are carried out."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.sql.boxes import Boxes
from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.render import render, rendered
from kanon_sql.sql.statement import Statement


def mending_operations(
    dialect: Dialect,
    table: Relation,
    row_context: Relation,
    runs: Relation,
    groups: Relation,
    violating: Relation,
    units: Relation,
    boxes: Boxes,
    *,
    differing: Sequence[str],
    repeated: bool,
    least: int,
    most: int,
    ceiling: int | None,
) -> Statement:
    return render(
        dialect,
        "cluster/mending/mending_operations",
        table=table,
        row_context=row_context,
        runs=runs,
        boxes=groups,
        violating=violating,
        units=units,
        differing=differing,
        repeated=repeated,
        first=boxes.loss_with_row(boxes.of("mover", "w_"), "partner"),
        second=boxes.loss_with_row(boxes.of("partner", "w_"), "mover"),
        joined=boxes.loss_joined("boxes", "partner"),
        least=least,
        most=most,
        ceiling=ceiling,
    )


@rendered
def trial_units(
    dialect: Dialect,
    table: Relation,
    operations: Relation,
    assignment: Relation,
    units: Relation,
    columns: Sequence[str],
) -> Statement: ...


@rendered
def allowed_operations(
    dialect: Dialect, table: Relation, operations: Relation, violating: Relation, partly: bool = False
) -> Statement: ...


@rendered
def side_units(
    dialect: Dialect, table: Relation, sides: Relation, units: Relation, columns: Sequence[str]
) -> Statement: ...


@rendered
def allowed_sides(
    dialect: Dialect, table: Relation, sides: Relation, violating: Relation, columns: Sequence[str]
) -> Statement: ...
