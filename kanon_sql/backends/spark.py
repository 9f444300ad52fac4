"""Apache Spark: a cluster, one machine, or a Spark Connect server, through PySpark.

Work tables are Parquet tables in the work schema: a temporary view would run its whole plan again for every check. The tables
that every check reads are cached as well. There are no transactions and no UPDATE; a release becomes visible by one switch,
of the catalog's view, or, where the catalog is in memory and forgets, of the warehouse's pointer (see spark_warehouse).
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from kanon_sql.backends.base import Backend
from kanon_sql.backends.capabilities import Capabilities
from kanon_sql.backends.columns import ColumnInfo
from kanon_sql.backends.connect import Opening
from kanon_sql.backends.rows import Row, named_rows
from kanon_sql.backends.spark_catalog import SparkCatalog
from kanon_sql.backends.spark_session import connect_session, local_session
from kanon_sql.backends.spark_url import parse_spark_url
from kanon_sql.backends.spark_warehouse import DEFAULT_SCHEMA, Warehouse
from kanon_sql.backends.stopping import stops
from kanon_sql.backends.trace import TraceEntry
from kanon_sql.errors import ColumnError, ConnectionFailed, JobError, StatementFailed, StatementTimedOut
from kanon_sql.model.names import split_name
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.dialects.duckdb import DuckDBDialect
from kanon_sql.sql.dialects.spark import SparkDialect
from kanon_sql.sql.statement import Statement

LOST = (
    "SparkContext was shut down",
    "stopped SparkContext",
    "All masters are unresponsive",
    "Master removed our application",
    "StatusCode.UNAVAILABLE",
    "RETRIES_EXCEEDED",
)
"""How Spark says that the cluster is gone."""
INTERRUPT_SECONDS = 0.3
AT_A_TIME = 4
"""How many small statements that do not depend on each other run side by side."""


def opened(url: str, how: Opening) -> Backend:
    return SparkBackend(url, how.base, work_schema=how.work_schema, statement_timeout=how.statement_timeout)


class SparkBackend(SparkCatalog):
    """One Spark session."""

    dialect = SparkDialect()
    capabilities = Capabilities(
        transactional_ddl=False,
        persistent_work=False,
        reads_files=True,
        update=False,
        holds_register=False,
        embedded=False,
        starts_jobs=True,
        meets_rows_by_number=True,
        nodes_per_statement=10,
    )

    def __init__(
        self, url: str, base: Path, *, work_schema: str = "kanon_work", statement_timeout: float | None = None
    ) -> None:
        super().__init__()
        self.work_schema = work_schema
        self.url = parse_spark_url(url, base)
        self.statement_timeout = statement_timeout
        self.session = connect_session(self.url) if self.url.remote else local_session(self.url)
        self.stopped_by: str | None = None
        self.ended = threading.Event()
        self.ended.set()
        self.warehouse: Warehouse | None = None
        if self.url.remote is None and self.session.conf.get("spark.sql.catalogImplementation") == "in-memory":
            self.warehouse = self._open_warehouse()

    def _open_warehouse(self) -> Warehouse:
        context = self.session.sparkContext
        configuration = context._jsc.hadoopConfiguration()
        try:
            warehouse = Warehouse(context._jvm, context._gateway, configuration, self.url.warehouse)
            warehouse.remove_stale(self.work_schema)
            self._read(warehouse)
        except Exception as error:
            raise ConnectionFailed(
                f"cannot read the warehouse {self.url.warehouse}", "check ?warehouse= in source.url and its permissions"
            ) from error
        return warehouse

    def _read(self, warehouse: Warehouse) -> None:
        """Put what lies in the warehouse into the catalog. A folder that is no table of ours is passed over: it may be anybody's."""
        for schema in warehouse.schemas():
            with contextlib.suppress(Exception):
                self._plain(f"create schema if not exists {self.dialect.identifier(schema)}")
        for table, path in warehouse.tables(skipped=self.work_schema):
            with contextlib.suppress(
                Exception
            ):  # not Parquet, or not readable: a job that names it is told that it is not there
                name, location = self.dialect.relation(table), self.dialect.text_literal(path)
                self._plain(f"create table if not exists {name} using parquet location {location}")
        for view, table in warehouse.views():
            with contextlib.suppress(Exception):
                if self.exists(table):
                    name, target = self.dialect.relation(view), self.dialect.relation(table)
                    self._plain(f"create or replace view {name} as select * from {target}")

    def refresh(self) -> None:
        if self.warehouse is not None:
            self._read(self.warehouse)

    def _plain(self, sql: str) -> None:
        self.session.sql(sql)

    def _run(self, statement: Statement, fetch: bool) -> list[Row]:
        with self._interruptible():
            result = self.session.sql(statement.sql)
            return named_rows(result.columns, result.collect()) if fetch else []

    def execute_all(self, statements: Sequence[Statement]) -> None:
        # Most of the time of a small statement is spent outside the executors: planning, committing files.
        if len(statements) < 2:
            return super().execute_all(statements)
        if self.trace.before is not None:
            for statement in statements:
                self.trace.before(statement)
        failed = statements[0]
        try:
            with (
                stops.statement(self.cancel, failed.label),
                self._interruptible(),
                ThreadPoolExecutor(min(len(statements), AT_A_TIME)) as pool,
            ):
                for statement, (seconds, error) in zip(statements, pool.map(self._sent, statements), strict=True):
                    self.trace.add(TraceEntry(statement.label, statement.shown or statement.sql, seconds))
                    if error is not None:
                        failed = statement
                        raise error
        except Exception as error:
            raise self._explained(error, failed) from error

    def _sent(self, statement: Statement) -> tuple[float, Exception | None]:
        """A statement of several at a time: its seconds, and what went wrong."""
        started, failed = time.perf_counter(), None
        try:
            self.session.sql(statement.sql)
        except Exception as error:  # raised where the statement is told of
            failed = error
        return time.perf_counter() - started, failed

    @contextlib.contextmanager
    def _interruptible(self) -> Iterator[None]:
        """While a statement runs it can be stopped: by us, or by the time it may take."""
        self.stopped_by = None
        self.ended = threading.Event()
        if self.statement_timeout is not None:
            self._stop_after(self.statement_timeout, "timeout")
        try:
            yield
        finally:
            self.ended.set()

    def _translated(self, error: Exception, statement: Statement) -> Exception:
        step, text = statement.label, str(error)
        if self.stopped_by == "timeout":
            return StatementTimedOut(
                f"Spark took longer than {self.statement_timeout:g} s in step {step}",
                "raise source.statement_timeout, or ask for less",
            )
        if self.stopped_by == "cancel":
            return KeyboardInterrupt()  # type: ignore[return-value]
        from py4j.protocol import Py4JError, Py4JNetworkError
        from pyspark.errors import AnalysisException, ParseException, PySparkException

        if isinstance(error, Py4JNetworkError) or any(sign in text for sign in LOST):
            return ConnectionFailed(f"the Spark cluster was lost in step {step}", "check the cluster and run again")
        if isinstance(error, PySparkException):
            # An analysis speaks of names; what happens while rows are read may quote them.
            named = isinstance(error, AnalysisException | ParseException)
            shown = text.strip().splitlines()[0] if named else error.getCondition() or type(error).__name__
        elif isinstance(error, Py4JError):
            shown = type(error).__name__
        else:
            return error
        return StatementFailed(f"Spark refused step {step}: {shown}", "run again with --debug for the statement")

    def _begin(self) -> None:
        return None  # there are no transactions: what must be all or nothing is one switch, done last

    def _commit(self) -> None:
        return None

    def _rollback(self) -> None:
        return None

    def relation(self, name: str) -> Relation:
        parts = split_name(name)
        if len(parts) == 1:
            return Relation((DEFAULT_SCHEMA, parts[0]))
        if len(parts) == 2:
            return Relation(parts)
        raise JobError(
            f"the table name {name!r} has too many parts",
            "write table or schema.table; another catalog is chosen by ?spark.sql.defaultCatalog= in source.url",
        )

    def take(self, name: str, holder: str) -> str | None:
        return self.warehouse.take(name, holder) if self.warehouse is not None else None

    def give(self, name: str) -> None:
        if self.warehouse is not None:
            self.warehouse.give(name)

    def drop_leftovers(self, run: str, mark: str, schema: str, known: Sequence[Relation]) -> list[str]:
        if self.warehouse is None:
            return []
        work = [Relation((self.work_schema, name)) for name in self.warehouse.named(self.work_schema, f"r{run}_")]
        names = {self.identity(relation) for relation in known}
        released = [
            relation
            for name in self.warehouse.named(schema, "")
            if self.identity(relation := Relation((schema, name))) not in names and self.mark_of(relation) == mark
        ]
        for relation in [*work, *released]:
            self.drop_table(relation)
        return [relation.name for relation in [*work, *released]]

    @contextlib.contextmanager
    def staging(self, table: Relation, work: Relation) -> Iterator[Relation]:
        # A catalog of its own moves no table between its schemas.
        place = work if self.warehouse is not None else Relation((*table.parts[:-1], work.name))
        with super().staging(table, place) as staged:
            yield staged

    def create_schema(self, schema: str) -> None:
        name = self.dialect.identifier(schema)
        self.execute(Statement("meta/create_schema", f"create schema if not exists {name}"))

    def drop_table(self, table: Relation) -> None:
        super().drop_table(table)
        if self.warehouse is not None:
            self.warehouse.remove(table)  # registered from its directory, or left half-written by a killed run

    def rename_table(self, table: Relation, to: Relation) -> None:
        # An unqualified new name would be one of the current schema, not of the table's.
        name, new = self.dialect.relation(table), self.dialect.relation(to)
        if self.warehouse is None or self.identity(table)[:-1] == self.identity(to)[:-1]:
            self.execute(Statement("release/rename", f"alter table {name} rename to {new}"))
            return
        self.warehouse.move(table, to)
        location = self.dialect.text_literal(self.warehouse.folder_of(to))
        self.execute(Statement("release/forget", f"drop table if exists {name}"))
        self.execute(Statement("release/rename", f"create table {new} using parquet location {location}"))

    def keep_view(self, view: Relation, table: Relation) -> None:
        if self.warehouse is not None:
            self.warehouse.point(view, table)

    def folder(self, table: Relation | None = None) -> Path | None:
        if self.warehouse is None or not self.url.local or "://" in self.url.warehouse:
            return None
        return Path(self.url.warehouse if table is None else self.warehouse.folder_of(table))

    def selectable(self, path: str | Path, options: dict[str, object]) -> str:
        if options:
            raise JobError("source.options are those of a CSV file; Spark reads Parquet", "remove them")
        if isinstance(path, Path) and path.is_file() and path.suffix != ".parquet":
            raise ColumnError(
                f"source.file {path.name!r} is not Parquet", "Spark reads Parquet files and directories of them"
            )
        return f"parquet.{self.dialect.identifier(str(path))}"

    def export_counts(self, statement: Statement, file: Path, columns: Sequence[str]) -> str:
        self._written(statement, file, "parquet", "the counts of a search travel", ", or search.embedded: never")
        return f"read_parquet({DuckDBDialect().text_literal(str(file))})"

    def export(self, statement: Statement, file: Path, format: str, columns: Sequence[ColumnInfo]) -> None:
        self._written(statement, file, format, "a release travels")

    def _written(self, statement: Statement, file: Path, format: str, what: str, otherwise: str = "") -> None:
        """Write what a statement returns to a file of this machine."""
        try:
            from pyarrow import csv, parquet
        except ImportError as error:
            raise JobError(
                f"{what} by pyarrow, which is not installed", f"pip install 'kanon-sql[spark]'{otherwise}"
            ) from error

        def write() -> int:
            with self._interruptible():
                table = self.session.sql(statement.sql).toArrow()
            if format == "csv":
                csv.write_csv(table, file)
            else:
                parquet.write_table(table, file)
            return int(table.num_rows)

        self._traced_export(statement, write)

    receives = "parquet"

    def receive(self, create: Statement, table: Relation, columns: Sequence[str], file: Path) -> None:
        from pyarrow import parquet

        numbers = parquet.read_table(file, columns=list(columns))
        passing = f"{table.name}_received"
        with self._interruptible():
            self.session.createDataFrame(numbers).createOrReplaceTempView(passing)
        try:
            opening = self.dialect.create_work_table(self.dialect.relation(table))
            named = ", ".join(f"cast({column} as bigint) as {column}" for column in columns)
            self.execute(
                Statement(
                    "embedded/receive_groups", f"{opening} as select {named} from {self.dialect.identifier(passing)}"
                )
            )
        finally:
            self.session.catalog.dropTempView(passing)

    def analyze(self, relation: Relation, *, often: bool = True, published: bool = False) -> None:
        """Keep what every check reads in the executors' memory, spilled to their disks where it does not fit."""
        if often:  # what one round reads is as quickly read from its files
            self.execute(Statement("work/cache", f"cache table {self.dialect.relation(relation)}"))

    def drop_work(self, relations: list[tuple[str, Relation]]) -> None:
        super().drop_work(relations)
        if self.warehouse is not None:
            for kind, relation in relations:
                if kind == "table":
                    self.warehouse.remove(relation)

    def cancel(self) -> None:
        self._stop_after(0, "cancel")

    def _stop_after(self, seconds: float, why: str) -> None:
        threading.Thread(target=self._stop, args=(seconds, why, self.ended), daemon=True).start()

    def _stop(self, seconds: float, why: str, ended: threading.Event) -> None:
        """Interrupt until the statement ends: one that is still being planned has no job to stop yet."""
        while not ended.wait(seconds):
            self.stopped_by = self.stopped_by or why
            with contextlib.suppress(Exception):
                self.session.interruptAll()  # of this session, which is ours alone
            seconds = INTERRUPT_SECONDS

    def version(self) -> str:
        return f"Spark {self.session.version}"

    def close(self) -> None:
        with contextlib.suppress(Exception):  # a cluster that is gone has nothing left to close
            if self.url.remote is not None:
                self.session.stop()
            else:
                self.session.catalog.clearCache()
