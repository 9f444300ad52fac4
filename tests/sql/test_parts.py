"""The parts that larger statements are made of, each alone, against a few rows that one can count by hand."""

from __future__ import annotations

from typing import Any

import duckdb
import pytest

from kanon_sql.sql.class_shape import ClassColumn, ClassShape
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.dialects.duckdb import DuckDBDialect
from kanon_sql.sql.render import environment

DIALECT = DuckDBDialect()
BASE, WORDS, PEOPLE = Relation(("base",)), Relation(("words",)), Relation(("people",))
SHAPE = ClassShape(
    2,
    columns=(
        ClassColumn("distinct_0", 0, "count(*)"),
        ClassColumn("most_0", 0, "max(case when r = 1 then m else 0 end)"),
        ClassColumn("apart_0", 0, "sum(abs(f))", "domain"),
    ),
)


@pytest.fixture
def rows() -> duckdb.DuckDBPyConnection:
    """Two classes by q: 0 has 3 rows of value 0 and 1 of value 1, 1 has 4 rows of value 1; the population has 9 of class 0."""
    connection = duckdb.connect()
    connection.execute("create table base as select * from (values (0, 0, 3), (0, 1, 1), (1, 1, 4)) as t(q, s0, n)")
    connection.execute("create table words as select * from (values (0, 3), (1, 5)) as t(code, n)")
    connection.execute("create table people as select * from (values (0, 9)) as t(q, n)")
    return connection


def answer(rows: duckdb.DuckDBPyConnection, macro: str, call: str, **parameters: Any) -> list[dict[str, Any]]:
    """The rows of a macro that is a whole SELECT."""
    name = call.partition("(")[0]
    text = f'{{% from "{macro}.sql.j2" import {name} with context %}}{{{{ {call} }}}}'
    shared = {"base": BASE, "keys": ["q"], "shape": SHAPE, "tables": {0: WORDS}}
    result = rows.execute(environment(DIALECT).from_string(text).render(**shared, **parameters))
    names = [column[0] for column in result.description or ()]
    return sorted((dict(zip(names, row, strict=True)) for row in result.fetchall()), key=lambda row: str(row))


def test_the_sizes_of_classes(rows: duckdb.DuckDBPyConnection) -> None:
    found = answer(rows, "checks/_classes", "sizes(base, keys, shape)")
    assert found == [{"key0": 0, "c": 4, "n": 4}, {"key0": 1, "c": 4, "n": 4}]
    assert answer(rows, "checks/_classes", "sizes(base, [], shape)") == [{"c": 8, "n": 8}]


def test_the_values_of_a_sensitive_column_in_each_class(rows: duckdb.DuckDBPyConnection) -> None:
    found = answer(rows, "checks/_sensitive", "spread(base, keys, 0)")
    assert found == [{"key0": 0, "s": 0, "m": 3}, {"key0": 0, "s": 1, "m": 1}, {"key0": 1, "s": 1, "m": 4}]


def test_a_block_of_figures_about_values(rows: duckdb.DuckDBPyConnection) -> None:
    block = next(block for block in SHAPE.blocks if block.over == "values")
    found = answer(rows, "checks/_sensitive", "block_of(base, keys, shape, block, tables, 8)", block=block)
    assert found == [
        {"key0": 0, "n": 4, "distinct_0": 2, "most_0": 3},
        {"key0": 1, "n": 4, "distinct_0": 1, "most_0": 4},
    ]


def test_a_block_of_figures_about_the_domain(rows: duckdb.DuckDBPyConnection) -> None:
    block = next(block for block in SHAPE.blocks if block.over == "domain")
    found = answer(rows, "checks/_sensitive", "block_of(base, keys, shape, block, tables, 8)", block=block)
    # Shares of value 0: 3/4 and 0 in the classes, 3/8 in the table.
    assert [row["apart_0"] for row in found] == pytest.approx([0.375, 0.375])


def test_classes_join_their_blocks_and_the_population(rows: duckdb.DuckDBPyConnection) -> None:
    shape = ClassShape(2, columns=SHAPE.columns, population=PEOPLE)
    found = answer(rows, "checks/_classes", "classes(base, keys, wanted, tables, 8, named=true, node=7)", wanted=shape)
    assert [(row["node"], row["key0"], row["c"], row["distinct_0"], row["population"]) for row in found] == [
        (7, 0, 4, 2, 9),
        (7, 1, 4, 1, 0),
    ]


def test_the_groups_of_runs(rows: duckdb.DuckDBPyConnection) -> None:
    rows.execute("create table members as select * from (values (1, 5), (2, 5), (3, 6), (4, null)) as t(rid, g)")
    rows.execute("create table runs as select * from (values (1, 0), (2, 0), (3, 1), (4, 1)) as t(rid, block)")
    members, runs = Relation(("members",)), Relation(("runs",))
    found = answer(rows, "cluster/_runs", "groups_in_runs(members, runs)", members=members, runs=runs)
    assert found == [{"block": 0, "g": 5}, {"block": 1, "g": 6}]
