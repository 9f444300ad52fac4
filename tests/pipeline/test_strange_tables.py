"""Strange names, strange types, views, other schemas, many columns: all of it works, on every engine."""

from __future__ import annotations

import datetime
from collections import Counter

import pytest

import kanon_sql
from tests.support import execute, fetch, job_of, make_table

LONG = "a" * 60 + "xyz"
LONG_TWIN = "a" * 60 + "xyw"
STRANGE_NAMES = ["with space", 'qu"ote', "umläut", "select", "100%", "a:b", ":named", "%s", "semi;colon", "it's", LONG]


@pytest.mark.parametrize("name", STRANGE_NAMES)
def test_a_column_may_have_any_name(engine_url: str, name: str) -> None:
    quoted = '"' + name.replace('"', '""') + '"'
    make_table(engine_url, "people", [f"{quoted} integer", "other integer"], [(i % 7, 1) for i in range(40)])
    job = job_of(engine_url, "people", {name: {"role": "quasi", "levels": [2, 4, "*"]}, "other": {"role": "keep"}}, k=6)
    result = kanon_sql.run(job)
    assert result.verified["k"] >= 6
    released = fetch(engine_url, f"select {quoted}, count(*) from release.people group by {quoted}")
    assert min(count for _, count in released) >= 6


def test_long_names_do_not_collide_after_truncation(engine_url: str) -> None:
    make_table(
        engine_url, "people", [f'"{LONG}" integer', f'"{LONG_TWIN}" integer'], [(i % 2, i % 3) for i in range(60)]
    )
    job = job_of(
        engine_url,
        "people",
        {LONG: {"role": "quasi", "levels": [2, "*"]}, LONG_TWIN: {"role": "quasi", "levels": [3, "*"]}},
        k=5,
    )
    assert kanon_sql.run(job).plan.node == {LONG: 0, LONG_TWIN: 0}


def test_a_table_may_have_a_strange_name_and_schema(engine_url: str) -> None:
    execute(engine_url, 'create schema "odd schema"')
    make_table(engine_url, '"odd schema"."ta.ble %"', ["age integer"], [(i % 4,) for i in range(20)])
    job = job_of(
        engine_url,
        '"odd schema"."ta.ble %"',
        {"age": {"role": "quasi", "levels": [2, "*"]}},
        k=5,
        publish={"table": '"odd release"."pub lic"'},
    )
    assert kanon_sql.run(job).plan.k == 5
    assert fetch(engine_url, 'select count(*) from "odd release"."pub lic"') == [(20,)]


def test_the_source_may_be_a_view(engine_url: str) -> None:
    make_table(engine_url, "people", ["age integer", "secret integer"], [(i % 4, i) for i in range(20)])
    execute(engine_url, "create view visible as select age from people")
    assert kanon_sql.run(job_of(engine_url, "visible", {"age": {"role": "quasi"}}, k=5)).plan.node == {"age": 0}


def test_three_hundred_columns(engine_url: str) -> None:
    names = [f"c{i}" for i in range(300)]
    make_table(engine_url, "wide", [f"{name} integer" for name in names], [[i % 2] * 300 for i in range(10)])
    columns: dict[str, dict[str, object]] = {name: {"role": "keep"} for name in names}
    columns["c7"] = {"role": "quasi"}
    assert kanon_sql.run(job_of(engine_url, "wide", columns, k=5)).verified["rows"] == 10


def test_null_is_a_value_of_its_own_until_star(engine_url: str) -> None:
    rows = [(None, "a")] * 3 + [(1, "a")] * 3 + [(2, None)] * 2 + [(3, None)] * 2
    make_table(engine_url, "people", ["age integer", "word varchar(5)"], rows)
    columns = {"age": {"role": "quasi", "levels": [2, "*"]}, "word": {"role": "quasi", "levels": ["*"]}}
    result = kanon_sql.run(job_of(engine_url, "people", columns, k=3, utility={"metric": "height"}))
    released = Counter(fetch(engine_url, "select age, word from release.people"))
    assert result.plan.node == {"age": 1, "word": 1} or min(released.values()) >= 3
    assert released[(None, "a")] in (0, 3)
    assert sum(released.values()) == 10


def test_nulls_are_published_as_nulls_below_star(engine_url: str) -> None:
    make_table(engine_url, "people", ["age integer"], [(None,)] * 4 + [(5,)] * 3 + [(6,)] * 3)
    kanon_sql.run(job_of(engine_url, "people", {"age": {"role": "quasi", "levels": [5, "*"], "min_level": 1}}, k=4))
    assert Counter(fetch(engine_url, "select age from release.people")) == {(None,): 4, ("5-9",): 6}


