"""The statements of merging with suppressed values: a merger may blank attributes of one of its sides (thesis, udrv with suppression).

A cluster's box is that of the rows whose value is not blanked: z<i> rows are, own<i> is what the attribute is worth to the others.
Blanked attributes are bits of a mask.
"""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.sql.boxes import Boxes, SetCode
from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.merge_cost import Worth
from kanon_sql.sql.render import render
from kanon_sql.sql.statement import Statement
from kanon_sql.sql.statements.cluster.merging import FULL_UP, PACK, witnesses


def clusters(
    dialect: Dialect, table: Relation, assign: Relation, free: Relation, boxes: Boxes, worth: Worth
) -> Statement:
    box = boxes.of("box")
    return render(
        dialect,
        "cluster/blanking/clusters",
        table=table,
        assign=assign,
        free=free,
        box=boxes.aggregated("free"),
        witnesses=witnesses(boxes),
        indexes=list(worth.values),
        own={
            f"own{i}": f"box.n * {value.value(dialect, box, lambda index: 'first_row')}"
            for i, value in worth.values.items()
        },
    )


def _together(dialect: Dialect, boxes: Boxes, worth: Worth) -> dict[int, str]:
    """What each attribute is worth to the rows of both clusters with a value, in their joint box."""
    joined = boxes.with_box(boxes.of("here"), boxes.of("there"))
    return {
        i: f"(here.n - here.z{i} + there.n - there.z{i}) * {value.value(dialect, joined, lambda index: 'there')}"
        for i, value in worth.values.items()
    }


def _kept(dialect: Dialect, worth: Worth, k: int) -> dict[int, tuple[str, str]]:
    """What each attribute is worth where the one or the other side is blanked.

    Fewer than k rows on either side of a blank cost the whole cluster its values in the end, unless more rows join them: so the worth
    is counted in proportion to how near both are to k.
    """

    def counted(blank: str, kept: str, i: int) -> str:
        blanked, left = f"least({blank}.n + {kept}.z{i}, {k})", f"least({kept}.n - {kept}.z{i}, {k})"
        return dialect.quotient(f"({kept}.own{i} * {blanked} * {left})", str(k * k))

    return {i: (counted("here", "there", i), counted("there", "here", i)) for i in worth.values}


def partners(
    dialect: Dialect, table: Relation, clusters: Relation, boxes: Boxes, worth: Worth, *, gain: bool, k: int
) -> Statement:
    full = sum(value.full for value in worth.values.values())
    best = "greatest(plain, blank_here, blank_there)"
    cost = f"own - {best}" if gain else f"{full} - {dialect.quotient(best, '(n + n2)')}"
    return render(
        dialect,
        "cluster/blanking/partners",
        table=table,
        clusters=clusters,
        indexes=list(worth.values),
        together=_together(dialect, boxes, worth),
        kept=_kept(dialect, worth, k),
        cost=cost,
        k=k,
        pack=PACK,
        full_up=FULL_UP,
    )


def mergers(
    dialect: Dialect, table: Relation, taken: Relation, clusters: Relation, boxes: Boxes, worth: Worth, k: int
) -> Statement:
    return render(
        dialect,
        "cluster/blanking/mergers",
        table=table,
        taken=taken,
        clusters=clusters,
        indexes=list(worth.values),
        together=_together(dialect, boxes, worth),
        kept=_kept(dialect, worth, k),
    )


def merged_clusters(
    dialect: Dialect,
    table: Relation,
    clusters: Relation,
    mergers: Relation,
    boxes: Boxes,
    worth: Worth,
    ruled: dict[int, int],
) -> Statement:
    """`ruled`: a rule's code to the attribute it is about, with whose value it goes."""

    def chosen(index: int, column: str, both: str, left: str = "", right: str = "") -> str:
        bit = 1 << ruled.get(index, index)
        there, here = left or f"there.{column}", right or f"here.{column}"
        return (
            f"case when mergers.blank_here & {bit} <> 0 then {there} "
            f"when mergers.blank_there & {bit} <> 0 then {here} else {both} end"
        )

    joined = boxes.with_box(boxes.of("here"), boxes.of("there"))
    box: dict[str, str] = {}
    for placed in boxes.positional:
        for end in ("lo", "hi"):
            column = f"{end}{placed.index}"
            box[column] = chosen(placed.index, column, joined[column])
    for word in range(boxes.words):
        parts = []
        for code in boxes.codes:
            if isinstance(code, SetCode):
                for own_word, mask in code.masks:
                    if own_word == word:
                        column = f"b{word}"
                        bits = chosen(code.index, column, joined[column])
                        parts.append(f"(({bits}) & {mask})")
        box[f"b{word}"] = " | ".join(parts)
    seen = {
        column: f"case when mergers.blank_there & {1 << code.index} <> 0 then here.{column} else there.{column} end"
        for code in boxes.trees
        for column in code.row_columns
        if not column.startswith("a")
    }
    blanked = {
        f"z{i}": chosen(i, f"z{i}", f"here.z{i} + there.z{i}", f"here.n + there.z{i}", f"here.z{i} + there.n")
        for i in worth.values
    }
    merged = boxes.of("merged")
    return render(
        dialect,
        "cluster/blanking/merged_clusters",
        table=table,
        clusters=clusters,
        mergers=mergers,
        box=box,
        columns=boxes.columns,
        witnesses=witnesses(boxes),
        seen=seen,
        blanked=blanked,
        own={
            f"own{i}": f"(merged.n - merged.z{i}) * {value.value(dialect, merged, lambda index: 'merged')}"
            for i, value in worth.values.items()
        },
    )


def no_blanks(dialect: Dialect, table: Relation, assign: Relation) -> Statement:
    return render(dialect, "cluster/blanking/no_blanks", table=table, assign=assign)


def blanked_rows(dialect: Dialect, table: Relation, blanks: Relation, mergers: Relation) -> Statement:
    return render(dialect, "cluster/blanking/blanked_rows", table=table, blanks=blanks, mergers=mergers)


def settled_blanks(dialect: Dialect, table: Relation, blanks: Relation, indexes: Sequence[int], k: int) -> Statement:
    return render(dialect, "cluster/blanking/settled_blanks", table=table, blanks=blanks, indexes=indexes, k=k)


def assignment(dialect: Dialect, table: Relation, blanks: Relation) -> Statement:
    return render(dialect, "cluster/blanking/assignment", table=table, blanks=blanks)


def blanked_labels(
    dialect: Dialect,
    table: Relation,
    labels: Relation,
    assign: Relation,
    blanks: Relation,
    indexes: Sequence[int],
    ranges: Sequence[int],
) -> Statement:
    return render(
        dialect,
        "cluster/blanking/blanked_labels",
        table=table,
        labels=labels,
        assign=assign,
        blanks=blanks,
        indexes=indexes,
        ranges=ranges,
    )
