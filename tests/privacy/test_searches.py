"""With a budget most models beyond k are not monotone; every exact search still finds what brute force finds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from kanon_sql.backends.base import Backend
from kanon_sql.backends.duckdb import DuckDBBackend
from kanon_sql.model.algorithms import LATTICE_SEARCHES
from kanon_sql.model.lattice import Node
from kanon_sql.search.settings import SearchSettings
from kanon_sql.workbench.answers import Answers
from kanon_sql.workbench.objectives import build_objective
from kanon_sql.workbench.privacy_shape import build_shape
from kanon_sql.workbench.workbench import Workbench
from tests.drawn import drawn
from tests.privacy.worlds import NODES, World, generalized, worlds

EXACT = [name for name, search in LATTICE_SEARCHES.items() if search.exact]


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    opened = DuckDBBackend(None, threads=1)
    yield opened
    opened.close()


def glm(world: World, node: Node) -> float:
    """The general loss metric with suppressed rows at 1 per cell, by its definition."""
    towns = {row[0] for row in world.rows}
    ages = {row[1] for row in world.rows}
    numbers = [age for age in ages if age is not None]
    total = 0.0
    for key, members in world.classes(node).items():
        if world.violates(key, members, node):
            total += 2 * len(members)
            continue
        for town, age, *_ in members:
            under = sum(generalized((t, 0), node)[0] == generalized((town, 0), node)[0] for t in towns)
            total += (under - 1) / (len(towns) - 1) if len(towns) > 1 else 0
            if node[1] == 3:
                total += len(ages) > 1
            elif age is not None and len(set(numbers)) > 1:
                same = [a for a in numbers if generalized(("a", a), node)[1] == generalized(("a", age), node)[1]]
                total += (max(same) - min(same)) / (max(numbers) - min(numbers))
    return total / 2 / len(world.rows)


def brute_force(world: World) -> tuple[float, int, Node] | None:
    keys = [
        (round(glm(world, node), 9), (node[0] == 2) + (node[1] == 3), node)
        for node in NODES
        if world.violating_rows(node) <= world.budget
    ]
    return min(keys, default=None)


@settings(max_examples=drawn(40), deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(world=worlds(populated=False))
def test_exact_searches_find_the_optimum_of_models_that_are_not_monotone(
    backend: Backend, tmp_path: Path, world: World
) -> None:
    world.write(backend)
    truth = brute_force(world)
    with Workbench(backend, world.job("duckdb:///unused", tmp_path), "1") as bench:
        bench.prepare()
        built = build_objective(bench)
        privacy = build_shape(bench, built.sums, built.columns)
        limits = SearchSettings(bench.rows, privacy.shape.k, bench.budget, batch=3, model_monotone=privacy.monotone)
        # One who answers: what a search has asked already is not counted again for the next.
        answers = Answers(bench, built.objective, built.cells, privacy.shape)
        for name in EXACT:
            outcome = answers.run(LATTICE_SEARCHES[name].driver(bench.lattice, built.objective, limits))
            assert outcome.exact, name
            assert (outcome.best is None) == (truth is None), name
            if outcome.best is not None and truth is not None:
                (scored,) = answers.scored([outcome.best])
                assert scored.loss == pytest.approx(truth[0], abs=1e-9), name
                assert world.violating_rows(outcome.best.node) == outcome.best.suppressed <= world.budget
