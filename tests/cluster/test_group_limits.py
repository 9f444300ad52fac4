"""max_level with groups: no label goes beyond it, whatever the algorithm, and rows that cannot be grouped below it are suppressed."""

from __future__ import annotations

from pathlib import Path

import pytest

import kanon_sql
from kanon_sql.backends.duckdb import DuckDBBackend
from kanon_sql.errors import JobError, NoSolution
from kanon_sql.model.algorithms import LOCAL_RECODINGS
from kanon_sql.sql import statements
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.statement import Statement
from tests.cluster.people import CITIES, job, load, people, released, smallest_class

COUNTRIES = set(CITIES.values())


@pytest.mark.parametrize("algorithm", [name for name in LOCAL_RECODINGS if name != "udrv-suppress"])
def test_no_label_goes_beyond(duckdb_url: str, algorithm: str, tmp_path: Path) -> None:
    load(duckdb_url, people(90))
    limit = {"city": {"max_level": 1}}
    kanon_sql.run(job(duckdb_url, algorithm, 4, base=tmp_path, search={"rounds": 2}, columns=limit))
    out = released(duckdb_url)
    assert len(out) == 90 and smallest_class(out) >= 4
    assert {row[2] for row in out} <= COUNTRIES | set(CITIES)
    assert {row[2] for row in out} & COUNTRIES


def test_rows_that_cannot_be_grouped_are_suppressed(engine_url: str, tmp_path: Path) -> None:
    rows = [row for row in people(150, seed=2) if CITIES[str(row[2])] != "DE"]
    alone = [(30, 2, "Ulm", "cook", "flu", 0), (31, 2, "Kiel", "cook", "flu", 1)]
    load(engine_url, [*rows, *alone])
    limit = {"city": {"max_level": 1}}
    with pytest.raises(NoSolution, match=r"2 of .* rows have fewer than 4 like them at the max_level of city"):
        kanon_sql.plan(job(engine_url, "anneal", 4, base=tmp_path, search={"rounds": 2}, columns=limit))
    budget = {"suppression": 0.05}
    result = kanon_sql.run(
        job(engine_url, "anneal", 4, base=tmp_path, search={"rounds": 2}, columns=limit, privacy=budget)
    )
    assert result.plan.suppressed >= 2
    out = released(engine_url)
    assert smallest_class(out) >= 4
    assert not {"*", "DE", "Ulm", "Kiel"} & {row[2] for row in out}


def test_the_exact_value_may_be_asked_for(duckdb_url: str, tmp_path: Path) -> None:
    load(duckdb_url, people(150))
    kanon_sql.run(job(duckdb_url, "auto", 4, base=tmp_path, search={"rounds": 2}, columns={"city": {"max_level": 0}}))
    out = released(duckdb_url)
    assert len(out) == 150 and {row[2] for row in out} == set(CITIES) and smallest_class(out) >= 4


def test_columns_without_levels_have_none_to_stop_at(duckdb_url: str, tmp_path: Path) -> None:
    load(duckdb_url, people(40))
    with pytest.raises(JobError, match="blanks values"):
        kanon_sql.plan(job(duckdb_url, "udrv-suppress", 4, base=tmp_path, columns={"city": {"max_level": 1}}))
    with pytest.raises(JobError, match="publishes this column as intervals or sets"):
        kanon_sql.plan(job(duckdb_url, "mondrian", 4, base=tmp_path, columns={"job": {"max_level": 0}}))


def test_what_a_model_forbids_below_a_limit_is_suppressed(engine_url: str, tmp_path: Path) -> None:
    """The search knows k alone: below the limit there are k rows, but not the values that the model asks for."""
    rows = [(*row[:4], "flu" if CITIES[str(row[2])] == "DE" else row[4], row[5]) for row in people(150, seed=2)]
    load(engine_url, rows)
    limit = {"city": {"max_level": 1}}
    asked = {"l_diversity": {"illness": {"kind": "distinct", "l": 2}}}
    alike = sum(CITIES[str(row[2])] == "DE" for row in rows)
    with pytest.raises(NoSolution, match=rf"or {alike} rows suppressed beside 0, and 1 may be"):
        kanon_sql.plan(
            job(engine_url, "mondrian", 4, base=tmp_path, columns=limit, privacy=asked | {"suppression": 0.01})
        )
    budget = asked | {"suppression": 0.4}
    result = kanon_sql.run(job(engine_url, "mondrian", 4, base=tmp_path, columns=limit, privacy=budget))
    out = released(engine_url)
    assert alike <= result.plan.suppressed == 150 - len(out) <= 60
    assert smallest_class(out) >= 4 and not {"*", "DE", "Ulm", "Kiel"} & {row[2] for row in out}


def test_a_class_that_is_parted_takes_its_suppressed_rows_back() -> None:
    """Rows 1 to 4 are of class 1, of which 3 and 4 were suppressed; 5 to 7 of class 2. Group 9 lies across, group 8 does not."""
    backend = DuckDBBackend(None)
    coded, assigned, boxes, parted = (Relation((name,)) for name in ("coded", "assigned", "boxes", "parted"))
    try:
        for made in (
            "create table coded (rid bigint, t0_1 bigint)",
            "insert into coded values (1, 1), (2, 1), (3, 1), (4, 1), (5, 2), (6, 2), (7, 2), (8, 3)",
            "create table assigned (rid bigint, g bigint)",
            "insert into assigned values (1, 9), (2, 9), (3, null), (4, null), (5, 9), (6, 8), (7, null), (8, null)",
            "create table boxes as select 9 as g, 100 as loss union all select 8, 1",
        ):
            backend.execute(Statement("test", made))
        separated = statements.cluster.limits.separated_groups
        backend.execute(separated(backend.dialect, parted, assigned, coded, boxes, ["t0_1"], 50, 9))
        found = backend.fetch(Statement("test", "select g from parted order by rid"))
    finally:
        backend.close()
    assert [g for (g,) in found] == [10, 10, 10, 10, 11, 11, 11, None]
