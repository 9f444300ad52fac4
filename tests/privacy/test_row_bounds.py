"""The bounds on rows that must violate below, where they are nearly reached: a bound a little too large would be seen here.

Every world is one class of two towns, a and b, whose rows in a cannot be mended and whose rows in b are as bad as the model
just allows; town c is the rest of the table, and good.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kanon_sql.backends.base import Backend
from kanon_sql.backends.connect import open_backend
from kanon_sql.sql import statements
from kanon_sql.workbench.objectives import build_objective
from kanon_sql.workbench.privacy_shape import build_shape
from kanon_sql.workbench.workbench import Workbench
from tests.privacy.worlds import Row, World

BELOW = (0, 3)
ABOVE = (1, 3)
REACHED = 0.85

Town = dict[str, int]
FAR = {"a": {"flu": 20}, "b": {"flu": 16, "cancer": 64}, "c": {"cancer": 2000}}
HALF = {"a": {"flu": 20}, "b": {"flu": 40, "cancer": 40}, "c": {"flu": 40, "cancer": 260}}
TIGHT: dict[str, tuple[str, dict[str, Any], dict[str, Town]]] = {
    "alpha": ("alpha", {"alpha": 0.5}, HALF | {"c": {"flu": 50, "cancer": 50}}),
    "alpha of a named value": ("alpha", {"alpha": 0.5, "values": ["flu"]}, HALF),
    "entropy": (
        "l_diversity",
        {"kind": "entropy", "l": 2},
        {"a": {"flu": 96}, "b": {"flu": 2, "cancer": 2}, "c": {"flu": 50, "cancer": 50}},
    ),
    "recursive": (
        "l_diversity",
        {"kind": "recursive", "l": 2, "c": 1},
        {"a": {"flu": 20}, "b": {"flu": 39, "cancer": 20, "ulcer": 20}, "c": {"flu": 30, "cancer": 30, "ulcer": 30}},
    ),
    "equal distance": ("t_closeness", {"t": 0.2, "distance": "equal"}, FAR),
    "ordered distance": ("t_closeness", {"t": 0.2, "distance": "ordered", "order": ["flu", "cancer"]}, FAR),
    "hierarchical distance": ("t_closeness", {"t": 0.2, "distance": "hierarchical", "hierarchy": "ills.csv"}, FAR),
    "basic beta": ("beta_likeness", {"beta": 1, "kind": "basic"}, HALF),
    "enhanced beta": ("beta_likeness", {"beta": 1, "kind": "enhanced"}, HALF),
}


@pytest.fixture(scope="module")
def backend(module_engine_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Backend]:
    opened = open_backend(module_engine_url, tmp_path_factory.getbasetemp(), read_only=False)
    yield opened
    opened.close()


def _rows(towns: dict[str, Town]) -> list[Row]:
    ills = [(town, ill) for town, counts in towns.items() for ill, count in counts.items() for _ in range(count)]
    return [(town, 1, ill, 1, person) for person, (town, ill) in enumerate(ills)]


def _certain(backend: Backend, world: World, folder: Path) -> int:
    """The rows that the check of the class of both towns says must violate below."""
    world.write(backend)
    with Workbench(backend, world.job("duckdb:///unused", folder), "1") as bench:
        bench.prepare()
        built = build_objective(bench)
        shape = build_shape(bench, built.sums, built.columns).shape
        statement = statements.checks.frequency_sets(bench.dialect, bench.frequency_source, [bench.keys(ABOVE)], shape)
        return int(backend.fetch_one(statement)[4])


@pytest.mark.parametrize("case", TIGHT)
def test_a_bound_on_rows_is_nearly_reached_and_never_passed(backend: Backend, tmp_path: Path, case: str) -> None:
    key, settings, towns = TIGHT[case]
    privacy = {"k": 2, "suppression": 0.9, key: {"ill": settings}}
    world = World(_rows(towns), [], privacy, [(key, "ill", settings)], persons=False)
    bad = sum(towns["a"].values())
    assert world.violating_rows(BELOW) == bad, "only town a is beyond mending"
    assert world.violating_rows(ABOVE) == bad + sum(towns["b"].values()), "together the towns violate"
    assert bad * REACHED <= _certain(backend, world, tmp_path) <= bad


def test_the_bound_of_presence_is_reached_where_the_population_misses_persons(backend: Backend, tmp_path: Path) -> None:
    towns = {"a": {"flu": 20}, "b": {"flu": 80}, "c": {"flu": 100}}
    population = _rows({"b": {"flu": 160}, "c": {"flu": 200}})
    privacy = {
        "k": 2,
        "suppression": 0.9,
        "population": {"table": "everyone"},
        "delta_presence": {"min": 0, "max": 0.5},
    }
    world = World(_rows(towns), population, privacy, [], persons=False)
    assert world.violating_rows(BELOW) == 20
    assert world.violating_rows(ABOVE) == 100
    assert _certain(backend, world, tmp_path) == 20
