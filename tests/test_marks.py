"""The marks of tests: engines are read off fixtures, a server is started only for a test that asked for it, what is left out is told."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests import durations, servers
from tests.engine_marks import engines_of, slowest_first
from tests.not_proven import not_proven
from tests.servers import PostgresServer, ServerFailed


def test_the_fixtures_tell_the_engines(request: pytest.FixtureRequest, duckdb_url: str) -> None:
    assert engines_of(request.node) == {"duckdb"}
    assert request.node.get_closest_marker("duckdb")
    assert not request.node.get_closest_marker("postgresql")


def test_a_parameter_tells_the_engine(request: pytest.FixtureRequest, engine_url: str) -> None:
    engine = engine_url.partition("+")[0].partition(":")[0]
    assert engines_of(request.node) == {engine}


def test_a_server_that_nobody_asked_for_is_refused() -> None:
    assert not servers.asked_for
    server = PostgresServer()
    try:
        with pytest.raises(ServerFailed, match=r"pytest\.mark\.postgresql"):
            server.start()
    finally:
        server.close()


def test_spark_and_what_is_slow_come_first() -> None:
    def item(*marks: str) -> SimpleNamespace:
        return SimpleNamespace(marks=marks, get_closest_marker=lambda name: name in marks)

    items = [item(), item("slow"), item("duckdb"), item("spark")]
    slowest_first(items)  # type: ignore[arg-type]
    assert [one.marks for one in items] == [("spark",), ("slow",), (), ("duckdb",)]


def test_what_is_slow_is_measured() -> None:
    known = {"tests/a.py::test_one": {"times": 4, "seconds": 2.4}, "tests/a.py::test_two": {"times": 4, "seconds": 1.6}}
    assert durations.is_slow(known, "tests/a.py::test_one[duckdb]")
    assert durations.is_slow(known, "tests/a.py::test_one@group")
    assert not durations.is_slow(known, "tests/a.py::test_two[duckdb]")
    assert not durations.is_slow(known, "tests/a.py::test_new")
    measured = durations.merged(known, Counter({"tests/a.py::test_one": 1}), Counter({"tests/a.py::test_one": 0.1}))  # type: ignore[dict-item]
    assert list(measured) == ["tests/a.py::test_two"]


def test_what_is_not_slow_takes_a_minute_and_a_half() -> None:
    """Of two processors; what is too quick to be written down, and the start, weigh less than the servers, which are counted here."""
    known = durations.durations()
    quick = sum(entry["seconds"] for name, entry in known.items() if not durations.is_slow(known, name))
    assert quick < 2 * 90


def test_every_duration_is_of_a_test_that_exists() -> None:
    here = Path(__file__).parents[1]
    for name in durations.durations():
        file, _, function = name.partition("::")
        assert f"def {function.rpartition('::')[2]}(" in (here / file).read_text(encoding="utf-8"), name


def test_what_was_left_out_is_told_by_its_reason() -> None:
    def skipped(test: str, reason: str) -> SimpleNamespace:
        return SimpleNamespace(nodeid=test, longrepr=("conftest.py", 1, f"Skipped: {reason}"))

    lines = not_proven(
        [
            skipped("tests/a.py::test_the_least_loss[glm]", "no data"),
            skipped("tests/a.py::test_the_least_loss[height]", "no data"),
            skipped("tests/b.py::TestX::test_a_click", "no browser"),
            skipped("tests/c.py", "no extra"),
        ]
    )
    assert lines == [
        "no browser (1 test)",
        "  tests/b.py: a click",
        "no data (2 tests)",
        "  tests/a.py: the least loss (2x)",
        "no extra (1 test)",
        "  tests/c.py: the whole file",
    ]
