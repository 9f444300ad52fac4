"""Real engines for every test that asks for one: fresh DuckDB files, fresh PostgreSQL databases, one Spark session.

PostgreSQL comes from a wheel and is started once per test process on first use (see servers.py);
KANON_TEST_POSTGRES_URL names another server, whose user may create databases. Which engines a test asks for is
read off its fixtures (engine_marks.py), which are slow is measured (durations.py); what was left out is told at the end (not_proven.py).
"""

from __future__ import annotations

import gc
import os
import sys
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest

from tests import durations, engine_marks, not_proven, servers
from tests.servers import FreshDatabases, PostgresServer
from tests.spark_cluster import spark_is_missing

# Hundreds of tests start a process: each would compile the package anew where the environment forbids to keep bytecode.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
# Thousands of collected tests stay to the end: looking through them less often saves a thirtieth.
gc.set_threshold(20_000, 50, 50)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--regenerate", action="store_true", help="write golden files anew instead of comparing with them")
    parser.addoption("--measure", action="store_true", help="write into tests/durations.json what each test takes")


def pytest_configure(config: pytest.Config) -> None:
    # With workers, they run the tests and the first process none.
    if config.getoption("--measure"):
        config.pluginmanager.register(durations.Measure())


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    # First, so that `-m` and the distribution over workers see the marks.
    engine_marks.mark_engines(items)
    durations.mark_slow(items)
    engine_marks.slowest_first(items)


def pytest_runtest_setup(item: pytest.Item) -> None:
    servers.asked_for = item.get_closest_marker("postgresql") is not None


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    not_proven.summarize(terminalreporter)


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[Path, str], None]:
    """Compares a text with the file that holds what is expected; `pytest --regenerate` writes the file instead."""

    def compare(path: Path, text: str) -> None:
        if request.config.getoption("--regenerate"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert path.exists(), f"{path} is missing: pytest --regenerate writes it"
        assert path.read_text(encoding="utf-8") == text, f"{path} is out of date: pytest --regenerate writes it anew"

    return compare


@pytest.fixture(scope="session")
def postgres_server_url() -> Iterator[str]:
    """The URL of a maintenance database on the server that all tests of this process share."""
    given = os.environ.get("KANON_TEST_POSTGRES_URL")
    if given:
        yield given
        return
    with PostgresServer() as server:
        yield server.url()


@pytest.fixture(scope="session")
def postgres_databases(postgres_server_url: str) -> FreshDatabases:
    """Makes databases whose names no other test process uses."""
    return FreshDatabases(postgres_server_url, prefix=f"kanon_test_{uuid.uuid4().hex[:8]}")


@pytest.fixture
def postgres_url(postgres_databases: FreshDatabases) -> Iterator[str]:
    """A fresh PostgreSQL database for one test."""
    url = postgres_databases.create()
    yield url
    postgres_databases.drop(url)


@pytest.fixture(scope="module")
def module_postgres_url(postgres_databases: FreshDatabases) -> Iterator[str]:
    """A fresh PostgreSQL database that the tests of one module share."""
    url = postgres_databases.create()
    yield url
    postgres_databases.drop(url)


@pytest.fixture
def duckdb_url(tmp_path: Path) -> str:
    """A fresh DuckDB file for one test (made when first opened)."""
    return f"duckdb:///{tmp_path / 'test.duckdb'}"


@pytest.fixture(scope="module")
def module_duckdb_url(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A fresh DuckDB file that the tests of one module share."""
    return f"duckdb:///{tmp_path_factory.mktemp('duckdb') / 'test.duckdb'}"


@pytest.fixture(params=["duckdb", "postgresql"])
def engine_url(request: pytest.FixtureRequest) -> str:
    """A fresh database of each engine in turn: a test that asks for this runs once per engine."""
    name = "duckdb_url" if request.param == "duckdb" else "postgres_url"
    return str(request.getfixturevalue(name))


@pytest.fixture(scope="module", params=["duckdb", "postgresql"])
def module_engine_url(request: pytest.FixtureRequest) -> str:
    """Like engine_url, but one database per engine and module."""
    name = "module_duckdb_url" if request.param == "duckdb" else "module_postgres_url"
    return str(request.getfixturevalue(name))


SPARK_CONTEXT = {
    # A session of seconds gains nothing from compiled plans, and much from not compiling them. More room for compiled code, classes
    # and young objects than the first compiler alone is given; and Spark's classes are not verified anew in every run.
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m -XX:+UseSerialGC -Xms1g -Xmn500m"
    " -XX:MetaspaceSize=300m -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote -Dlog4j2.level=off",
    "spark.driver.memory": "1g",
    # Every sort, aggregate and broadcast takes at least a page: of a sixteenth of the memory, and it was never enough.
    "spark.buffer.pageSize": "256k",
    "spark.shuffle.compress": "false",
    "spark.broadcast.compress": "false",
    # Nobody looks at jobs that are over.
    "spark.ui.retainedJobs": "1",
    "spark.ui.retainedStages": "1",
    "spark.ui.retainedTasks": "1",
    "spark.ui.liveUpdate.period": "-1",
}
"""Of the one Spark context that all tests of a process share."""
SPARK_SETTINGS = {
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.shuffle.partitions": "1",
    # Planning again while it runs pays on millions of rows.
    "spark.sql.adaptive.enabled": "false",
    # Nobody reads the plans' texts, and tiny tables need no packing.
    "spark.sql.maxPlanStringLength": "1000",
    "spark.sql.debug.maxToStringFields": "2",
    "spark.sql.parquet.compression.codec": "uncompressed",
    "spark.sql.inMemoryColumnarStorage.compressed": "false",
}
"""Of their sessions, made for tiny tables."""


@pytest.fixture(scope="session")
def spark_settings() -> str:
    """The settings of Spark in this process, as part of a URL; else the test is skipped."""
    if reason := spark_is_missing():
        pytest.skip(reason)
    return urlencode(SPARK_CONTEXT | SPARK_SETTINGS)


@pytest.fixture
def unset_spark_url(spark_settings: str, tmp_path: Path) -> str:
    """Like spark_url, but a session as the product opens one: code is generated, plans adapt to what they meet."""
    return f"spark://local[2]?{urlencode({'warehouse': str(tmp_path / 'warehouse')} | SPARK_CONTEXT)}"


@pytest.fixture
def spark_url(spark_settings: str, tmp_path: Path) -> str:
    """Spark in this process with a fresh warehouse for one test: <tmp_path>/warehouse."""
    return f"spark://local[2]?{urlencode({'warehouse': str(tmp_path / 'warehouse')})}&{spark_settings}"


@pytest.fixture(scope="module")
def module_spark_url(spark_settings: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Spark with a fresh warehouse that the tests of one module share."""
    return f"spark://local[2]?{urlencode({'warehouse': str(tmp_path_factory.mktemp('spark'))})}&{spark_settings}"


@pytest.fixture
def own_postgres_server() -> Iterator[PostgresServer]:
    """A PostgreSQL server of the test's own, to be killed and restarted at will."""
    with PostgresServer() as server:
        yield server


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Where the Adult files lie: KANON_TEST_DATA, or ../shared/data beside the checkout; else the test is skipped."""
    directory = Path(os.environ.get("KANON_TEST_DATA") or Path(__file__).parents[2] / "shared" / "data")
    if not (directory / "adult.csv").exists():
        pytest.skip(f"no adult.csv in {directory}: set KANON_TEST_DATA to a directory that has it")
    return directory
