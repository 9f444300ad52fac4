"""The statements of local recoding as they are sent, per dialect: golden files, each parsed by an independent parser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import sqlglot

from kanon_sql.sql import cut_statements, group_statements, peel_statements, sweep_statements
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
SIZES = [(0, 70), (1, 41), (2, 5)]


def made(dialect: Dialect) -> dict[str, Statement]:
    boxes = Boxes(dialect, CODES, 1, 3_000_000)
    work, trees = NAMES.work, {1: NAMES.work("tree_1")}
    t, assign, rows, groups = work("made"), work("assign"), work("rows"), work("boxes")
    levels = peel_statements.peel_levels(dialect, boxes, dict(SIZES))
    return {
        "range_codes": group_statements.range_codes(dialect, t, NAMES.dictionary(0), 0, 1_000_000, "value"),
        "tree_codes": group_statements.tree_codes(dialect, t, NAMES.dictionary(1), 1, 0, [1, 2]),
        "set_codes": group_statements.set_codes(dialect, t, NAMES.dictionary(2), 2, [(0, 0, 5, 0)]),
        "units": group_statements.units(dialect, t, NAMES.base, 3, 1, "person nulls first"),
        "cuts": cut_statements.cuts(
            dialect, t, work("open"), boxes, trees, widest=False, least=5, multiple_of=5, strict_above=200, k=5
        ),
        "sides": cut_statements.sides(dialect, t, work("open"), work("cuts"), boxes, 5),
        "box_table": sweep_statements.box_table(dialect, t, assign, rows, boxes, trees),
        "standing": sweep_statements.standing(dialect, t, assign, rows, groups, boxes, trees, work("touched")),
        "sort_runs": sweep_statements.sort_runs(dialect, t, rows, SIZES, 170, "7"),
        "candidates": sweep_statements.candidates(
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
        "operations": sweep_statements.operations(
            dialect, t, work("candidates"), work("standing"), boxes, k=5, heat=100, penalty=50, room=9, salt=7
        ),
        "replaced": sweep_statements.replaced(dialect, t, assign, work("moves"), work("moves"), "rid"),
        "no_longer": sweep_statements.no_longer(dialect, groups, work("touched"), "g"),
        "again": sweep_statements.again(dialect, groups, work("fresh_boxes")),
        "moves": sweep_statements.moves(dialect, t, work("taken")),
        "taken": sweep_statements.taken(dialect, t, work("operations"), 2),
        "merges": group_statements.merges(dialect, t, assign, work("runs"), groups, work("small"), boxes, trees),
        "peeled": peel_statements.peeled(dialect, t, work("free"), levels, [(0, 0, 0), (1, 2, 1)], 5, 17),
        "homes": peel_statements.homes(
            dialect, t, work("standing"), groups, boxes, work("runs"), k=5, room=9, budget=3, last=99
        ),
        "dear": peel_statements.dear(dialect, t, work("standing"), groups, boxes, None, k=5, most=10, budget=0),
        "stage_groups": group_statements.stage_groups(
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
        "stage_behind": group_statements.stage_behind(
            dialect, Relation(("release", "people__v1")), work("behind"), ["a ge", "ill"], ['"a ge" nulls first']
        ),
    }


@pytest.mark.parametrize("engine", DIALECTS)
def test_golden(engine: str, golden: Callable[[Path, str], None]) -> None:
    for name, statement in made(DIALECTS[engine]).items():
        sqlglot.parse_one(statement.sql, dialect="postgres" if engine == "postgresql" else engine)
        golden(GOLDEN / engine / f"cluster_{name}.sql", f"-- {statement.label}\n{statement.sql}\n")


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
