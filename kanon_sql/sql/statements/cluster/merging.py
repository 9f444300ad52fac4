"""Merge clusters inside blocks: bottom-up (Xu et al. 2006, figure 4), utility-driven clustering (thesis, figure 14)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from kanon_sql.frozen import dataclass
from kanon_sql.sql.boxes import Boxes
from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.merge_cost import MergeCost
from kanon_sql.sql.render import render, rendered
from kanon_sql.sql.statement import Statement


def merge_candidates(
    dialect: Dialect,
    table: Relation,
    assignment: Relation,
    runs: Relation,
    groups: Relation,
    violating: Relation,
    boxes: Boxes,
    trees: Mapping[int, Relation],
) -> Statement:
    return render(
        dialect,
        "cluster/merging/merge_candidates",
        table=table,
        assignment=assignment,
        runs=runs,
        boxes=groups,
        violating=violating,
        joined=boxes.with_box(boxes.of("here"), boxes.of("there")),
        loss=boxes.loss(boxes.of("joined"), lambda index: f"tree_{index}"),
        joins=boxes.tree_joins(lambda index: f"joined.lo{index}"),
        trees=trees,
    )


def star_mergers(dialect: Dialect, table: Relation, operations: Relation, violating: Relation, salt: int) -> Statement:
    """`salt` says which half of the groups joins others: each gives halves of its own (Lehmer's generator)."""
    factor = pow(48271, salt + 1, 2147483647)
    return render(
        dialect, "cluster/merging/star_mergers", table=table, operations=operations, violating=violating, factor=factor
    )


@rendered
def merged_assignment(dialect: Dialect, table: Relation, assignment: Relation, chosen_moves: Relation) -> Statement: ...


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
    dialect: Dialect, table: Relation, assignment: Relation, free: Relation, boxes: Boxes, figures: Mapping[str, str]
) -> Statement:
    """`figures`: column to expression over `box` and `first_row`, what a cluster shows beside its box."""
    return render(
        dialect,
        "cluster/merging/clusters",
        table=table,
        assignment=assignment,
        free=free,
        box=boxes.aggregated("free"),
        witnesses=witnesses(boxes),
        figures=figures,
    )


def loss_figure(cost: MergeCost, box: str, witness: str) -> dict[str, str]:
    """The loss of a row of a cluster, as the figure `loss`."""
    boxes = cost.boxes
    return {"loss": boxes.dialect.cast(cost.lost(boxes.of(box), lambda index: witness), "integer")}


def partners(
    dialect: Dialect, table: Relation, clusters: Relation, boxes: Boxes, cost: MergeCost, *, gain: bool, k: int
) -> Statement:
    lost = cost.lost(boxes.with_box(boxes.of("here"), boxes.of("there")), lambda index: "here")
    expression = f"(here.n + there.n) * ({lost}) - here.n * here.loss - there.n * there.loss" if gain else lost
    return render(
        dialect,
        "cluster/merging/partners",
        table=table,
        clusters=clusters,
        cost=expression,
        k=k,
        pack=PACK,
        full_up=FULL_UP,
    )


@dataclass(frozen=True)
class MergedColumns:
    """The columns of a merged cluster, as expressions over its two parts `here` and `there` and over `mergers`.

    `box`: its box; `seen`: the ancestors it shows; `blanked`: rows of it that are blanked, by attribute.
    `figures`: over the `merged` cluster.
    """

    box: Mapping[str, str]
    seen: Mapping[str, str]
    figures: Mapping[str, str]
    blanked: Mapping[str, str] = field(default_factory=dict)


def merged_columns(cost: MergeCost) -> MergedColumns:
    boxes = cost.boxes
    seen = {column: f"there.{column}" for column in witnesses(boxes)}
    box = boxes.with_box(boxes.of("here"), boxes.of("there"))
    return MergedColumns(box, seen, loss_figure(cost, "merged", "merged"))


def merged_clusters(
    dialect: Dialect, table: Relation, clusters: Relation, mergers: Relation, columns: MergedColumns
) -> Statement:
    return render(
        dialect,
        "cluster/merging/merged_clusters",
        table=table,
        clusters=clusters,
        mergers=mergers,
        **vars(columns),
    )


@rendered
def merge_counts(dialect: Dialect, chosen_moves: Relation, clusters: Relation, k: int) -> Statement: ...


@rendered
def range_widths(dialect: Dialect, widths: list[tuple[int, Relation, str]]) -> Statement:
    """`widths`: (attribute, dictionary, its value as a double)."""
