"""The Adult census: optima known from brute force, and every measure of one release in one command."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import kanon_sql
from kanon_sql.backends.connect import open_backend
from kanon_sql.config import Job, parse_job
from kanon_sql.search.questions import CheckNodes
from kanon_sql.workbench.answers import Answers
from kanon_sql.workbench.objectives import build_weights, objective_of
from kanon_sql.workbench.privacy_shape import build_shape
from kanon_sql.workbench.workbench import Workbench

COLUMNS = [
    "sex",
    "age",
    "race",
    "marital-status",
    "education",
    "native-country",
    "workclass",
    "occupation",
    "salary-class",
]
LEAST = {"glm": 0.635544, "discernibility": 33_627_534, "height": 14}


def adult(data: Path, folder: Path, *overrides: str) -> Job:
    lines = [f"  {name}: {{role: quasi, hierarchy: {data}/adult_hierarchy_{name}.csv}}" for name in COLUMNS]
    text = "\n".join(
        [
            "version: 1",
            f"source: {{file: {data}/adult.csv}}",
            "privacy: {k: 5}",
            "columns:",
            *lines,
            "publish: {table: release.adult}",
        ]
    )
    return parse_job(text, folder / "adult.yml", overrides)


@pytest.mark.parametrize("metric", LEAST)
def test_the_least_loss(shared_data: Path, tmp_path: Path, metric: str) -> None:
    result = kanon_sql.plan(adult(shared_data, tmp_path, f"utility.metric={metric}", "search.algorithm=best-first"))
    assert result.exact
    assert result.utility[metric] == pytest.approx(LEAST[metric], abs=5e-7)


@pytest.fixture
def bench(shared_data: Path, tmp_path: Path) -> Iterator[Workbench]:
    backend = open_backend("duckdb:///:memory:", tmp_path, read_only=False)
    with Workbench(backend, adult(shared_data, tmp_path), "1") as prepared:
        prepared.prepare()
        yield prepared
    backend.close()


@pytest.mark.long
def test_the_least_loss_by_brute_force(bench: Workbench) -> None:
    """All 12,960 nodes once; every bound holds, and the least of each measure is the known one."""
    weights = build_weights(bench)
    built = {metric: objective_of(bench, weights, metric) for metric in (*LEAST, "rv", "c_avg", "entropy", "ncp")}
    answers = Answers(bench, built["glm"].objective, None, build_shape(bench, built["glm"].sums, ()).shape)
    verdicts = answers.answer(CheckNodes(tuple(bench.lattice.nodes())))
    assert len(verdicts) == 12_960
    passing = [verdict for verdict in verdicts if verdict.passes]
    for one in built.values():
        assert all(one.objective.bound(v.node) <= one.objective.loss(v) * (1 + 1e-12) + 1e-12 for v in passing)
    for metric, least in LEAST.items():
        assert min(built[metric].objective.loss(v) for v in passing) == pytest.approx(least, abs=5e-7)
