"""The statements of the algorithms that work inside blocks, per dialect: golden files, each parsed by an independent parser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import sqlglot

from kanon_sql.sql import blank_statements, grow_statements, halve_statements, merge_statements, spatial_statements
from kanon_sql.sql.boxes import Boxes, RangeCode, SetCode, TreeCode
from kanon_sql.sql.dialect import Dialect
from kanon_sql.sql.spatial_statements import Space, SpatialAttribute
from kanon_sql.sql.statement import Statement
from kanon_sql.sql.worth import AttributeWorth, RuleWorth, Worth
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
        "free_rows": grow_statements.free_rows(dialect, t, rows, assign, boxes, 5),
        "seeds": grow_statements.seeds(dialect, grown, free, boxes, 3, 5),
        "nearest": grow_statements.nearest(dialect, grown, free, boxes, 3, 2),
        "still_free": grow_statements.still_free(dialect, t, free, grown, 3, 2),
        "leftovers": grow_statements.leftovers(dialect, grown, free, rows, boxes, 9),
        "facing": spatial_statements.facing(dialect, t, grown, free, space, 3, 5),
        "nearest_to_centre": spatial_statements.nearest_to_centre(dialect, grown, work("facing"), space, 3, 2),
        "clusters": merge_statements.clusters(dialect, t, assign, free, boxes, worth),
        "partners": merge_statements.partners(dialect, t, clusters, boxes, worth, gain=True, k=5),
        "partners_by_ranges": merge_statements.partners(dialect, t, clusters, boxes, ranges, gain=False, k=5),
        "merged_clusters": merge_statements.merged_clusters(dialect, t, clusters, taken, boxes, worth),
        "blank_partners": blank_statements.blank_partners(dialect, t, clusters, boxes, worth, gain=True, k=5),
        "blank_mergers": blank_statements.blank_mergers(dialect, t, taken, clusters, boxes, worth, 5),
        "blank_merged": blank_statements.blank_merged(dialect, t, clusters, work("mergers"), boxes, worth, {3: 0}),
        "settled_blanks": blank_statements.settled_blanks(dialect, t, work("blanks"), [0, 1, 2], 5),
        "far_seeds": halve_statements.far_seeds(dialect, t, opened, work("left_seeds"), boxes),
        "halves": halve_statements.halves(dialect, t, opened, work("left_seeds"), work("right_seeds"), boxes, 5),
    }


@pytest.mark.parametrize("engine", DIALECTS)
def test_golden(engine: str, golden: Callable[[Path, str], None]) -> None:
    for name, statement in made(DIALECTS[engine]).items():
        sqlglot.parse_one(statement.sql, dialect="postgres" if engine == "postgresql" else engine)
        golden(GOLDEN / engine / f"cluster_{name}.sql", f"-- {statement.label}\n{statement.sql}\n")
