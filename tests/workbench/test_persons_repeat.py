"""Whether persons have several rows: the same answer for keys that lie close together, for keys far apart and for texts."""

from __future__ import annotations

import pytest

from kanon_sql.backends.duckdb import DuckDBBackend
from kanon_sql.config.load import build_job
from kanon_sql.workbench.workbench import Workbench

CLOSE = [-70, -1, 0, 1, 31, 32, 63, 64]


@pytest.mark.parametrize(
    ("type_name", "keys", "repeat"),
    [
        ("tinyint", [*CLOSE, 100], False),
        ("bigint", CLOSE, False),
        ("bigint", [*CLOSE, 63], True),
        ("bigint", [*CLOSE, None], False),
        ("bigint", [*CLOSE, None, None], True),
        ("bigint", [None, 5], False),
        ("bigint", [1, 2**62], False),
        ("bigint", [1, 2**62, 2**62], True),
        ("varchar", ["1", "01"], False),
        ("varchar", ["1", "1"], True),
    ],
)
def test_persons_repeat(type_name: str, keys: list[object], repeat: bool) -> None:
    backend = DuckDBBackend(None)
    backend.connection.execute(f"create table people (id {type_name}, age integer)")
    backend.connection.executemany("insert into people values (?, 1)", [[key] for key in keys])
    job = build_job(
        {
            "version": 1,
            "source": {"url": "duckdb:///people.duckdb", "table": "people", "person": "id"},
            "privacy": {"k": 2},
            "columns": {"id": {"role": "identifier"}, "age": {"role": "quasi", "levels": ["*"]}},
        }
    )
    with Workbench(backend, job, "r1") as bench:
        bench.prepare()
        assert bench.counts_persons is repeat
    backend.close()
