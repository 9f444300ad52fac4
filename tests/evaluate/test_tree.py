"""Partition trees: the leaves by brute force, the overlap of intervals, and the thesis's buckets on Adult."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("sklearn", reason="the extra `report` is not installed")

import bench.papers
from kanon_sql.errors import KanonError
from kanon_sql.evaluate.tree import Aggregated, Bucket, grow, survives
from kanon_sql.flows.tree import compare_buckets, tree
from tests.support import job_of, make_table

COLUMNS = {
    "age": {"role": "quasi", "levels": [10, 50, "*"]},
    "town": {"role": "quasi", "groups": [{"North": ["a", "b"], "South": ["c", "d", "e"]}, "*"]},
    "rich": {"role": "sensitive"},
    "id": {"role": "identifier"},
}


def people() -> list[tuple[object, ...]]:
    """Rich from 50 on in the south, poor else; a rare town e."""
    rows: list[tuple[object, ...]] = []
    for i in range(800):
        age, town = 20 + i % 60, "abcd"[i // 7 % 4]
        rows.append((age, town, "yes" if age >= 50 and town in "cd" else "no", i))
    rows.append((55, "e", "no", 1000))
    return rows


def test_source_and_release_side_by_side(engine_url: str) -> None:
    rows = people()
    make_table(engine_url, "people", ["age integer", "town varchar(5)", "rich varchar(5)", "id integer"], rows)
    released = [
        (f"{age // 10 * 10}-{age // 10 * 10 + 9}", "North" if town in "ab" else "South", rich)
        for age, town, rich, _ in rows
    ]  # type: ignore[operator]
    make_table(engine_url, "released", ["age varchar(9)", "town varchar(9)", "rich varchar(5)"], released)
    found = tree(job_of(engine_url, "people", COLUMNS, k=5), "rich", release="released", leaves=3)
    [yes] = [bucket for value, bucket, _ in found.buckets if value == "yes"]
    expected = [row for row in rows if row[0] >= 50 and row[1] in "cd"]  # type: ignore[operator]
    assert (yes.rows, yes.share) == (len(expected), 1.0)
    assert set(yes.columns) == {"age", "town"}
    assert "age >= 50" in yes.conditions
    kept = next(release for value, _, release in found.buckets if value == "yes")
    assert kept is not None
    assert kept.clear_rows == sum(row[0] >= 50 and row[1] in "cde" for row in rows)  # type: ignore[operator]
    assert survives(yes, kept)
    assert "e" not in str([bucket.conditions for bucket in found.source if "town in {e" in str(bucket)])
    assert found.unknown == 0


def test_a_generalised_control_says_nothing(duckdb_url: str) -> None:
    rows = people()
    make_table(duckdb_url, "people", ["age integer", "town varchar(5)", "rich varchar(5)", "id integer"], rows)
    make_table(
        duckdb_url,
        "released",
        ["age varchar(9)", "town varchar(9)", "rich varchar(5)"],
        [("*", "North" if i % 2 else "South", "*") for i in range(801)],
    )
    columns = COLUMNS | {"rich": {"role": "quasi"}}
    found = tree(job_of(duckdb_url, "people", columns, k=5), "rich", release="released")
    assert (found.unknown, found.release) == (801, ())
    assert all(release is None for _, _, release in found.buckets)


def test_rows_clear_of_overlap() -> None:
    """Two intervals overlap: only what lies wholly on its side is clear."""
    cells = [
        (("[0-10]", 0.0, 10.0), "no", 50),
        (("[5-30]", 5.0, 30.0), "yes", 20),
        (("[12-40]", 12.0, 40.0), "yes", 30),
    ]
    data = Aggregated(("x",), (True,), (True,), tuple(((cell,), control, n) for cell, control, n in cells))
    leaves = {bucket.value: bucket for bucket in grow(data, 2, 1, 1)}
    assert (leaves["yes"].rows, leaves["yes"].clear_rows) == (50, 30)
    assert (leaves["no"].rows, leaves["no"].clear_rows) == (50, 0)
    assert leaves["yes"].conditions == ("x > 10",)


def test_mistakes(duckdb_url: str) -> None:
    make_table(duckdb_url, "people", ["age integer", "town varchar(5)", "rich varchar(5)", "id integer"], people())
    job = job_of(duckdb_url, "people", COLUMNS)
    for control, features in (("id", ()), ("nothing", ()), ("rich", ("rich",))):
        with pytest.raises(KanonError):
            tree(job, control, features, release="people")


def test_tables_13_and_14_on_adult(shared_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The raw buckets to the row, and the global search's bucket of k = 5, as the thesis prints them."""
    monkeypatch.setenv("KANON_TEST_DATA", str(shared_data))
    job = bench.papers.adult(
        tmp_path, bench.papers.FOUR_COLUMNS, "age, education_num, capital_gain, salary", "four_columns"
    )
    rows = {(row.algorithm, row.k): row for row in compare_buckets(job, "salary", ["global", "local"], [3, 5])}
    trees = rows["global", 5].trees
    assert trees is not None
    buckets: dict[str, tuple[Bucket, Bucket | None]] = {
        value: (source, release) for value, source, release in trees.buckets
    }
    rich, poor = buckets[">50K"], buckets["<=50K"]
    assert (rich[0].rows, rich[0].conditions) == (1330, ("capital_gain >= 7,298",))
    assert (poor[0].rows, poor[0].conditions) == (7162, ("capital_gain < 7,298", "age < 28"))
    assert rich[1] is not None
    assert (rich[1].clear_rows, round(rich[1].clear_share, 2)) == (1387, 0.95)
    assert survives(*rich)
    for k in (3, 5):
        local = rows["local", k].trees
        assert local is None or all(release is None for _, _, release in local.buckets), (
            "the local search keeps no bucket"
        )
