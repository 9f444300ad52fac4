"""What is DuckDB's alone."""

from __future__ import annotations

from kanon_sql.backends.duckdb import DuckDBBackend
from kanon_sql.sql.statement import Statement


def test_a_slow_statement_draws_no_bar_into_standard_output() -> None:
    backend = DuckDBBackend(None)
    assert backend.fetch(Statement("test/bar", "select current_setting('enable_progress_bar')")) == [(False,)]
    backend.close()
