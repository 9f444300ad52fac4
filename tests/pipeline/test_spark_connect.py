"""A job on a Spark Connect server: the same release as on the embedded engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from kanon_sql import pipeline
from kanon_sql.errors import ConnectionFailed
from tests.pipeline.test_embedded_search import COLUMNS, people
from tests.spark_cluster import connect_server, free_port, spark_is_missing
from tests.support import execute, fetch, job_of

pytestmark = [pytest.mark.cluster, pytest.mark.slow]


def test_a_job_runs_through_spark_connect(duckdb_url: str, tmp_path: Path) -> None:
    if reason := spark_is_missing():
        pytest.skip(reason)
    people(duckdb_url)
    file = tmp_path / "people.parquet"
    execute(duckdb_url, f"copy people to '{file}' (format parquet)")
    releases = []
    with connect_server(tmp_path) as server:
        execute(server, f"create table people as select * from parquet.`{file}`")
        for url in (duckdb_url, server):
            job = job_of(
                url,
                "people",
                COLUMNS,
                k=4,
                base=tmp_path,
                privacy={"suppression": 0.03, "l_diversity": {"illness": {"l": 2}}},
                search={"algorithm": "best-first"},
                register={"url": f"duckdb:///{tmp_path / 'register.duckdb'}"} if url == server else {},
            )
            pipeline.run(job)
            releases.append(sorted(map(str, fetch(url, "select * from release.people"))))
    assert releases[0] == releases[1]


def test_a_server_that_is_not_there_is_named(tmp_path: Path) -> None:
    if reason := spark_is_missing():
        pytest.skip(reason)
    job = job_of(f"sc://127.0.0.1:{free_port()}", "people", COLUMNS, base=tmp_path)
    with pytest.raises(ConnectionFailed, match="Spark Connect"):
        pipeline.plan(job)
