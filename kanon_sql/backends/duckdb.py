"""DuckDB, the embedded engine, through its own driver.

The user's database file is attached, read-only unless a release is to be written; work tables live in a second, in-memory
database attached under the work schema's name, so they never touch the file and are gone with the process.
"""

from __future__ import annotations

import contextlib
import re
import shutil
import tempfile
import threading
import time
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from kanon_sql.backends.base import Backend
from kanon_sql.backends.capabilities import Capabilities
from kanon_sql.backends.columns import ColumnInfo
from kanon_sql.backends.connect import Opening, duckdb_path, spill_directory
from kanon_sql.backends.duckdb_catalog import DuckDBCatalog
from kanon_sql.backends.duckdb_driver import duckdb
from kanon_sql.backends.duckdb_files import copy_to, file_relation
from kanon_sql.backends.rows import Row, named_rows
from kanon_sql.errors import ConnectionFailed, JobError, StatementFailed, StatementTimedOut
from kanon_sql.model.names import split_name
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.dialects.duckdb import DuckDBDialect
from kanon_sql.sql.statement import Statement

TAKEN_NAMES = ("memory", "temp", "system", "main", "kanon", "release")
"""A file named like one of these is attached under another name: DuckDB's own catalogs, and schemas a run makes by default."""
OTHER_NAME = "kanon_source"
SMALL = 200_000
PLANNED_PLAINLY = {
    "checks/frequency_sets",
    "checks/measured_nodes",
    "checks/narrowed_base",
    "checks/node_risk",
    "checks/small_classes",
    "checks/suppressed_loss",
    "cluster/cutting/close_sides",
    "cluster/cutting/cut_counts",
    "cluster/cutting/cuts",
    "cluster/cutting/side_sizes",
    "cluster/cutting/sides",
    "cluster/cutting/still_open",
    "cluster/growing/delete_joined",
    "cluster/growing/nearest",
    "cluster/growing/seeds",
    "cluster/moving/candidates",
    "cluster/moving/chosen_moves",
    "cluster/moving/moved_rows",
    "cluster/moving/sort_runs",
    "cluster/moving/sweep_counts",
    "cluster/moving/touched_groups",
    "evaluate/class_labels",
    "evaluate/largest_class",
    "ledger/classes",
    "ledger/night_figures",
    "ledger/outcomes",
    "levels/base",
    "levels/codes",
    "levels/dictionary",
    "metrics/broken_rules",
    "metrics/cell_sums",
    "metrics/cells",
    "metrics/node_measures",
    "metrics/rule_rows",
    "release/violating",
}
"""Aggregations of a base or of its classes, and joins with its dictionaries, in an order that is right as written: on a small table, looking
for a better plan takes longer than running the first one."""
PLANNED_EITHER_WAY = (
    "checks/count_rows",
    "ledger/known_nights",
    "ledger/tops",
    "levels/lookup",
    "meta/",
    "register/",
    "work/",
)
"""Nothing to plan: the planner is left as it is."""
REWRITES = {"filter_pushdown", "unused_columns", "statistics_propagation", "column_lifetime"}
"""What the planner still does to them."""
NAMES_ONLY = (duckdb.CatalogException, duckdb.BinderException, duckdb.ParserException, duckdb.IOException)
"""Errors whose text speaks of names and files, not of data values."""
SNIFFED = {"delim", "sep", "quote", "escape", "header", "skip"}
"""The options of a CSV file that are among what its sniffing finds; with any other, every use sniffs for itself."""
LEAST_MEMORY, MOST_MEMORY = 1024, 4096
"""Mebibytes that a run may take where the job says nothing (`source.memory_limit`)."""
READERS_SECONDS = 30.0
"""How long a writer waits for the readers of an embedded database to close it."""


def opened(url: str, how: Opening) -> Backend:
    return DuckDBBackend(
        duckdb_path(url, how.base),
        read_only=how.read_only,
        work_schema=how.work_schema,
        memory_limit=how.memory_limit,
        statement_timeout=how.statement_timeout,
    )


