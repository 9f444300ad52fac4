"""The demonstration on disk: the census in an embedded database, and its job file."""

from __future__ import annotations

from pathlib import Path

from kanon_sql.backends.duckdb import DuckDBBackend
from kanon_sql.sql.statement import Statement
from kanon_sql.synthetic.census import census_sql
from kanon_sql.synthetic.job import demo_job


def make_demo(directory: Path, rows: int, seed: int) -> Path:
    """Make DIR/census.duckdb and DIR/job.yml; a census that is there already is made anew, releases stay."""
    directory.mkdir(parents=True, exist_ok=True)
    backend = DuckDBBackend((directory / "census.duckdb").resolve())
    try:
        table = backend.dialect.relation(backend.relation("people"))
        with backend.transaction():
            backend.execute(Statement("demo/drop", f"drop table if exists {table}"))
            backend.execute(Statement("demo/census", census_sql(table, rows, seed, backend.dialect.name)))
    finally:
        backend.close()
    job_file = directory / "job.yml"
    job_file.write_text(demo_job(), encoding="utf-8")
    return job_file
