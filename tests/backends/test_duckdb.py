"""What is DuckDB's alone."""

from __future__ import annotations

from kanon_sql.backends.duckdb import DuckDBBackend
from kanon_sql.sql.statement import Statement


def test_a_slow_statement_draws_no_bar_into_standard_output() -> None:
    backend = DuckDBBackend(None)
    assert backend.fetch(Statement("test/bar", "select current_setting('enable_progress_bar')")) == [(False,)]
    backend.close()


def test_a_check_of_a_small_table_is_planned_plainly_and_nothing_else_is() -> None:
    backend = DuckDBBackend(None)
    spared = Statement("test/spared", "select current_setting('disabled_optimizers')")
    check = Statement("checks/frequency_sets", "select sum(i) from range(10) as t(i) where i > 3")
    backend.scale_to(10)
    assert backend.fetch(check) == [(39,)]
    assert backend.fetch(Statement("metrics/cell_sums", spared.sql))[0][0]
    assert not backend.fetch(spared)[0][0]
    backend.scale_to(10_000_000)
    assert backend.fetch(check) == [(39,)]
    assert not backend.fetch(Statement("metrics/cell_sums", spared.sql))[0][0]
    backend.close()
