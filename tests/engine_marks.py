"""Marks that a test gets by itself: every engine it asks for, and Spark's one group of workers.

A test asks for an engine by its fixtures. One that starts a server or a session in another way says so itself
(`pytestmark = pytest.mark.postgresql`); tests/servers.py refuses to start a server for a test without the mark.
"""

from __future__ import annotations

import pytest

ENGINES = ("duckdb", "postgresql", "spark")

FIXTURES = {
    "duckdb_url": "duckdb",
    "module_duckdb_url": "duckdb",
    "postgres_server_url": "postgresql",
    "own_postgres_server": "postgresql",
    "spark_settings": "spark",
}
"""What a fixture stands for; a fixture made from one of these counts too."""

BY_PARAMETER = ("engine_url", "module_engine_url", "engine")
"""Fixtures and parameters that are an engine's name."""


def engines_of(item: pytest.Item) -> set[str]:
    """The engines that a test asks for."""
    found = {FIXTURES[name] for name in getattr(item, "fixturenames", ()) if name in FIXTURES}
    call = getattr(item, "callspec", None)
    if call is not None:
        found |= {str(call.params[name]) for name in BY_PARAMETER if name in call.params}
    return found | {name for name in ENGINES if item.get_closest_marker(name)}


def mark_engines(items: list[pytest.Item]) -> None:
    """Put an engine's mark on every test that asks for it, and all of Spark's tests on one worker: a second session costs ten seconds."""
    for item in items:
        engines = engines_of(item)
        for name in ENGINES:
            if name in engines and item.get_closest_marker(name) is None:
                item.add_marker(name)
        if "spark" in engines and item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group("spark"))


def slowest_first(items: list[pytest.Item]) -> None:
    """Spark's group first, then what is slow, so that the workers end together; within these, the order stays."""

    def place(item: pytest.Item) -> int:
        if item.get_closest_marker("spark"):
            return 0
        return 1 if item.get_closest_marker("slow") else 2

    items.sort(key=place)
