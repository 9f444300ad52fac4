"""The guard on an engine that cannot delete: every release writes the ledger anew, and the register says which of its tables count."""

from __future__ import annotations

from pathlib import Path

import pytest

import kanon_sql
from kanon_sql.errors import CompositionRisk
from tests.nightly.test_guard import publishes
from tests.support import execute

pytestmark = pytest.mark.xdist_group("spark")


def test_nights_on_spark(spark_url: str, tmp_path: Path) -> None:
    rows = ", ".join(f"({i}, {i // 10}, {i % 10})" for i in range(100))
    execute(spark_url, f"create table default.t using parquet as select * from values {rows} as v (id, a, b)")
    register = {"url": f"duckdb:///{tmp_path / 'register.duckdb'}"}

    def job(column: str, target: str = "rel.first") -> kanon_sql.Job:
        return publishes(spark_url, tmp_path, column, target, table="default.t", register=register)

    first = kanon_sql.run(job("a"))
    assert first.composition["status"] == "passed"
    with pytest.raises(CompositionRisk, match="100 people are in 100 candidate sets"):
        kanon_sql.run(job("b", "rel.second"))
    execute(
        spark_url,
        "create table default.u using parquet as select * from default.t where id not in (3, 13) union all select 900, 4, 4",
        "insert overwrite table default.t select * from default.u",
    )
    second = kanon_sql.run(job("a"))
    night = second.composition["night"]
    assert {name: night[name] for name in ("stayed", "joined", "left", "withheld")} == {
        "stayed": 98,
        "joined": 1,
        "left": 2,
        "withheld": 0,
    }
