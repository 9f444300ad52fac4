"""A job on a Spark Connect server: the same plan and release as on the embedded engine, and clear words when the server is not there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import kanon_sql
from kanon_sql.backends.connect import open_backend
from kanon_sql.config import Job
from kanon_sql.errors import ConnectionFailed
from kanon_sql.observer import Observer
from kanon_sql.sql.statement import Statement
from tests.pipeline.test_embedded_search import COLUMNS, people
from tests.spark_cluster import connect_server, free_port, spark_is_missing
from tests.support import execute, fetch, job_of

pytestmark = pytest.mark.spark


@pytest.fixture(autouse=True)
def _spark() -> None:
    if reason := spark_is_missing():
        pytest.skip(reason)


def job_on(url: str, home: Path, **search: Any) -> Job:
    return job_of(
        url,
        "people",
        COLUMNS,
        k=4,
        base=home,
        privacy={"suppression": 0.03, "l_diversity": {"illness": {"l": 2}}},
        search={"algorithm": "best-first"} | search,
        publish={"table": f"release.{search.get('algorithm', 'best_first')}"},
        register={"url": f"duckdb:///{home / 'register.duckdb'}"} if url.startswith("sc:") else {},
    )


@pytest.mark.cluster
def test_jobs_run_through_spark_connect(duckdb_url: str, tmp_path: Path) -> None:
    people(duckdb_url)
    file = tmp_path / "people.parquet"
    execute(duckdb_url, f"copy people to '{file}' (format parquet)")
    with connect_server(tmp_path) as server:
        execute(server, f"create table people as select * from parquet.`{file}`")
        observer = Observer()
        planned = kanon_sql.plan(job_on(server, tmp_path), observer)
        assert planned.node == kanon_sql.plan(job_on(duckdb_url, tmp_path)).node
        assert any(entry.label == "embedded/export_counts" for entry in observer.statements)
        for search in ({}, {"algorithm": "mondrian"}):
            results, releases = [], []
            for url in (duckdb_url, server):
                results.append(kanon_sql.run(job_on(url, tmp_path, **search)))
                table = f"release.{search.get('algorithm', 'best_first')}"
                releases.append(sorted(map(str, fetch(url, f"select * from {table}"))))
            assert releases[0] == releases[1]
            assert results[0].verified == results[1].verified
            assert kanon_sql.check(job_on(server, tmp_path), table).k >= 4
        again = kanon_sql.run(job_on(server, tmp_path))
        assert (again.unchanged, again.version) == (True, 1)
        backend = open_backend(server, tmp_path, read_only=True)
        assert backend.relations("kanon_work") == []
    # The server is gone.
    try:
        with pytest.raises(ConnectionFailed, match="lost in step after"):
            backend.fetch(Statement("after", "select 1"))
    finally:
        backend.close()


def test_a_server_that_is_not_there_is_named(tmp_path: Path) -> None:
    job = job_of(f"sc://127.0.0.1:{free_port()}", "people", COLUMNS, base=tmp_path)
    with pytest.raises(ConnectionFailed, match="Spark Connect"):
        kanon_sql.plan(job)
