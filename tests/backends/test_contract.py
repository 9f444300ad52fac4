"""One contract, inherited by each engine: real engines, never mocks."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from kanon_sql.backends.base import Backend
from kanon_sql.backends.connect import open_backend
from kanon_sql.backends.spark_url import parse_spark_url
from kanon_sql.errors import JobError, StatementFailed, StatementTimedOut
from kanon_sql.model.forms import Form
from kanon_sql.release.publish import swap
from kanon_sql.release.register import Register
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.dialects.postgres import CHAINED, PostgresDialect
from kanon_sql.sql.statement import Statement

FLOATS = {
    "1": "1",
    "100": "100",
    "0.1": "0.1",
    "-2.5": "-2.5",
    "0": "0",
    "12345678.5": "12345678.5",
    "0.00012": "0.00012",
    "1e+20": "1e20",
    "1.5e-07": "1.5e-7",
    "1e+300": "1e300",
    "NaN": "NaN",
    "-Infinity": "-Infinity",
}
"""What is written of a float."""


class BackendContract:
    """What every engine does."""

    url: str
    slow: str
    """A statement that takes long."""
    odd_schema = "odd schema"
    kinds = "a smallint, b decimal(9, 2), c double precision, d varchar(5), e boolean, f date, g timestamp, h timestamp with time zone, i json"

    @pytest.fixture
    def backend(self, tmp_path: Path) -> Iterator[Backend]:
        backend = open_backend(self.url, tmp_path, read_only=False, run="contract")
        yield backend
        backend.close()

    @staticmethod
    def one(backend: Backend, sql: str) -> object:
        return backend.fetch_one(Statement("test/one", sql))[0]

    @pytest.mark.parametrize(
        "name", ["plain", "with space", 'quo"te', "umläut", "select", "100%", "a:b", "%(x)s", "it's", "{{ x }}"]
    )
    def test_identifiers_survive(self, backend: Backend, name: str) -> None:
        table = backend.relation("contract")
        quoted = backend.dialect.identifier(name)
        backend.execute(Statement("t", f"create table {backend.dialect.relation(table)} ({quoted} integer)"))
        assert [column.name for column in backend.describe(table)] == [name]

    @pytest.mark.parametrize(
        "value",
        ["", "it's", "100%", ":x", "a\\b", "é\U0001f600", "'; drop table x; --", "{{ 7 * 7 }}", None, True, 7, -1.5],
    )
    def test_literals_survive(self, backend: Backend, value: object) -> None:
        assert self.one(backend, f"select {backend.dialect.literal(value)}") == value

    def test_floats_and_moments_are_written_alike(self, backend: Backend) -> None:
        """An engine's own text of a float (1.0, 1, 1.0E7) would make releases differ between engines."""
        for written, given in FLOATS.items():
            value = backend.dialect.cast(f"'{given}'", "double")
            printed = backend.dialect.printed("x", "double")
            assert self.one(backend, f"select {printed} from (select {value} as x) as one") == written
        moment = backend.dialect.cast("'2024-03-01 12:00:00.5+00'", "timestamptz")
        printed = backend.dialect.printed("x", "timestamptz")
        assert self.one(backend, f"select {printed} from (select {moment} as x) as one") == "2024-03-01 12:00:00.5+00"

    def test_a_nul_character_is_refused(self, backend: Backend) -> None:
        with pytest.raises(JobError, match="NUL"):
            backend.dialect.literal("a\x00b")
        with pytest.raises(JobError, match="NUL"):
            backend.dialect.identifier("a\x00b")

    def test_every_statement_is_labelled_timed_and_traced(self, backend: Backend) -> None:
        before = len(backend.trace.entries)
        backend.fetch(Statement("family/name", "select 1"))
        entry = backend.trace.entries[before]
        assert (entry.label, entry.sql, entry.rows) == ("family/name", "select 1", 1)
        assert entry.seconds >= 0

    def test_rows_are_read_by_the_names_of_their_columns(self, backend: Backend) -> None:
        row = backend.fetch_one(Statement("family/name", "select 1 as open_rows, 2 as count"))
        assert (row.open_rows, row.count) == (1, 2)
        assert row == (1, 2)
        with pytest.raises(AttributeError):
            _ = row.no_such_column

    def test_a_transaction_is_all_or_nothing(self, backend: Backend) -> None:
        table = backend.relation("contract")
        name = backend.dialect.relation(table)

        def half_done() -> None:
            with backend.transaction():
                backend.execute(Statement("t", f"create table {name} (x integer)"))
                raise RuntimeError

        with pytest.raises(RuntimeError):
            half_done()
        if backend.capabilities.transactional_ddl:
            assert not backend.exists(table)
        else:
            # Then a publication is one switch, done last: see keep_view.
            backend.drop_table(table)
            assert not backend.exists(table)
        with backend.transaction():
            backend.execute(Statement("t", f"create table {name} (x integer)"))
        assert backend.relation_kind(table) == "table"

    def test_a_statement_error_names_the_step_and_leaves_the_connection_usable(self, backend: Backend) -> None:
        with pytest.raises(StatementFailed, match="step family/broken"):
            backend.execute(Statement("family/broken", "select * from nowhere_at_all"))
        assert self.one(backend, "select 1") == 1

    def test_data_values_do_not_reach_messages(self, backend: Backend) -> None:
        with pytest.raises(StatementFailed) as raised:
            backend.fetch(Statement("t", "select cast(x as integer) from (values ('private-value')) as v(x)"))
        assert "private-value" not in raised.value.message

    def test_schemas_and_kinds(self, backend: Backend) -> None:
        backend.create_schema(self.odd_schema)
        backend.create_schema(self.odd_schema)
        table = backend.relation(f'"{self.odd_schema}".t')
        backend.execute(Statement("t", f"create table {backend.dialect.relation(table)} (x integer)"))
        view = backend.relation(f'"{self.odd_schema}".v')
        backend.execute(
            Statement(
                "t", f"create view {backend.dialect.relation(view)} as select * from {backend.dialect.relation(table)}"
            )
        )
        assert [backend.relation_kind(r) for r in (table, view, backend.relation("nothing"))] == ["table", "view", None]

    def test_kinds_of_columns(self, backend: Backend) -> None:
        table = backend.relation("kinds")
        backend.execute(Statement("t", f"create table {backend.dialect.relation(table)} ({self.kinds})"))
        described = backend.describe(table)
        assert [column.kind for column in described] == [
            "integer", "decimal", "double", "text", "boolean", "date", "timestamp", "timestamptz", "text",
        ]  # fmt: skip
        assert [described[place].form for place in (0, 1, 2, 8)] == [Form.SAME, Form.SAME, Form.FLOAT, Form.TEXT]
        assert described[1].scale == 2

    def test_text_is_ordered_by_code_point(self, backend: Backend) -> None:
        order = backend.dialect.ordered("x", "text")
        rows = backend.fetch(
            Statement("t", f"select x from (values ('a'), ('B'), (null), ('é'), ('z'), ('_')) as v(x) order by {order}")
        )
        assert [row[0] for row in rows] == [None, "B", "_", "a", "z", "é"]

    def test_work_relations_are_dropped_newest_first(self, backend: Backend) -> None:
        backend.create_schema(backend.work_schema)
        table, view = (Relation((backend.work_schema, name)) for name in ("w1", "w2"))
        backend.execute(
            Statement("t", f"{backend.dialect.create_work_table(backend.dialect.relation(table))} as select 1 as x")
        )
        backend.execute(
            Statement(
                "t", f"create view {backend.dialect.relation(view)} as select x from {backend.dialect.relation(table)}"
            )
        )
        backend.drop_work([("table", table), ("view", view)])
        assert not backend.exists(table)

    def test_cancel_stops_the_running_statement(self, backend: Backend) -> None:
        timer = threading.Timer(0.3, backend.cancel)
        timer.start()
        started = time.perf_counter()
        with pytest.raises(KeyboardInterrupt):
            backend.fetch(Statement("slow", self.slow))
        assert time.perf_counter() - started < 30
        assert self.one(backend, "select 1") == 1

    def test_the_version_names_the_engine(self, backend: Backend) -> None:
        assert backend.version().split()[0] in ("DuckDB", "PostgreSQL", "Spark")


