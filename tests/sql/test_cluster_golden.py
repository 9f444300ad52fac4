"""The statements of local recoding as they are sent, per dialect: golden files, each parsed by an independent parser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import sqlglot

from kanon_sql.sql import statements
from kanon_sql.sql.boxes import Boxes, RangeCode, SetCode, TreeCode, mask_words
from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.dialects.duckdb import DuckDBDialect
from kanon_sql.sql.dialects.postgres import PostgresDialect
from kanon_sql.sql.dialects.spark import SparkDialect
from kanon_sql.sql.relations import WorkNames
from kanon_sql.sql.statement import Statement

GOLDEN = Path(__file__).parent / "golden"
DIALECTS: dict[str, Dialect] = {"duckdb": DuckDBDialect(), "postgresql": PostgresDialect(), "spark": SparkDialect()}
NAMES = WorkNames("kanon_work", "1")
CODES = (RangeCode(0, 1_000_000), TreeCode(1, 1_000_000, 10_000, 0, (1, 2)), SetCode(2, 200_000, True, ((0, 31),)))
KNOWN = TreeCode(0, 1_000_000, 300_000, 0, (1,)).with_costs([(0, 1), (0, 1), (2, 3), (2, 3)])
SIZES = [(0, 70), (1, 41), (2, 5)]


def made(dialect: Dialect) -> dict[str, Statement]:
    boxes = Boxes(dialect, CODES, 1, 3_000_000)
    work, trees = NAMES.work, {1: NAMES.work("tree_1")}
    t, assign, rows, groups = work("made"), work("assign"), work("rows"), work("boxes")
    levels = statements.cluster.seed_classes.class_levels(dialect, boxes, dict(SIZES))
    return {
        "cluster/coding/range_codes": statements.cluster.coding.range_codes(
            dialect, t, NAMES.dictionary(0), 0, 1_000_000, "value"
        ),
        "cluster/coding/tree_codes": statements.cluster.coding.tree_codes(
            dialect, t, NAMES.dictionary(1), 1, 0, [1, 2]
        ),
        "cluster/coding/set_codes": statements.cluster.coding.set_codes(
            dialect, t, NAMES.dictionary(2), 2, [(0, 0, 5, 0)]
        ),
        "cluster/coding/units": statements.cluster.coding.units(dialect, t, NAMES.base, 3, 1, "person nulls first"),
        "cluster/coding/unit_counts": statements.cluster.coding.unit_counts(dialect, work("units")),
        "cluster/coding/leaf_ancestors": statements.cluster.coding.leaf_ancestors(
            dialect, [(1, work("tree_1"), ["f1_1", "t1_1"]), (3, work("tree_3"), ["f3_1", "t3_1", "f3_2", "t3_2"])]
        ),
        "cluster/coding/rows.repeated": statements.cluster.coding.rows(
            dialect, t, work("units"), [(i, work(f"code_{i}"), i) for i in range(3)], boxes, True
        ),
        "cluster/moving/box_table.known": statements.cluster.moving.box_table(
            dialect, t, assign, rows, Boxes(dialect, (KNOWN,), 0), {}
        ),
        "cluster/moving/copied_groups": statements.cluster.moving.copied_groups(dialect, t, assign),
        "cluster/merging/star_mergers": statements.cluster.merging.star_mergers(
            dialect, t, work("merges"), work("small"), 7
        ),
        "embedded/export_combinations": statements.embedded.export_combinations(
            dialect, work("units"), ["q0_0", "q1_0"], True
        ),
        "embedded/empty_groups": statements.embedded.empty_groups(dialect, t, ["rid", "g"]),
        "cluster/cutting/cuts": statements.cluster.cutting.cuts(
            dialect, t, work("open"), boxes, trees, widest=False, least=5, multiple_of=5, strict_above=200, k=5
        ),
        "cluster/cutting/open_combinations": statements.cluster.cutting.open_combinations(dialect, t, rows, boxes),
        "cluster/cutting/close_combinations": statements.cluster.cutting.close_combinations(
            dialect, work("closed"), work("sides"), work("sizes"), 12, 9
        ),
        "cluster/cutting/cuts.together": statements.cluster.cutting.cuts(
            dialect,
            t,
            work("open"),
            boxes,
            trees,
            widest=False,
            least=5,
            multiple_of=None,
            strict_above=200,
            k=5,
            together=True,
        ),
        "cluster/cutting/sides": statements.cluster.cutting.sides(dialect, t, work("open"), work("cuts"), boxes, 5),
        "cluster/moving/box_table": statements.cluster.moving.box_table(dialect, t, assign, rows, boxes, trees),
        "cluster/moving/row_context": statements.cluster.moving.row_context(
            dialect, t, assign, rows, groups, boxes, trees, work("touched")
        ),
        "cluster/moving/sort_runs": statements.cluster.moving.sort_runs(dialect, t, rows, SIZES, 170, "7"),
        "cluster/moving/candidates": statements.cluster.moving.candidates(
            dialect,
            t,
            work("standing"),
            work("runs"),
            groups,
            boxes,
            k=5,
            heat=100,
            penalty=50,
            plateau=True,
            most=3,
        ),
        "cluster/moving/operations": statements.cluster.moving.operations(
            dialect, t, work("candidates"), work("standing"), boxes, k=5, heat=100, penalty=50, room=9, salt=7
        ),
        "cluster/moving/replaced_rows": statements.cluster.moving.replaced_rows(
            dialect, t, assign, work("moves"), work("moves"), "rid"
        ),
        "cluster/moving/delete_rows": statements.cluster.moving.delete_rows(dialect, groups, work("touched"), "g"),
        "cluster/moving/insert_rows": statements.cluster.moving.insert_rows(dialect, groups, work("fresh_boxes")),
        "cluster/moving/moved_rows": statements.cluster.moving.moved_rows(dialect, t, work("taken")),
        "cluster/moving/chosen_moves": statements.cluster.moving.chosen_moves(dialect, t, work("operations"), 2),
        "cluster/merging/merge_candidates": statements.cluster.merging.merge_candidates(
            dialect, t, assign, work("runs"), groups, work("small"), boxes, trees
        ),
        "cluster/seed_classes/assign_classes": statements.cluster.seed_classes.assign_classes(
            dialect, t, work("free"), levels, [(0, 0, 0), (1, 2, 1)], 5, 17
        ),
        "cluster/absorbing/absorb_small_groups": statements.cluster.absorbing.absorb_small_groups(
            dialect, t, work("standing"), groups, boxes, work("runs"), k=5, room=9, budget=3, last=99
        ),
        "cluster/absorbing/costliest_groups": statements.cluster.absorbing.costliest_groups(
            dialect, t, work("standing"), groups, boxes, None, k=5, most=10, budget=0
        ),
        "release/stage_groups": statements.release.stage_groups(
            dialect,
            Relation(("release", "people__v1")),
            work("coded"),
            work("units"),
            assign,
            work("labels"),
            [("kanon_q0_0", "q0_0")],
            ["rows.illness"],
            [("labels.label_0", "a ge")],
            ["labels.label_0"],
            "kanon_place",
        ),
        "release/stage_behind": statements.release.stage_behind(
            dialect, Relation(("release", "people__v1")), work("behind"), ["a ge", "ill"], ['"a ge" nulls first']
        ),
    }


@pytest.mark.parametrize("engine", DIALECTS)
def test_golden(engine: str, golden: Callable[[Path, str], None]) -> None:
    for name, statement in made(DIALECTS[engine]).items():
        sqlglot.parse_one(statement.sql, dialect="postgres" if engine == "postgresql" else engine)
        assert name.partition(".")[0] == statement.label
        golden(GOLDEN / engine / f"{name}.sql", f"-- {statement.label}\n{statement.sql}\n")


def test_bits_are_dealt_out_over_words() -> None:
    parts, words = mask_words([(0, 5), (1, 60), (2, 130)])
    assert words == 5
    assert parts[0] == [(0, 0, 5, 0)]
    assert parts[1] == [(1, 0, 60, 0)]
    assert [part[2] for part in parts[2]] == [62, 62, 6]
    seen = set()
    for of in parts.values():
        for word, _, values, shift in of:
            bits = {(word, shift + bit) for bit in range(values)}
            assert not bits & seen
            assert max(bit for _, bit in bits) < 62
            seen |= bits
    assert mask_words([]) == ({}, 0)
