"""Adult with occupation as the sensitive column: the optimum under distinct l-diversity and under t-closeness, with a budget."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import kanon_sql
from kanon_sql.config.schema import Job
from tests.support import execute, job_of

QUASI = ["sex", "age", "race", "marital-status", "education", "native-country", "workclass", "salary-class"]
PRIVACY: dict[str, dict[str, Any]] = {
    "l": {"k": 5, "suppression": 0.05, "l_diversity": {"occupation": {"kind": "distinct", "l": 3}}},
    "t": {"k": 5, "suppression": 0.05, "t_closeness": {"occupation": 0.2}},
}


@pytest.fixture
def adult(duckdb_url: str, shared_data: Path) -> str:
    source = str(shared_data / "adult.csv").replace("'", "''")
    execute(duckdb_url, f"create table adult as select * from read_csv('{source}', delim = ';')")
    return duckdb_url


def job(url: str, shared_data: Path, model: str, algorithm: str) -> Job:
    columns: dict[str, Any] = {
        name: {"role": "quasi", "hierarchy": str(shared_data / f"adult_hierarchy_{name}.csv")} for name in QUASI
    }
    columns["occupation"] = {"role": "sensitive"}
    return job_of(url, "adult", columns, privacy=PRIVACY[model], search={"algorithm": algorithm})


@pytest.mark.parametrize(("model", "glm", "suppressed"), [("l", 0.192778, 1400), ("t", 0.839694, 235)])
@pytest.mark.parametrize("algorithm", ["best-first", "global"])
def test_the_optimum_on_adult(
    adult: str, shared_data: Path, model: str, glm: float, suppressed: int, algorithm: str
) -> None:
    plan = kanon_sql.plan(job(adult, shared_data, model, algorithm))
    assert plan.exact
    assert plan.utility["glm"] == pytest.approx(glm, abs=1e-6)
    assert plan.suppressed == suppressed
    assert plan.checks < plan.nodes / 8
