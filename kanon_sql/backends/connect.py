"""From a URL to an open engine."""

from __future__ import annotations

from pathlib import Path

from kanon_sql.backends.base import Backend
from kanon_sql.config.schema import Job
from kanon_sql.errors import JobError

SCHEMES = "duckdb:///file.duckdb, postgresql+psycopg://user@host/database, spark://local[2], spark://host:7077, sc://host:15002"


def open_backend(
    url: str,
    base: Path,
    *,
    read_only: bool,
    work_schema: str = "kanon_work",
    statement_timeout: float | None = None,
    memory_limit: str | None = None,
    run: str = "",
) -> Backend:
    """Open the engine a URL names; a relative DuckDB path is relative to `base` (the job file's folder)."""
    scheme = url.split(":", 1)[0].lower()
    if scheme == "duckdb":
        from kanon_sql.backends.duckdb import DuckDBBackend

        return DuckDBBackend(
            duckdb_path(url, base),
            read_only=read_only,
            work_schema=work_schema,
            memory_limit=memory_limit,
            statement_timeout=statement_timeout,
        )
    if scheme.startswith("postgres"):
        from kanon_sql.backends.postgres import PostgresBackend

        return PostgresBackend(
            url,
            work_schema=work_schema,
            statement_timeout=statement_timeout,
            application_name=f"kanon_sql {run}".strip(),
            read_only=read_only,
        )
    if scheme in ("spark", "sc"):
        from kanon_sql.backends.spark import SparkBackend

        return SparkBackend(url, base, work_schema=work_schema, statement_timeout=statement_timeout)
    raise JobError(f"no engine for URLs of the form {scheme}:", f"known are {SCHEMES}")


def makes_its_database(job: Job) -> bool:
    """With a file as the source, the embedded database may not be there yet: a run makes it."""
    if job.source.file is None or not job.url.lower().startswith("duckdb:"):
        return False
    path = duckdb_path(job.url, job.base)
    return path is not None and not path.exists()


def spill_directory(database: Path) -> Path:
    """Where the embedded engine spills what does not fit into memory: beside the database, where a later run finds it."""
    return database.with_name(database.name + ".kanon-spill")


def duckdb_path(url: str, base: Path) -> Path | None:
    """duckdb:///relative, duckdb:////absolute, duckdb:///:memory: (None)."""
    rest = url.split(":", 1)[1]
    if not rest.startswith("///"):
        raise JobError(
            f"{url!r} is not a DuckDB URL",
            "write duckdb:///file.duckdb (relative to the job file) or duckdb:////absolute/file.duckdb",
        )
    name = rest[3:]
    if name in ("", ":memory:"):
        return None
    return (base / name).resolve()