class TestDuckDB(BackendContract):
    slow = "select count(*) from range(1000000000) a(i), range(1000) b(j) where (i * j) % 7 = 8"

    @pytest.fixture(autouse=True)
    def _url(self, duckdb_url: str) -> None:
        self.url = duckdb_url


class TestPostgres(BackendContract):
    slow = "select pg_sleep(60)"

    @pytest.fixture(autouse=True)
    def _url(self, postgres_url: str) -> None:
        self.url = postgres_url

    def test_a_statement_may_not_take_longer_than_the_job_says(self, tmp_path: Path) -> None:
        backend = open_backend(self.url, tmp_path, read_only=False, statement_timeout=0.2)
        try:
            with pytest.raises(StatementTimedOut, match="step slow"):
                backend.fetch(Statement("slow", self.slow))
        finally:
            backend.close()

    def test_the_server_knows_who_asks(self, backend: Backend) -> None:
        assert self.one(backend, "select current_setting('application_name')") == "kanon_sql contract"

    def test_a_person_has_one_number_on_every_version(self, backend: Backend) -> None:
        number = int(hashlib.sha256(b"salt \xc3\xa9").hexdigest()[:15], 16)
        newer = (backend.dialect,) if getattr(backend.dialect, "casts_bytes", False) else ()
        for dialect in (PostgresDialect(), *newer):
            assert (
                self.one(
                    backend, f"select {dialect.salted_number(chr(39) + 'salt ' + chr(39), chr(39) + 'é' + chr(39))}"
                )
                == number
            )

    def test_a_row_has_another_number_where_any_value_differs(self, backend: Backend) -> None:
        rows = [
            "'a', 'b'",
            "'b', 'a'",
            "'ab', ''",
            "'', 'ab'",
            "null, 'ab'",
            "'ab', null",
            "null, null",
            "'', ''",
            "null, ''",
        ]
        for columns in (2, CHAINED + 1):
            names = ["x", "y", *("x" for _ in range(columns - 2))]
            hashed = {
                self.one(backend, f"select {backend.dialect.row_hash(names)} from (select {row}) as t(x, y)")
                for row in rows
            }
            assert len(hashed) == len(rows)

    def test_what_is_published_is_described_as_finely_as_the_server_says(self, backend: Backend) -> None:
        bounds = "select array_length(cast(cast(histogram_bounds as text) as text[]), 1) from pg_stats where tablename = 'described'"
        backend.execute(Statement("make", "create table described as select generate_series(1, 5000) as a"))
        found = []
        for published in (False, True, False):
            backend.analyze(Relation(("public", "described")), published=published)
            found.append(self.one(backend, bounds))
        assert found == [21, 101, 21]


