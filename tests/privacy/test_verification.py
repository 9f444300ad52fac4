"""The verification of a staged table, by plain SQL of its own, agrees with the definitions: it passes what holds and no more."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import kanon_sql
from kanon_sql.backends.base import Backend
from kanon_sql.backends.connect import open_backend
from kanon_sql.model.lattice import Node
from kanon_sql.release.recoding import GlobalRecoding
from kanon_sql.release.verify_models import measure_models
from kanon_sql.workbench.privacy_shape import build_shape
from kanon_sql.workbench.workbench import Workbench
from tests.drawn import drawn
from tests.privacy.worlds import NODES, World, worlds
from tests.support import job_of, make_table

SQUARES = (("squares", "n * n"),)


@pytest.fixture(scope="module")
def backend(module_engine_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Backend]:
    opened = open_backend(module_engine_url, tmp_path_factory.getbasetemp(), read_only=False)
    yield opened
    opened.close()


@settings(max_examples=drawn(30), deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(world=worlds(), node=st.sampled_from(NODES))
def test_verification_passes_what_holds_and_no_more(backend: Backend, tmp_path: Path, world: World, node: Node) -> None:
    world.write(backend)
    with Workbench(backend, world.job("duckdb:///unused", tmp_path), "1") as bench:
        bench.prepare()
        shape = build_shape(bench, SQUARES, ()).shape
        suppressed = world.violating_rows(node)
        staged = backend.relation("staged")
        columns = ["town", "age"]

        # Nothing dropped: whatever violates must be found.
        backend.drop_table(staged)
        GlobalRecoding(node, shape, 0).stage(bench, staged)
        classes = world.classes(node)
        bad = any(world.violates_beyond_k(key, members, node) for key, members in classes.items())
        few = world.persons and any(world.size(members) < world.privacy["k"] for members in classes.values())
        findings = measure_models(bench, staged, columns, node)
        assert all(finding.passes for finding in findings) == (not bad and not few)

        # What the search would drop is dropped: everything must hold.
        if suppressed < len(world.rows) and node != (2, 3):
            backend.drop_table(staged)
            GlobalRecoding(node, dataclasses.replace(shape), suppressed).stage(bench, staged)
            assert all(finding.passes for finding in measure_models(bench, staged, columns, node))
        backend.drop_table(staged)


def test_columns_may_have_the_names_that_statements_use(engine_url: str, tmp_path: Path) -> None:
    rows = [(number, number % 2, number % 3, "xyz"[number % 3], "uv"[number % 2]) for number in range(24)]
    make_table(engine_url, "people", ["person integer", "n integer", "size integer", "m varchar", "s varchar"], rows)
    make_table(engine_url, "everyone", ["n integer", "size integer"], [row[1:3] for row in rows] * 2)
    columns = {
        "person": {"role": "identifier"},
        "n": {"role": "quasi"},
        "size": {"role": "quasi", "levels": [2, "*"]},
        "m": {"role": "sensitive"},
        "s": {"role": "keep"},
    }
    privacy = {
        "k": 3,
        "p_sensitive": {"m": 2},
        "t_closeness": {"m": 0.5},
        "k_map": 6,
        "population": {"table": "everyone"},
        "accept": ["rows_per_person"],
    }
    job = job_of(engine_url, "people", columns, base=tmp_path, privacy=privacy, source={"person": "person"})
    result = kanon_sql.run(job)
    assert [model["passes"] for model in result.verified["models"]] == [True] * 4
    assert kanon_sql.attack(job).passes
    assert kanon_sql.check(job, "release.people").passes
