"""PostgreSQL through SQLAlchemy and psycopg 3."""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import psycopg
import sqlalchemy
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError
from sqlalchemy.pool import NullPool

from kanon_sql.backends.base import Backend, LockHolder, Snapshot
from kanon_sql.backends.capabilities import Capabilities
from kanon_sql.backends.columns import ColumnInfo
from kanon_sql.backends.connect import Opening
from kanon_sql.backends.postgres_catalog import PostgresCatalog
from kanon_sql.backends.postgres_errors import connect_error, statement_error
from kanon_sql.backends.postgres_parquet import write_parquet
from kanon_sql.backends.rows import Row, named_rows
from kanon_sql.backends.stopping import stops
from kanon_sql.errors import ConnectionFailed, JobError
from kanon_sql.model.names import split_name
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.dialects.duckdb import DuckDBDialect
from kanon_sql.sql.dialects.postgres import PostgresDialect
from kanon_sql.sql.relations import KEPT_RUNS
from kanon_sql.sql.statement import Statement

NEWER = PostgresDialect(casts_bytes=True)
"""From version 18 on."""
BLOCK = 1 << 18
"""Bytes of a COPY at a time."""
PLANNING = {
    "work_mem": "64MB",
    "parallel_tuple_cost": "0.01",
    "parallel_setup_cost": "100",
    "default_statistics_target": "20",
}
"""What statements over whole tables want, unless the server, the database, the role or the connection says otherwise: memory to count and
sort in; workers although many rows come back, for a planner takes digests and hashes for cheap, and for tables that are read in
milliseconds; statistics of work tables from a fifth of the usual sample."""


def opened(url: str, how: Opening) -> Backend:
    return PostgresBackend(
        url,
        work_schema=how.work_schema,
        statement_timeout=how.statement_timeout,
        application_name=f"kanon_sql {how.run}".strip(),
        read_only=how.read_only,
    )


