"""The statements of the algorithms that work inside blocks, per dialect: golden files, each parsed by an independent parser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import sqlglot

from kanon_sql.sql import statements
from kanon_sql.sql.boxes import Boxes, RangeCode, SetCode, TreeCode
from kanon_sql.sql.dialect import Dialect
from kanon_sql.sql.merge_cost import AttributeWorth, RuleWorth, Worth
from kanon_sql.sql.statement import Statement
from kanon_sql.sql.statements.cluster.spatial import Space, SpatialAttribute
from tests.sql.test_cluster_golden import DIALECTS, GOLDEN, NAMES

AGE, CITY, JOB = RangeCode(0, 1_000_000), TreeCode(1, 1_000_000, 10_000, 0, (1,)), SetCode(2, 200_000, True, ((0, 31),))
RULE = SetCode(3, 1_500_000, True, ((0, 96),), rule=True)


def made(dialect: Dialect) -> dict[str, Statement]:
    boxes = Boxes(dialect, (AGE, CITY, JOB, RULE), 1)
    values = {
        0: AttributeWorth(AGE, 1_000_000, 70, 10_000, (RuleWorth(RULE, 25_000),)),
        1: AttributeWorth(CITY, 1_000_000),
        2: AttributeWorth(JOB, 1_000_000),
    }
    worth = Worth(boxes, "research_value", values)
    ranges = Worth(boxes, "ranges", {})
    space = Space(
        boxes,
        (AGE,),
        (SpatialAttribute(JOB, 5, 1_000_000), SpatialAttribute(CITY, 8, 1_000_000)),
        (RULE,),
        1,
    )
    work = NAMES.work
    t, free, grown, rows = work("made"), work("free"), work("grown"), work("rows")
    assign, clusters, taken, opened = work("assign"), work("clusters"), work("taken"), work("open")
    return {
        "cluster/growing/free_rows": statements.cluster.growing.free_rows(dialect, t, rows, assign, boxes, 5),
        "cluster/growing/seeds": statements.cluster.growing.seeds(dialect, grown, free, boxes, 3, 5),
        "cluster/growing/nearest": statements.cluster.growing.nearest(dialect, grown, free, boxes, 3, 2),
        "cluster/growing/still_free": statements.cluster.growing.still_free(dialect, t, free, grown, 3, 2),
        "cluster/growing/leftovers": statements.cluster.growing.leftovers(dialect, grown, free, rows, boxes, 9),
        "cluster/spatial/seed_distances": statements.cluster.spatial.seed_distances(
            dialect, t, grown, free, space, 3, 5
        ),
        "cluster/spatial/nearest_to_centre": statements.cluster.spatial.nearest_to_centre(
            dialect, grown, work("facing"), space, 3, 2
        ),
        "cluster/merging/clusters": statements.cluster.merging.clusters(dialect, t, assign, free, boxes, worth),
        "cluster/merging/partners": statements.cluster.merging.partners(
            dialect, t, clusters, boxes, worth, gain=True, k=5
        ),
        "cluster/merging/partners.by_ranges": statements.cluster.merging.partners(
            dialect, t, clusters, boxes, ranges, gain=False, k=5
        ),
        "cluster/merging/merged_clusters": statements.cluster.merging.merged_clusters(
            dialect, t, clusters, taken, boxes, worth
        ),
        "cluster/blanking/partners": statements.cluster.blanking.partners(
            dialect, t, clusters, boxes, worth, gain=True, k=5
        ),
        "cluster/blanking/mergers": statements.cluster.blanking.mergers(dialect, t, taken, clusters, boxes, worth, 5),
        "cluster/blanking/merged_clusters": statements.cluster.blanking.merged_clusters(
            dialect, t, clusters, work("mergers"), boxes, worth, {3: 0}
        ),
        "cluster/blanking/settled_blanks": statements.cluster.blanking.settled_blanks(
            dialect, t, work("blanks"), [0, 1, 2], 5
        ),
        "cluster/halving/far_seeds": statements.cluster.halving.far_seeds(
            dialect, t, opened, work("left_seeds"), boxes
        ),
        "cluster/halving/halves": statements.cluster.halving.halves(
            dialect, t, opened, work("left_seeds"), work("right_seeds"), boxes, 5
        ),
    }


@pytest.mark.parametrize("engine", DIALECTS)
def test_golden(engine: str, golden: Callable[[Path, str], None]) -> None:
    for name, statement in made(DIALECTS[engine]).items():
        sqlglot.parse_one(statement.sql, dialect="postgres" if engine == "postgresql" else engine)
        assert name.partition(".")[0] == statement.label
        golden(GOLDEN / engine / f"{name}.sql", f"-- {statement.label}\n{statement.sql}\n")
