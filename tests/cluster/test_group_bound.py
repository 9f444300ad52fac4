"""The lower bound beside the loss of groups: what it is, told by hand, and that no algorithm goes below it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import kanon_sql
from kanon_sql.config import Job
from kanon_sql.model.algorithms import LOCAL_RECODINGS
from tests.cluster.people import job, load, people
from tests.support import job_of, make_table


def ages(url: str, k: int, algorithm: str = "mondrian", **sections: Any) -> Job:
    columns = {"age": {"role": "quasi"}, "size": {"role": "quasi"}}
    return job_of(url, "ages", columns, k, None, search={"algorithm": algorithm}, utility={"metric": "ncp"}, **sections)


def test_the_bound_is_the_mean_distance_to_the_nearest_rows(engine_url: str) -> None:
    rows = [(20, 1), (20, 1), (22, 1), (30, 2), (31, 2), (60, 5), (61, 4), (70, 5), (70, 5), (70, 5)]
    make_table(engine_url, "ages", ["age integer", "size integer"], rows)

    def loss(one: tuple[int, int], other: tuple[int, int]) -> float:
        return (abs(one[0] - other[0]) / 50 + abs(one[1] - other[1]) / 4) / 2

    for k in (2, 5):
        expected = sum(sorted(loss(row, other) for other in rows)[k - 1] for row in rows) / len(rows)
        plan = kanon_sql.plan(ages(engine_url, k))
        assert plan.figures["lower_bound"] == pytest.approx(expected, abs=1e-5)
        assert plan.figures["lower_bound_sample"] == 10
        assert plan.figures["lower_bound_interval"] == [plan.figures["lower_bound"]] * 2
        assert plan.utility["ncp"] >= plan.figures["lower_bound"] - 1e-9
        assert any(note.startswith(f"no groups of {k} rows have a ncp below") for note in plan.notes)


@pytest.mark.parametrize("algorithm", LOCAL_RECODINGS)
def test_no_algorithm_goes_below(duckdb_url: str, algorithm: str, tmp_path: Path) -> None:
    load(duckdb_url, people(60))
    plan = kanon_sql.plan(job(duckdb_url, algorithm, base=tmp_path, search={"rounds": 4}, utility={"metric": "glm"}))
    assert 0 < plan.figures["lower_bound"] <= plan.utility["glm"]


def test_a_search_that_weighs_more_than_cells_has_no_bound(duckdb_url: str, tmp_path: Path) -> None:
    load(duckdb_url, people(60))
    weighted = job(duckdb_url, "mondrian", base=tmp_path, columns={"age": {"weight": 3}}, utility={"metric": "ncp"})
    assert "lower_bound" not in kanon_sql.plan(weighted).figures
