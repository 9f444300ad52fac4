"""What is published can be read again, whatever the values hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from kanon_sql.backends.connect import open_backend
from kanon_sql.sql import published_labels
from tests.support import fetch

INTERVALS: list[tuple[str, float | None, float | None]] = [
    ("24", 24, 24),
    ("-3", -3, -3),
    ("[24-30]", 24, 30),
    ("[-5--1]", -5, -1),
    ("[-5-7]", -5, 7),
    ("[1.50-2.25]", 1.5, 2.25),
    ("[1e-05-2e-03]", 1e-05, 2e-03),
    ("[-1.5e+10-2]", -1.5e10, 2),
    ("[1-2", None, None),
    ("[a-b]", None, None),
    ("{1, 2}", None, None),
    ("*", None, None),
]
VALUES = ["a", "b", "a, b", "{a}", "x\\c", "\\", "it's", "", " a", "ü"]


def literals(url: str, values: list[object]) -> str:
    backend = open_backend(url, Path.cwd(), read_only=False)
    try:
        return ", ".join(f"({backend.dialect.literal(value)})" for value in values)
    finally:
        backend.close()


def dialect_of(url: str) -> published_labels.Dialect:
    backend = open_backend(url, Path.cwd(), read_only=False)
    backend.close()
    return backend.dialect


@pytest.mark.parametrize("members", [["a", "b"], ["a, b", "b"], VALUES, ["{a}", "\\", "x\\c"], ["a", ""]])
def test_a_set_tells_its_values_and_no_other(engine_url: str, members: list[str]) -> None:
    dialect = dialect_of(engine_url)
    made = f"select {published_labels.set_label(dialect, 'v')} as label from (values {literals(engine_url, list(members))}) as t(v)"
    has = published_labels.set_has(dialect, "label", "w")
    rows = fetch(
        engine_url,
        f"select w, {has}, {published_labels.is_set('label')} from ({made}) as made, (values {literals(engine_url, list(VALUES))}) as u(w)",
    )
    assert {w for w, held, _ in rows if held} == set(members)
    assert all(is_set for _, _, is_set in rows)


def test_sets_are_sorted_and_say_when_null_is_in_them(engine_url: str) -> None:
    dialect = dialect_of(engine_url)

    def label(values: list[object]) -> object:
        made = published_labels.set_label(dialect, "v", "count(*) > count(v)")
        return fetch(engine_url, f"select {made} from (values {literals(engine_url, values)}) as t(v)")[0][0]

    assert label(["c", "a", "b"]) == "{a, b, c}"
    assert label(["a"]) == "a"
    assert label(["a", None]) == "{a} or NULL"
    assert label(["Z", "a", None]) == "{Z, a} or NULL"
    assert label(["x, y", "a"]) == "{a, x\\c y}"
    assert (
        fetch(
            engine_url,
            f"select {published_labels.set_label(dialect, 'v')} from (select cast(null as varchar(1)) as v) as t",
        )[0][0]
        is None
    )


@pytest.mark.parametrize(("label", "low", "high"), INTERVALS)
def test_intervals(engine_url: str, label: str, low: float | None, high: float | None) -> None:
    dialect = dialect_of(engine_url)
    is_interval = published_labels.is_interval(dialect, "label")
    ends = [published_labels.interval_low(dialect, "label"), published_labels.interval_high(dialect, "label")]
    shown = ", ".join(f"case when {is_interval} then {end} end" for end in ends)
    assert fetch(engine_url, f"select {shown} from (values {literals(engine_url, [label])}) as t(label)") == [
        (low, high)
    ]


def test_intervals_are_written_as_they_are_read(engine_url: str) -> None:
    dialect = dialect_of(engine_url)
    made = published_labels.interval_label(dialect, "low", "high", "has_null = 1")
    rows = fetch(
        engine_url,
        f"select {made} from (values (24, 30, 0), (-5, -1, 1), (7, 7, 0), (7, 7, 1)) as t(low, high, has_null)",
    )
    assert sorted(str(row[0]) for row in rows) == sorted(["[24-30]", "[-5--1] or NULL", "7", "7 or NULL"])


def test_spark_writes_and_reads_the_same_labels(spark_url: str) -> None:
    test_a_set_tells_its_values_and_no_other(spark_url, VALUES)
    test_sets_are_sorted_and_say_when_null_is_in_them(spark_url)
    for label, low, high in INTERVALS:
        test_intervals(spark_url, label, low, high)
