"""Merge clusters inside blocks: bottom-up (Xu et al. 2006, figure 4), utility-driven clustering (thesis, figure 14)."""

from __future__ import annotations

from collections.abc import Mapping

from kanon_sql.sql.boxes import Boxes
from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.merge_cost import Worth
from kanon_sql.sql.render import render
from kanon_sql.sql.statement import Statement


def merge_candidates(
    dialect: Dialect,
    table: Relation,
    assign: Relation,
    runs: Relation,
    groups: Relation,
    small: Relation,
    boxes: Boxes,
    trees: Mapping[int, Relation],
) -> Statement:
    return render(
        dialect,
        "cluster/merging/merge_candidates",
        table=table,
        assign=assign,
        runs=runs,
        boxes=groups,
        small=small,
        joined=boxes.with_box(boxes.of("here"), boxes.of("there")),
        loss=boxes.loss(boxes.of("joined"), lambda index: f"tree_{index}"),
        joins=boxes.tree_joins(lambda index: f"joined.lo{index}"),
        trees=trees,
    )


def star_mergers(dialect: Dialect, table: Relation, merges: Relation, small: Relation, salt: int) -> Statement:
    """`salt` says which half of the groups joins others."""
    return render(dialect, "cluster/merging/star_mergers", table=table, merges=merges, small=small, salt=salt)


def merged_assignment(dialect: Dialect, table: Relation, assign: Relation, taken: Relation) -> Statement:
    return render(dialect, "cluster/merging/merged_assignment", table=table, assign=assign, taken=taken)


PACK = 1 << 21
"""Above the clusters of a block: a cost times this, plus a cluster's place, is ordered by cost and then by place."""

FULL_UP = 1 << 41
"""Above every cost: a cluster of 2k rows is chosen only where there is no other."""


def witnesses(boxes: Boxes) -> list[str]:
    """The ancestors that a cluster shows of its first row."""
    return [column for code in boxes.trees for column in code.row_columns if not column.startswith("a")]


def identical_rows(dialect: Dialect, table: Relation, free: Relation, boxes: Boxes) -> Statement:
    return render(dialect, "cluster/merging/identical_rows", table=table, free=free, columns=boxes.cut_columns)


def clusters(
    dialect: Dialect, table: Relation, assign: Relation, free: Relation, boxes: Boxes, worth: Worth
) -> Statement:
    return render(
        dialect,
        "cluster/merging/clusters",
        table=table,
        assign=assign,
        free=free,
        box=boxes.aggregated("free"),
        witnesses=witnesses(boxes),
        lost=worth.lost(boxes.of("box"), lambda index: "first_row"),
    )


def partners(
    dialect: Dialect, table: Relation, clusters: Relation, boxes: Boxes, worth: Worth, *, gain: bool, k: int
) -> Statement:
    lost = worth.lost(boxes.with_box(boxes.of("here"), boxes.of("there")), lambda index: "here")
    cost = f"(here.n + there.n) * ({lost}) - here.n * here.loss - there.n * there.loss" if gain else lost
    return render(
        dialect, "cluster/merging/partners", table=table, clusters=clusters, cost=cost, k=k, pack=PACK, full_up=FULL_UP
    )


def merged_clusters(
    dialect: Dialect, table: Relation, clusters: Relation, taken: Relation, boxes: Boxes, worth: Worth
) -> Statement:
    joined = boxes.with_box(boxes.of("here"), boxes.of("there"))
    return render(
        dialect,
        "cluster/merging/merged_clusters",
        table=table,
        clusters=clusters,
        taken=taken,
        box=joined,
        columns=boxes.columns,
        witnesses=witnesses(boxes),
        lost=worth.lost(joined, lambda index: "there"),
    )


def merge_counts(dialect: Dialect, taken: Relation, clusters: Relation, k: int) -> Statement:
    return render(dialect, "cluster/merging/merge_counts", taken=taken, clusters=clusters, k=k)


def range_widths(dialect: Dialect, widths: list[tuple[int, Relation, str]]) -> Statement:
    """`widths`: (attribute, dictionary, its value as a double)."""
    return render(dialect, "cluster/merging/range_widths", widths=widths)
