"""Every model, in the frequency-set statement, says of every class of every node what its definition says, on both engines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from kanon_sql.backends.base import Backend
from kanon_sql.backends.connect import open_backend
from kanon_sql.search.questions import CheckNodes
from kanon_sql.sql import statements
from kanon_sql.workbench.answers import Answers
from kanon_sql.workbench.objectives import build_objective
from kanon_sql.workbench.privacy_shape import build_shape
from kanon_sql.workbench.workbench import Workbench
from tests.drawn import drawn
from tests.privacy.worlds import NODES, World, worlds

QUICK = settings(
    max_examples=drawn(40),
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@pytest.fixture(scope="module")
def backend(module_engine_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Backend]:
    opened = open_backend(module_engine_url, tmp_path_factory.getbasetemp(), read_only=False)
    yield opened
    opened.close()


@QUICK
@given(world=worlds())
def test_the_check_says_what_the_definitions_say(backend: Backend, tmp_path: Path, world: World) -> None:
    world.write(backend)
    with Workbench(backend, world.job("duckdb:///unused", tmp_path), "1") as bench:
        bench.prepare()
        built = build_objective(bench)
        privacy = build_shape(bench, built.sums, built.columns)
        answers = Answers(bench, built.objective, built.cells, privacy.shape)
        verdicts = answers.answer(CheckNodes(tuple(NODES)))
        keys = [bench.keys(node) for node in NODES]
        statement = statements.checks.frequency_sets(bench.dialect, bench.frequency_source, keys, privacy.shape)
        certain = {NODES[int(row[0])]: int(row[4]) for row in backend.fetch(statement)}
    truth = {node: world.violating_rows(node) for node in NODES}
    assert {v.node: v.suppressed for v in verdicts} == truth
    assert all(v.passes == (truth[v.node] <= world.budget) for v in verdicts)
    assert all(v.k_passes == (certain[v.node] <= world.budget) for v in verdicts)
    for low in NODES:
        for high in NODES:
            if all(h >= g for h, g in zip(high, low, strict=True)):
                assert truth[low] >= certain[high], "rows that must violate below do violate there"
                if privacy.monotone:
                    assert truth[low] > world.budget or truth[high] <= world.budget
