"""Spark's own types in the roles that are published: maps, structs, intervals, bytes, -0."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kanon_sql.backends.connect import open_backend
from kanon_sql.backends.spark import SparkBackend
from tests.redteam.checker import Promise, broken_promises
from tests.redteam.reader import Table, read_spark
from tests.support import execute
from tests.truth.jobs import run, write_job
from tests.truth.types import SPARK

ROWS = 12
ROLES = ("quasi", "sensitive", "keep")


def _read(url: str, table: str) -> Table:
    backend = open_backend(url, Path.cwd(), read_only=True)
    assert isinstance(backend, SparkBackend)
    try:
        return read_spark(backend.session, table)
    finally:
        backend.close()


@pytest.fixture(scope="module")
def wide(module_spark_url: str) -> str:
    rows = []
    for number in range(ROWS):
        values = [of[(number // (1 + place % 2)) % len(of)] for place, of in enumerate(SPARK.values())]
        shown = ", ".join(
            f"cast({value} as {type_name}) as c{place}"
            for place, (value, type_name) in enumerate(zip(values, SPARK, strict=True))
        )
        rows.append(f"select {number} as id, {shown}")
    execute(module_spark_url, f"create table default.t using parquet as {' union all '.join(rows)}")
    return module_spark_url


@pytest.mark.parametrize("turn", range(len(ROLES)))
def test_a_run_publishes_what_it_says(wide: str, turn: int, tmp_path: Path) -> None:
    roles = {f"c{place}": ROLES[(place + turn) % len(ROLES)] for place in range(len(SPARK))}
    columns: dict[str, Any] = {"id": {"role": "keep"}} | {name: {"role": role} for name, role in roles.items()}
    job = write_job(
        tmp_path,
        wide,
        columns,
        privacy={"k": 2, "suppression": 0.9, "accept": ["nearly_unique_columns"]},
        search={"algorithm": "datafly"},
        publish={"table": f"rel.turn{turn}", "guard": "never"},
        register={"url": f"duckdb:///{tmp_path / 'register.duckdb'}"},
    )
    done = run(job)
    assert done.exit_code == 0, done.err
    quasi = [name for name, role in roles.items() if role == "quasi"]
    promise = Promise(k=2, quasi=quasi, columns=["id", *roles], budget=ROWS, row="id")
    source = _read(wide, "default.t")
    moments = {
        place for place, name in enumerate(source.columns) if name in quasi and source.types[name] == "timestamp"
    }
    rows = [tuple(f"{v}+00" if p in moments and v else v for p, v in enumerate(row)) for row in source.rows]
    assert broken_promises(_read(wide, f"rel.turn{turn}"), promise, replace(source, rows=rows)) == [], list(SPARK)