class PostgresBackend(PostgresCatalog):
    """One PostgreSQL connection in autocommit; transactions are explicit."""

    dialect = PostgresDialect()
    capabilities = Capabilities(
        grants=True, persistent_work=True, stages_counts=True, meets_rows_by_number=True, nodes_per_statement=25
    )

    def __init__(
        self,
        url: str,
        *,
        work_schema: str = "kanon_work",
        statement_timeout: float | None = None,
        application_name: str = "kanon_sql",
        read_only: bool = False,
    ) -> None:
        super().__init__()
        self.work_schema = work_schema
        try:
            parsed = sqlalchemy.make_url(url)
        except ArgumentError as error:
            raise JobError(
                "source.url is not a database URL", "write postgresql+psycopg://user@host/database"
            ) from error
        if parsed.drivername != "postgresql+psycopg":  # postgres://, postgresql+psycopg2://: what people have at hand
            parsed = parsed.set(drivername="postgresql+psycopg")
        self.shown_url = parsed.render_as_string(hide_password=True)
        arguments = {} if "application_name" in parsed.query else {"application_name": application_name}
        self.engine = sqlalchemy.create_engine(
            parsed, poolclass=NullPool, isolation_level="AUTOCOMMIT", connect_args=arguments
        )
        try:
            self.connection = self.engine.connect()
        except (DBAPIError, OSError) as error:
            raise connect_error(error, self.shown_url) from error
        if (self.engine.dialect.server_version_info or ()) >= (18,):
            self.dialect = NEWER
        self.statement_timeout = statement_timeout
        self._settings(statement_timeout)

    def _settings(self, statement_timeout: float | None) -> None:
        # A deterministic session: text of dates, floats and time zones must not depend on the server's settings.
        self._plain("set datestyle = 'ISO, YMD'")
        self._plain("set timezone = 'UTC'")
        self._plain("set extra_float_digits = 1")
        self._plain("set intervalstyle = 'postgres'")
        self._plain("set bytea_output = 'hex'")
        self._plain("set client_min_messages = warning")
        self._plain("set standard_conforming_strings = on")
        for name in PLANNING:
            self._ask_for(name)
        # A server must notice that a client was killed or cut off, and let its locks go, while a statement still runs.
        for setting in (
            "client_connection_check_interval = '2s'",
            "tcp_keepalives_idle = 60",
            "tcp_keepalives_count = 5",
            # A search on the embedded engine leaves a run's snapshot idle for as long as it takes.
            "idle_in_transaction_session_timeout = 0",
            "transaction_timeout = 0",
        ):
            with contextlib.suppress(DBAPIError):  # older servers and some platforms do not have it
                self._plain(f"set {setting}")
        if statement_timeout is not None:
            self._plain(f"set statement_timeout = {int(statement_timeout * 1000)}")

    def _ask_for(self, name: str) -> None:
        self._plain(
            f"select set_config('{name}', '{PLANNING[name]}', false) from pg_settings where name = '{name}' and source = 'default'"
        )

    def _plain(self, sql: str) -> None:
        self.connection.exec_driver_sql(sql, execution_options={"no_parameters": True})

    def _run(self, statement: Statement, fetch: bool) -> list[Row]:
        try:
            return self._sent(statement, fetch)
        except Exception:
            raise
        except BaseException:
            self._reconnect()  # an interrupt within the driver costs the connection: what was made is dropped on another
            raise

    def _reconnect(self) -> None:
        if not self.connection.invalidated:
            return
        with stops.shielded(), contextlib.suppress(SQLAlchemyError, OSError):
            self.connection.close()
            self.connection = self.engine.connect()
            self._settings(self.statement_timeout)

    def _sent(self, statement: Statement, fetch: bool) -> list[Row]:
        result = self.connection.exec_driver_sql(statement.sql, execution_options={"no_parameters": True})
        if fetch:
            return named_rows(list(result.keys()), result.fetchall())
        self.written = result.rowcount if result.rowcount >= 0 else None
        return []

    def _translated(self, error: Exception, statement: Statement) -> Exception:
        return statement_error(error, statement.label, self.shown_url)

    def _begin(self) -> None:
        self._plain("begin")

    def _commit(self) -> None:
        self._plain("commit")

    def _rollback(self) -> None:
        with contextlib.suppress(SQLAlchemyError):  # the connection may be gone, and the transaction with it
            self._plain("rollback")

    @contextlib.contextmanager
    def _part(self) -> Iterator[None]:
        self._plain("savepoint kanon_part")
        try:
            yield
        except BaseException:
            with contextlib.suppress(SQLAlchemyError):
                self._plain("rollback to savepoint kanon_part")
            raise
        self._plain("release savepoint kanon_part")

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[Snapshot]:
        """One transaction that reads what was committed when it began; it blocks nobody who reads or writes rows."""

        def end() -> None:
            self._within = False
            self._ended(self._commit, "commit")

        self._ended(lambda: self._plain("begin isolation level repeatable read"), "begin")
        self._within = True
        snapshot = Snapshot(end)
        try:
            yield snapshot
        except BaseException:
            if snapshot.open:
                self._within = False
                with stops.shielded():
                    self._rollback()
            raise
        snapshot.end()

    def pins(self, relation: Relation) -> bool:
        return True

    def relation(self, name: str) -> Relation:
        parts = split_name(name)
        if len(parts) == 1:
            return Relation(("public", parts[0]))
        if len(parts) == 2:
            return Relation(parts)
        raise JobError(f"the table name {name!r} has too many parts", "write table or schema.table")

    def rename_table(self, table: Relation, to: Relation) -> None:
        if table.schema != to.schema:
            moved = f"alter table {self.dialect.relation(table)} set schema {self.dialect.identifier(str(to.schema))}"
            self.execute(Statement("release/move", moved))
        super().rename_table(Relation((str(to.schema), table.name)), to)

    def close_to_others(self, table: Relation) -> None:
        lit = self.dialect.text_literal
        name = self.dialect.relation(table)
        sql = (
            "select distinct case when a.grantee = 0 then 'public' else quote_ident(r.rolname) end "
            "from pg_class c cross join aclexplode(c.relacl) a left join pg_roles r on r.oid = a.grantee "
            f"where c.oid = {lit(name)}::regclass and a.grantee <> c.relowner"
        )
        for (role,) in self.fetch(Statement("release/grantees", sql)):
            self.execute(Statement("release/revoke", f"revoke all on {name} from {role}"))

    @property
    def _list(self) -> Relation:
        return Relation((self.work_schema, KEPT_RUNS))

    def enlist(self, run: str) -> None:
        self.create_schema(self.work_schema)
        name = self.dialect.relation(self._list)
        if not self.exists(self._list):
            made = f"create table if not exists {name} (run text primary key, since timestamptz not null default now())"
            self.execute(Statement("work/list", made))
            self.close_to_others(self._list)
        lit = self.dialect.text_literal(run)
        self.execute(Statement("work/enlist", f"insert into {name} (run) values ({lit}) on conflict (run) do nothing"))

    def enlisted(self) -> set[str]:
        if not self.exists(self._list):
            return set()
        found = self.fetch(Statement("work/enlisted", f"select run from {self.dialect.relation(self._list)}"))
        return {str(run) for (run,) in found}

    def delist(self, run: str) -> None:
        name, lit = self.dialect.relation(self._list), self.dialect.text_literal(run)
        self.execute(Statement("work/delist", f"delete from {name} where run = {lit}"))

    def claim(self, name: str) -> bool:
        sql = f"select pg_try_advisory_lock({_claim_key(name)})"
        return bool(self.fetch_one(Statement("meta/claim", sql))[0])

    def disclaim(self, name: str) -> None:
        self.fetch(Statement("meta/disclaim", f"select pg_advisory_unlock({_claim_key(name)})"))

    def lock_holder(self, name: str) -> LockHolder | None:
        key = _claim_key(name) & 0xFFFFFFFFFFFFFFFF
        sql = f"""
select
    a.usename,
    a.application_name,
    host(a.client_addr),
    a.backend_start at time zone 'UTC'
from pg_locks l
left join pg_stat_activity a on a.pid = l.pid
where l.locktype = 'advisory'
    and l.granted
    and l.database = (select oid from pg_database where datname = current_database())
    and l.classid::bigint = {key >> 32}
    and l.objid::bigint = {key & 0xFFFFFFFF}
    and l.objsubid = 1"""
        found = self.fetch(Statement("meta/lock_holder", sql.strip()))
        if not found:
            return None
        user, application, address, since = found[0]
        return LockHolder(user or "", application or "", address or "", since)

    def set_lock_timeout(self, seconds: float) -> None:
        self.execute(Statement("meta/lock_timeout", f"set local lock_timeout = {int(seconds * 1000)}"))

    def create_schema(self, schema: str) -> None:
        # CREATE SCHEMA IF NOT EXISTS wants the right to create one even when it is there.
        lit = self.dialect.text_literal(schema)
        known = self.fetch_one(
            Statement("meta/schema_exists", f"select count(*) from pg_namespace where nspname = {lit}")
        )
        if not known[0]:
            self.execute(
                Statement("meta/create_schema", f"create schema if not exists {self.dialect.identifier(schema)}")
            )

    def export_counts(self, statement: Statement, file: Path, columns: Sequence[str]) -> str:
        self._copied(statement, file, "format csv")
        duckdb = DuckDBDialect()
        # Codes and counts are whole numbers; the values of numerics are doubles, as every measure takes them.
        types = ", ".join(
            f"{duckdb.text_literal(name)}: {duckdb.text_literal('DOUBLE' if name == 'value' or name.startswith('gp') else 'BIGINT')}"
            for name in columns
        )
        return f"read_csv({duckdb.text_literal(str(file))}, header = false, delim = ',', quote = '', columns = {{{types}}})"

    def _copied(self, statement: Statement, file: Path, options: str) -> None:
        """What a statement returns, written to a file by COPY."""

        def write() -> int:
            driver = self.connection.connection.driver_connection
            assert driver is not None
            with file.open("wb") as target, driver.cursor() as cursor:
                with cursor.copy(f"copy ({statement.sql}) to stdout ({options})") as copy:
                    for block in copy:
                        target.write(block)
                return int(cursor.rowcount)

        self._traced_copy(statement, write)

    def _traced_copy(self, statement: Statement, copy: Callable[[], int]) -> None:
        try:
            self._traced_export(statement, copy)
        except psycopg.Error as error:
            raise ConnectionFailed(
                f"the connection to {self.shown_url} was lost in step {statement.label}",
                "check the server and run again",
            ) from error

    def receive(self, create: Statement, table: Relation, columns: Sequence[str], file: Path) -> None:
        self.execute(create)
        statement = Statement(
            "embedded/receive_groups",
            f"copy {self.dialect.relation(table)} ({', '.join(columns)}) from stdin (format csv)",
        )

        def read() -> int:
            driver = self.connection.connection.driver_connection
            assert driver is not None
            with file.open("rb") as source, driver.cursor() as cursor:
                with cursor.copy(statement.sql) as copy:
                    while block := source.read(BLOCK):
                        copy.write(block)
                return int(cursor.rowcount)

        self._traced_copy(statement, read)

    def drop_work(self, relations: list[tuple[str, Relation]]) -> None:
        for kind, several in itertools.groupby(reversed(relations), key=lambda entry: entry[0]):
            names = ", ".join(self.dialect.relation(relation) for _, relation in several)
            self.execute(Statement("work/drop", f"drop {kind} if exists {names}"))

    def export(self, statement: Statement, file: Path, format: str, columns: Sequence[ColumnInfo]) -> None:
        if format == "csv":
            self._copied(statement, file, "format csv, header")
            return
        with tempfile.TemporaryDirectory(prefix="kanon-export-") as folder:
            copied = Path(folder) / "release.csv"
            self._copied(statement, copied, "format csv, header")
            write_parquet(copied, file, columns)

    def analyze(self, relation: Relation, *, often: bool = True, published: bool = False) -> None:
        if published:
            self._plain("reset default_statistics_target")
        self.execute(Statement("work/analyze", f"analyze {self.dialect.relation(relation)}"))
        if published:
            self._ask_for("default_statistics_target")

    def cancel(self) -> None:
        driver = self.connection.connection.driver_connection
        if driver is not None:
            driver.cancel_safe(timeout=10)

    def version(self) -> str:
        return f"PostgreSQL {self.fetch_one(Statement('meta/version', 'show server_version'))[0]}"

    def close(self) -> None:
        self.connection.close()
        self.engine.dispose()


def _claim_key(name: str) -> int:
    """A claim's advisory lock: 64 bits of a digest, so that two names share one practically never."""
    return int.from_bytes(hashlib.sha256(f"kanon_sql {name}".encode()).digest()[:8], "big", signed=True)
