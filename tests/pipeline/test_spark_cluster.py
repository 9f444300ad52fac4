"""A real cluster on this machine: a job runs on it, and a worker goes down while the base is counted and while the release is written."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

import kanon_sql
from kanon_sql.backends import spark_session
from kanon_sql.backends.spark import SparkBackend
from kanon_sql.config import Job
from kanon_sql.errors import KanonError
from kanon_sql.sql.statement import Statement
from tests.spark_cluster import SparkCluster, spark_is_missing
from tests.support import execute, fetch, job_of

pytestmark = [pytest.mark.spark, pytest.mark.cluster]

ROWS = 1_000_000
COLUMNS: dict[str, Any] = {
    "age": {"role": "quasi", "levels": [5, 20, "*"]},
    "zip": {"role": "quasi", "levels": [{"prefix": 2}, {"prefix": 1}, "*"]},
    "illness": {"role": "sensitive"},
}


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkCluster]:
    if reason := spark_is_missing():
        pytest.skip(reason)
    spark_session.stop()
    with SparkCluster(tmp_path_factory.mktemp("cluster")) as running:
        yield running
        spark_session.stop()


@pytest.fixture(scope="module")
def url(cluster: SparkCluster, tmp_path_factory: pytest.TempPathFactory) -> str:
    settings = {
        "warehouse": str(tmp_path_factory.mktemp("warehouse")),
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.executor.memory": "512m",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.files.maxPartitionBytes": "1m",
        "spark.sql.files.openCostInBytes": "1",
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Dlog4j2.level=off",
        "spark.executor.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    }
    url = f"spark://{cluster.address}?{urlencode(settings)}"
    execute(
        url,
        "create table people as select cast(20 + pmod(hash(id), 60) as int) as age, "
        "cast(10000 + pmod(hash(id, 1), 900) as string) as zip, "
        f"concat('illness ', pmod(hash(id, 3), 7)) as illness from range({ROWS})",
    )
    return url


def nightly(url: str, directory: Path, k: int) -> Job:
    return job_of(
        url,
        "people",
        COLUMNS,
        k=k,
        base=directory,
        privacy={"suppression": 0.01},
        search={"algorithm": "best-first", "reuse": False},
        source={"fingerprint": False},
        register={"url": f"duckdb:///{directory / 'register.duckdb'}"},
    )


def released(url: str) -> list[tuple[Any, ...]]:
    """The classes of the release with their rows: what a reader can know of it."""
    return sorted(fetch(url, "select age, zip, illness, count(*) from release.people group by all"), key=repr)


def test_a_worker_goes_down_and_the_release_is_right_or_untouched(
    cluster: SparkCluster, url: str, tmp_path: Path
) -> None:
    started = time.perf_counter()
    first = kanon_sql.run(nightly(url, tmp_path, 50))
    print(f"undisturbed: {time.perf_counter() - started:.1f} s, version {first.version}")
    assert first.verified["rows"] == ROWS - first.plan.suppressed
    before = released(url)
    for victim, step in enumerate(("levels/raw", "release/stage")):
        started = time.perf_counter()
        with worker_killed_in(cluster, victim, step) as in_time:
            try:
                result = kanon_sql.run(nightly(url, tmp_path, 50))
            except KanonError as error:
                outcome = f"{type(error).__name__}: {error.message}"
            else:
                outcome = f"version {result.version}"
                assert (result.plan.node, result.verified) == (first.plan.node, first.verified)
        print(f"a worker killed in {step}: {time.perf_counter() - started:.1f} s, {outcome}")
        assert in_time == [True], "the step ended before the worker was killed: nothing was shown"
        assert released(url) == before
        cluster.add_worker()


@contextmanager
def worker_killed_in(cluster: SparkCluster, victim: int, step: str) -> Iterator[list[bool]]:
    """Kill a worker shortly after a step begins; tells whether that was before the step ended."""
    killed, in_time = threading.Event(), []
    undisturbed = SparkBackend._run

    def strike() -> None:
        cluster.kill_worker(victim)
        killed.set()

    def run(self: SparkBackend, statement: Statement, fetch: bool) -> Any:
        if statement.label != step:
            return undisturbed(self, statement, fetch)
        threading.Timer(0.3, strike).start()
        try:
            return undisturbed(self, statement, fetch)
        finally:
            in_time.append(killed.is_set())

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SparkBackend, "_run", run)
        yield in_time
