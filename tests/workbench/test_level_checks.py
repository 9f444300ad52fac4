"""Sizes and faults of levels: from the codes of small dictionaries, and asked of the database, they are the same."""

from __future__ import annotations

from typing import Any

import pytest

from kanon_sql.backends.connect import open_backend
from kanon_sql.workbench import level_checks
from kanon_sql.workbench.level_checks import Fault, inspect_levels
from kanon_sql.workbench.workbench import Workbench
from tests.support import job_of, make_table


@pytest.mark.parametrize(("few", "embedded"), [(0, "auto"), (20_000, "auto"), (20_000, "never")])
def test_small_and_large_dictionaries_are_judged_alike(
    few: int, embedded: str, engine_url: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(level_checks, "FEW_VALUES", few)
    make_table(
        engine_url,
        "people",
        ["age integer", "town varchar(9)"],
        [(i, "abcd"[i % 4]) for i in range(20)] + [(None, None)],
    )
    hierarchy = [["a", "x", "one"], ["b", "x", "one"], ["c", "y", "two"]]
    (tmp_path / "town.csv").write_text("\n".join(";".join(line) for line in hierarchy), encoding="utf-8")
    columns = {
        "age": {"role": "quasi", "type": "numeric", "levels": [{"cuts": [4]}, {"cuts": [6, 9]}, "*"]},
        "town": {"role": "quasi", "hierarchy": "town.csv"},
    }
    job = job_of(engine_url, "people", columns, base=tmp_path, search={"embedded": embedded})
    backend = open_backend(engine_url, tmp_path, read_only=False)
    try:
        with Workbench(backend, job, "20260101t000000xaaaa") as bench:
            bench.read_levels()
            found = inspect_levels(backend, bench.names, bench.attributes, job)
            asked = [entry.label for entry in backend.trace.entries]
    finally:
        backend.close()
    assert found.sizes == [[21, 3, 4, 1], [5, 3, 3, 1]]
    assert found.faults == [Fault(0, 1, "torn", 1), Fault(1, 0, "uncovered", 1)]
    codes_left = embedded == "auto" or engine_url.startswith("duckdb")
    assert ("levels/codes" in asked) == codes_left