class DuckDBBackend(DuckDBCatalog):
    """One DuckDB connection; `path` None is an in-memory database."""

    dialect = DuckDBDialect()
    capabilities = Capabilities(
        reads_files=True, embedded=True, stages_in_place=True, stages_counts=True, nodes_per_statement=10
    )

    def __init__(
        self,
        path: Path | None,
        *,
        read_only: bool = False,
        work_schema: str = "kanon_work",
        memory_limit: str | None = None,
        threads: int | None = None,
        statement_timeout: float | None = None,
    ) -> None:
        super().__init__()
        self.statement_timeout = statement_timeout
        self._timed_out = False
        self.work_schema = work_schema
        self.path = path
        config: dict[str, str | bool | int | float | list[str]] = {"preserve_insertion_order": "false"}
        # What does not fit into memory holds data. A writer's goes beside the database, where a janitor finds it; a reader may not be able
        # to write there: its goes into a directory that nobody else reads.
        self._spill: Path | None = None
        if path is None or read_only:
            self._spill = Path(tempfile.mkdtemp(prefix="kanon-spill-"))
        config["temp_directory"] = str(self._spill or spill_directory(path or Path()))
        if memory_limit is not None:
            config["memory_limit"] = memory_limit
        if threads is not None:
            config["threads"] = threads
        self.threads = self.using = threads
        self._plainly = False
        self.connection = duckdb.connect(config=config)
        # DuckDB draws a bar into standard output, into the middle of our JSON, where a statement takes two seconds.
        self._plain("set enable_progress_bar = false")
        if memory_limit is None:
            self._bound_memory()
        self.catalog = "memory"
        if path is not None:
            self._attach(path, read_only)
        self._plain(f"attach ':memory:' as {self.dialect.identifier(work_schema)}")
        self._plain(f"use {self.dialect.identifier(self.catalog)}")

    def _bound_memory(self) -> None:
        """Take a quarter of the memory of the machine (or of the container), at most MOST_MEMORY, where the job says nothing.

        By itself DuckDB takes four fifths, and fills them: it keeps what it has read, and sorts in memory what it could spill.
        """
        whole = _mebibytes(str(self.connection.execute("select current_setting('memory_limit')").fetchall()[0][0]))
        if whole is not None:
            bound = min(whole, max(LEAST_MEMORY, min(MOST_MEMORY, int(whole / 0.8 / 4))))
            self._plain(f"set memory_limit = '{bound}MiB'")

    def _attach(self, path: Path, read_only: bool) -> None:
        if read_only and not path.exists():
            raise ConnectionFailed(
                f"there is no database file {path}", "check source.url; the path is relative to the job file"
            )
        taken = path.stem.lower() in (*TAKEN_NAMES, self.work_schema.lower())
        self.catalog = OTHER_NAME if taken else path.stem
        option = " (read_only)" if read_only else ""
        try:
            self._attach_as(self.catalog, path, option)
            if self.catalog != OTHER_NAME and self._has_schema(self.catalog):
                # A schema named like its catalog is ambiguous in every name of two parts, those inside views too.
                self._plain(f"detach {self.dialect.identifier(self.catalog)}")
                self.catalog = OTHER_NAME
                self._attach_as(self.catalog, path, option)
        except duckdb.Error as error:
            text = str(error).splitlines()[0]
            hint = (
                "another process has it open for writing: wait for it or close it"
                if "lock" in text.lower()
                else "check source.url and the file's permissions"
            )
            raise ConnectionFailed(f"cannot open the database {path}: {text}", hint) from error

    def _attach_as(self, name: str, path: Path, option: str) -> None:
        """Readers of the file in other processes keep a writer out: it waits for a moment without any."""
        deadline = time.monotonic() + (0.0 if option else READERS_SECONDS)
        while True:
            try:
                return self._plain(
                    f"attach {self.dialect.text_literal(str(path))} as {self.dialect.identifier(name)}{option}"
                )
            except duckdb.IOException as error:
                if "set lock" not in str(error) or time.monotonic() >= deadline:
                    raise
            time.sleep(0.01)

    def _has_schema(self, name: str) -> bool:
        lit = self.dialect.text_literal(name)
        sql = f"select 1 from duckdb_schemas() where database_name = {lit} and lower(schema_name) = lower({lit})"
        return self.connection.execute(sql).fetchone() is not None

    def _plain(self, sql: str) -> None:
        self.connection.execute(sql)

    def _run(self, statement: Statement, fetch: bool) -> list[Row]:
        self._timed_out = False
        timer = threading.Timer(self.statement_timeout, self._time_out) if self.statement_timeout else None
        if timer is not None:
            timer.daemon = True
            timer.start()
        try:
            self._plan_for(statement)
            result = self.connection.execute(statement.sql)
            if fetch:
                return named_rows([column[0] for column in result.description or ()], result.fetchall())
            self._answers.clear()
            counted = result.fetchone() if result.description else None
            self.written = counted[0] if counted and isinstance(counted[0], int) else None
            return []
        finally:
            if timer is not None:
                timer.cancel()

    def _plan_for(self, statement: Statement) -> None:
        """Spare the planner what does not pay; it never changes a result."""
        plainly = statement.label in PLANNED_PLAINLY and self.using == 1 and self.threads is None
        if plainly == self._plainly or statement.label.startswith(PLANNED_EITHER_WAY):
            return
        spared = ",".join(name for name in self._optimizers if name not in REWRITES) if plainly else ""
        self._plain(f"set disabled_optimizers = '{spared}'")
        self._plainly = plainly

    @cached_property
    def _optimizers(self) -> list[str]:
        return [str(row[0]) for row in self.connection.execute("select name from duckdb_optimizers()").fetchall()]

    def _time_out(self) -> None:
        self._timed_out = True
        self.connection.interrupt()

    def _translated(self, error: Exception, statement: Statement) -> Exception:
        if isinstance(error, duckdb.InterruptException) and self._timed_out:
            return StatementTimedOut(
                f"DuckDB was stopped in step {statement.label} after {self.statement_timeout:g} s",
                "raise source.statement_timeout, or ask for less",
            )
        if isinstance(error, duckdb.InterruptException):
            return KeyboardInterrupt()  # type: ignore[return-value]
        if not isinstance(error, duckdb.Error):
            return error
        text = str(error).splitlines()[0] if isinstance(error, NAMES_ONLY) else type(error).__name__
        if isinstance(error, duckdb.OutOfMemoryException):
            return StatementFailed(
                f"DuckDB ran out of memory or disk in step {statement.label}",
                "set source.memory_limit or free space in the temporary directory",
            )
        if "read-only" in text:
            return ConnectionFailed(f"step {statement.label} must write, but the database is open read-only")
        return StatementFailed(
            f"DuckDB refused step {statement.label}: {text}", "run again with --debug for the statement"
        )

    def _begin(self) -> None:
        self._plain("begin transaction")

    def _commit(self) -> None:
        self._plain("commit")

    def _rollback(self) -> None:
        with contextlib.suppress(duckdb.Error):  # the failed statement may have ended the transaction already
            self._answers.clear()
            self._plain("rollback")

    def relation(self, name: str) -> Relation:
        parts = split_name(name)
        if len(parts) == 1:
            return Relation((self.catalog, "main", parts[0]))
        if len(parts) == 2:
            return Relation((self.catalog, *parts))
        if len(parts) == 3:
            return Relation(parts)
        raise JobError(
            f"the table name {name!r} has too many parts", "write table, schema.table or catalog.schema.table"
        )

    def create_schema(self, schema: str) -> None:
        if schema == self.work_schema:
            return  # the attached in-memory database
        name = self.dialect.relation(Relation((self.catalog, schema)))
        self.execute(Statement("meta/create_schema", f"create schema if not exists {name}"))

    def selectable(self, path: str | Path, options: dict[str, object]) -> str:
        """A file as something to select from. What a CSV's sniffing found is written out, so that it happens once."""
        if isinstance(path, str):
            raise JobError("source.file: the embedded engine reads files of this machine", "write a path, not a URI")
        plain = file_relation(path, options, self.dialect)
        if not plain.startswith("read_csv") or not options.keys() <= SNIFFED:
            return plain
        sniffed = f"select prompt, columns from sniff_{plain.removeprefix('read_')}"
        prompt, columns = self.fetch_one(Statement("meta/sniff", sniffed))
        # The prompt quotes nothing: with a quote in the path, an option or in a column's name, let every use sniff for itself.
        quoted = (str(path), *(str(column["name"]) for column in columns), *map(str, options.values()))
        if any("'" in text or "\\" in text for text in quoted) or "'''" in str(prompt):
            return plain
        return str(prompt).removeprefix("FROM ").rstrip(";")

    def export(self, statement: Statement, file: Path, format: str, columns: Sequence[ColumnInfo]) -> None:
        self.execute(Statement(statement.label, copy_to(statement.sql, file, format)))

    def drop_work(self, relations: list[tuple[str, Relation]]) -> None:
        drops = [f"drop {kind} if exists {self.dialect.relation(relation)}" for kind, relation in reversed(relations)]
        if drops:
            self.execute(Statement("work/drop", ";\n".join(drops)))

    def scale_to(self, rows: int) -> None:
        # Below this, handing work between threads costs more than it saves (measured on the Adult census).
        wanted = 1 if rows < SMALL and not self.threads else self.threads
        if wanted != self.using:
            self._plain("reset threads" if wanted is None else f"set threads = {wanted}")
            self.using = wanted

    def cancel(self) -> None:
        self.connection.interrupt()

    def version(self) -> str:
        return f"DuckDB {duckdb.__version__}"

    def close(self) -> None:
        self.connection.close()
        if self._spill is not None:
            shutil.rmtree(self._spill, ignore_errors=True)


def _mebibytes(text: str) -> int | None:
    """As DuckDB writes a size: 18.8 GiB."""
    found = re.fullmatch(r"([\d.]+) ?([KMGT]iB)", text)
    return None if found is None else int(float(found[1]) * 1024 ** ("KMGT".index(found[2][0]) - 1))