class TestSpark(BackendContract):
    slow = "select count(*) from range(100000000000) a where id % 7 = 8"
    odd_schema = "odd_schema_1"  # Spark's own catalog admits letters, digits and underscores
    kinds = "a smallint, b decimal(9, 2), c double, d varchar(5), e boolean, f date, g timestamp_ntz, h timestamp, i array<int>"

    @pytest.fixture(autouse=True)
    def _url(self, spark_url: str) -> None:
        self.url = spark_url

    def test_a_statement_may_not_take_longer_than_the_job_says(self, tmp_path: Path) -> None:
        backend = open_backend(self.url, tmp_path, read_only=False, statement_timeout=0.5)
        try:
            with pytest.raises(StatementTimedOut, match="step slow"):
                backend.fetch(Statement("slow", self.slow))
        finally:
            backend.close()

    def test_tables_and_published_views_outlive_the_session(self, backend: Backend, tmp_path: Path) -> None:
        backend.create_schema("release")
        view, first, second = (backend.relation(f"release.{name}") for name in ("people", "people__v1", "people__v2"))
        for number, table in enumerate((first, second), 1):
            name = backend.dialect.relation(table)
            backend.execute(Statement("t", f"create table {name} as select {number} as x"))
            swap(backend, view, table)
        backend.close()
        again = open_backend(self.url, tmp_path, read_only=True)
        try:
            assert again.fetch(Statement("t", "select x from release.people")) == [(2,)]
            again.drop_table(first)
            assert not again.exists(first)
            assert not (tmp_path / "warehouse" / "release.db" / "people__v1").exists()
        finally:
            again.close()

    def test_a_half_written_table_is_not_a_table_and_makes_room(self, backend: Backend, tmp_path: Path) -> None:
        backend.execute(Statement("t", "create table half as select 1 as x"))
        backend.close()
        (tmp_path / "warehouse" / "half" / "_SUCCESS").unlink()
        again = open_backend(self.url, tmp_path, read_only=False)
        try:
            half = again.relation("half")
            assert not again.exists(half)
            assert ("table", half) in again.relations("default"), "a janitor finds it"
            again.drop_table(half)
            again.execute(Statement("t", "create table half as select 2 as x"))
            assert self.one(again, "select x from half") == 2
        finally:
            again.close()

    def test_it_cannot_hold_the_register(self, backend: Backend) -> None:
        with pytest.raises(JobError, match="the register cannot live on this engine"):
            Register(backend)

    def test_nobody_keeps_every_plan_for_a_user_interface_that_is_off(self, backend: Backend, tmp_path: Path) -> None:
        open_backend(self.url, tmp_path, read_only=True).close()
        listening = backend.session.sparkContext._jsc.sc().listenerBus().listeners()  # type: ignore[attr-defined]
        names = {listener.getClass().getSimpleName() for listener in listening}
        assert "AppStatusListener" in names, "Spark tells of its listeners"
        assert "SQLAppStatusListener" not in names


@pytest.mark.parametrize("url", ["spark://local[two]", "spark://host", "spark://local[2]?memory=4g"])
def test_a_spark_url_that_cannot_be_meant_is_refused(tmp_path: Path, url: str) -> None:
    with pytest.raises(JobError, match=r"Spark URL"):
        parse_spark_url(url, tmp_path)


def test_a_spark_url_names_master_warehouse_and_settings(tmp_path: Path) -> None:
    url = parse_spark_url("spark://local[2]?warehouse=lake&spark.executor.memory=4g", tmp_path)
    assert (url.master, url.warehouse) == ("local[2]", str(tmp_path / "lake"))
    assert url.settings == (("spark.executor.memory", "4g"),)
    cluster = parse_spark_url("spark://one:7077,two:7077?warehouse=hdfs://name/lake/", tmp_path)
    assert (cluster.master, cluster.warehouse) == ("spark://one:7077,two:7077", "hdfs://name/lake")
    assert parse_spark_url("sc://host:15002/;token=x", tmp_path).remote == "sc://host:15002/;token=x"


def test_an_unknown_engine_is_named(tmp_path: Path) -> None:
    with pytest.raises(JobError, match="no engine for URLs of the form oracle:"):
        open_backend("oracle://x", tmp_path, read_only=True)
