"""The statements of merging with suppressed values: a merger may blank attributes of one of its sides (thesis, udrv with suppression).

A cluster's box is that of the rows whose value is not blanked: z<i> rows are, own<i> is what the attribute is worth to the others.
Blanked attributes are bits of a mask.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kanon_sql.sql.boxes import Boxes, SetCode
from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.merge_cost import MergeCost
from kanon_sql.sql.render import render, rendered
from kanon_sql.sql.statement import Statement
from kanon_sql.sql.statements.cluster.merging import FULL_UP, PACK, MergedColumns


def first_figures(cost: MergeCost) -> dict[str, str]:
    """What a cluster shows at the beginning: no row is blanked, and every attribute is worth what it is in the cluster's box."""
    dialect, box = cost.boxes.dialect, cost.boxes.of("box")
    blanked = {f"z{i}": dialect.cast("0", "integer") for i in cost.values}
    return blanked | {
        f"own{i}": f"box.n * {value.value(dialect, box, lambda index: 'first_row')}" for i, value in cost.values.items()
    }


def _together(dialect: Dialect, boxes: Boxes, cost: MergeCost) -> dict[int, str]:
    """What each attribute is worth to the rows of both clusters with a value, in their joint box."""
    joined = boxes.with_box(boxes.of("here"), boxes.of("there"))
    return {
        i: f"(here.n - here.z{i} + there.n - there.z{i}) * {value.value(dialect, joined, lambda index: 'there')}"
        for i, value in cost.values.items()
    }


def _kept(dialect: Dialect, cost: MergeCost, k: int) -> dict[int, tuple[str, str]]:
    """What each attribute is worth where the one or the other side is blanked.

    Fewer than k rows on either side of a blank cost the whole cluster its values in the end, unless more rows join them: so the worth
    is counted in proportion to how near both are to k.
    """

    def counted(blank: str, kept: str, i: int) -> str:
        blanked, left = f"least({blank}.n + {kept}.z{i}, {k})", f"least({kept}.n - {kept}.z{i}, {k})"
        return dialect.quotient(f"({kept}.own{i} * {blanked} * {left})", str(k * k))

    return {i: (counted("here", "there", i), counted("there", "here", i)) for i in cost.values}


def partners(
    dialect: Dialect, table: Relation, clusters: Relation, boxes: Boxes, cost: MergeCost, *, gain: bool, k: int
) -> Statement:
    full = sum(value.full for value in cost.values.values())
    best = "greatest(plain, blank_here, blank_there)"
    expression = f"own - {best}" if gain else f"{full} - {dialect.quotient(best, '(n + n2)')}"
    return render(
        dialect,
        "cluster/blanking/partners",
        table=table,
        clusters=clusters,
        indexes=list(cost.values),
        together=_together(dialect, boxes, cost),
        kept=_kept(dialect, cost, k),
        cost=expression,
        k=k,
        pack=PACK,
        full_up=FULL_UP,
    )


def mergers(
    dialect: Dialect, table: Relation, chosen_moves: Relation, clusters: Relation, boxes: Boxes, cost: MergeCost, k: int
) -> Statement:
    return render(
        dialect,
        "cluster/blanking/mergers",
        table=table,
        chosen_moves=chosen_moves,
        clusters=clusters,
        indexes=list(cost.values),
        together=_together(dialect, boxes, cost),
        kept=_kept(dialect, cost, k),
    )


def merged_columns(cost: MergeCost, ruled: Mapping[int, int]) -> MergedColumns:
    """`ruled`: a rule's code to the attribute it is about: a blanked value takes the rule's side with it."""
    boxes, dialect = cost.boxes, cost.boxes.dialect
    joined = boxes.with_box(boxes.of("here"), boxes.of("there"))

    def chosen(index: int, column: str, both: str, there: str = "", here: str = "") -> str:
        bit = 1 << ruled.get(index, index)
        return (
            f"case when mergers.blank_here & {bit} <> 0 then {there or f'there.{column}'} "
            f"when mergers.blank_there & {bit} <> 0 then {here or f'here.{column}'} else {both} end"
        )

    box: dict[str, str] = {}
    for placed in boxes.positional:
        for column in (f"lo{placed.index}", f"hi{placed.index}"):
            box[column] = chosen(placed.index, column, joined[column])
    for word in range(boxes.words):
        column = f"b{word}"
        box[column] = " | ".join(
            f"(({chosen(code.index, column, joined[column])}) & {mask})"
            for code in boxes.codes
            if isinstance(code, SetCode)
            for own_word, mask in code.masks
            if own_word == word
        )
    seen = {
        column: f"case when mergers.blank_there & {1 << code.index} <> 0 then here.{column} else there.{column} end"
        for code in boxes.trees
        for column in code.row_columns
        if not column.startswith("a")
    }
    blanked = {
        f"z{i}": chosen(i, f"z{i}", f"here.z{i} + there.z{i}", f"here.n + there.z{i}", f"here.z{i} + there.n")
        for i in cost.values
    }
    merged = boxes.of("merged")
    own = {
        f"own{i}": f"(merged.n - merged.z{i}) * {value.value(dialect, merged, lambda index: 'merged')}"
        for i, value in cost.values.items()
    }
    return MergedColumns(box, seen, own, blanked)


@rendered
def no_blanks(dialect: Dialect, table: Relation, assignment: Relation) -> Statement: ...


@rendered
def blanked_rows(dialect: Dialect, table: Relation, blanks: Relation, mergers: Relation) -> Statement: ...


@rendered
def settled_blanks(
    dialect: Dialect, table: Relation, blanks: Relation, indexes: Sequence[int], k: int
) -> Statement: ...


@rendered
def assignment(dialect: Dialect, table: Relation, blanks: Relation) -> Statement: ...


@rendered
def blanked_labels(
    dialect: Dialect,
    table: Relation,
    labels: Relation,
    assignment: Relation,
    blanks: Relation,
    indexes: Sequence[int],
    ranges: Sequence[int],
    frozen: Sequence[str] = (),
) -> Statement: ...