TYPES = {
    "boolean": (["true", "false"], ["*"]),
    "decimal(9, 2)": (["1.25", "1.75", "-3.10", "7.00"], [0.5, 2, "*"]),
    "double precision": (["1.25", "-2.5", "'NaN'", "'Infinity'", "'-Infinity'", "1e300"], [0.5, 2, "*"]),
    "date": (["'2024-02-29'", "'1999-12-31'", "'2024-03-01'"], ["month", "quarter", "year", "decade", "*"]),
    "timestamp": (["'2024-02-29 23:59:59'", "'1999-12-31 00:00:00'"], ["day", "month", "year", "*"]),
    "timestamp with time zone": (
        ["'2024-01-01 00:30:00+02'", "'2023-12-31 22:30:00+00'"],
        ["day", "month", "year", "*"],
    ),
    "bigint": (["9007199254740993", "-7", "0"], [10, 100, "*"]),
}


@pytest.mark.parametrize("type_name", TYPES)
def test_every_type_has_levels(engine_url: str, type_name: str) -> None:
    values, levels = TYPES[type_name]
    execute(engine_url, f"create table things (x {type_name})")
    for value in [*values, "null"]:
        execute(engine_url, f"insert into things select cast({value} as {type_name}) from (values (1), (2)) as two(i)")
    for k in (2, 3):
        result = kanon_sql.run(job_of(engine_url, "things", {"x": {"role": "quasi", "levels": levels}}, k=k))
        assert result.verified["k"] >= k
        assert result.verified["rows"] == 2 * (len(values) + 1)


def test_labels_are_the_same_on_both_engines(duckdb_url: str, postgres_url: str) -> None:
    columns = [
        "i integer",
        "d decimal(9, 2)",
        "f double precision",
        "t timestamp with time zone",
        "w date",
        "z varchar(9)",
    ]
    rows = [
        (-7, "-3.10", "-2.5", "2024-01-01 00:30:00+02", "2024-12-30", "46202"),
        (13, "1.75", "0.30", "2023-12-31 22:30:00+00", "2021-01-03", "4"),
        (None, None, None, None, None, None),
    ]
    job_columns = {
        "i": {"role": "quasi", "levels": [5, 10, "*"]},
        "d": {"role": "quasi", "levels": [0.5, 2, "*"]},
        "f": {"role": "quasi", "levels": [0.1, {"cuts": [0, 1.5]}, "*"], "max_level": 1},
        "t": {"role": "quasi", "levels": ["day", "quarter", "*"]},
        "w": {"role": "quasi", "levels": ["week", "*"]},
        "z": {"role": "quasi", "levels": [{"prefix": 3}, "*"]},
    }
    shown = []
    for url in (duckdb_url, postgres_url):
        make_table(url, "people", columns, rows)
        shown.append(_labels(url, job_columns))
    assert shown[0] == shown[1]
    assert shown[0][1] == ("-10--6", "[-3.50, -3.00)", "[-2.5, -2.4)", "2023-12-31", "2025-W01", "462*")
    assert shown[0][0] == (None,) * 6


def _labels(url: str, columns: dict[str, dict[str, object]]) -> list[tuple[object, ...]]:
    """Level 1 of every column, read off the level view."""
    from pathlib import Path

    from kanon_sql.backends.connect import open_backend
    from kanon_sql.sql.statement import Statement
    from kanon_sql.workbench.workbench import Workbench

    backend = open_backend(url, Path.cwd(), read_only=False)
    try:
        with Workbench(backend, job_of(url, "people", columns, k=2), "labels") as bench:
            bench.prepare()
            names = ", ".join(f"{name}__1" for name in columns)
            return backend.fetch(
                Statement(
                    "test", f"select {names} from {backend.dialect.relation(bench.levels())} order by i nulls first"
                )
            )
    finally:
        backend.close()


def test_dates_are_dates(engine_url: str) -> None:
    make_table(engine_url, "people", ["born date"], [(datetime.date(1980 + i % 3, 1, 1),) for i in range(9)])
    kanon_sql.run(job_of(engine_url, "people", {"born": {"role": "quasi", "levels": ["year", "*"]}}, k=3))
    assert fetch(engine_url, "select born from release.people order by born limit 1") == [("1980-01-01",)]
