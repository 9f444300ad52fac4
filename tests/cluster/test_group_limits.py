"""max_level with groups: no label goes beyond it, whatever the algorithm, and rows that cannot be grouped below it are suppressed."""

from __future__ import annotations

from pathlib import Path

import pytest

import kanon_sql
from kanon_sql.errors import JobError, NoSolution
from kanon_sql.model.algorithms import LOCAL_RECODINGS
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
