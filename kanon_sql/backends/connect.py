"""From a URL to an open engine."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from kanon_sql.backends.base import Backend
from kanon_sql.config.schema import Job
from kanon_sql.errors import JobError
from kanon_sql.frozen import dataclass
from kanon_sql.model.engines import ENGINES, scheme_of


@dataclass(frozen=True)
class Opening:
    """How an engine is to be opened; each takes of it what it knows."""

    base: Path
    """What a relative path is relative to."""
    read_only: bool
    work_schema: str
    statement_timeout: float | None
    memory_limit: str | None
    run: str
    """The run's name, for a server's list of connections."""


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
    engine = ENGINES.get(scheme_of(url))
    if engine is None:
        known = ", ".join(dict.fromkeys(engine.url for engine in ENGINES.values()))
        raise JobError(f"no engine for URLs of the form {url.partition(':')[0].lower()}:", f"known are {known}")
    how = Opening(base, read_only, work_schema, statement_timeout, memory_limit, run)
    opened: Backend = import_module(engine.module).opened(url, how)
    return opened


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
