"""What is DuckDB's alone."""

from __future__ import annotations

import contextlib
import stat
from pathlib import Path

from kanon_sql.backends.connect import spill_directory
from kanon_sql.backends.duckdb import DuckDBBackend
from kanon_sql.sql.dialect import Relation
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


def test_memory_is_bounded_unless_the_job_says_otherwise(tmp_path: Path) -> None:
    asked = "select current_setting('memory_limit'), current_setting('temp_directory')"
    for given, most in ((None, 4 * 1024.0), ("300MiB", 300.0)):
        backend = DuckDBBackend(None, memory_limit=given)
        ((limit, spill),) = backend.connection.execute(asked).fetchall()
        amount, unit = str(limit).split()
        assert float(amount) * {"MiB": 1, "GiB": 1024}[unit] <= most
        assert stat.S_IMODE(Path(spill).stat().st_mode) == 0o700  # what is spilled holds data
        backend.close()
        assert not Path(spill).exists()
    backend = DuckDBBackend(tmp_path / "people.duckdb")
    ((_, spill),) = backend.connection.execute(asked).fetchall()
    backend.close()
    assert Path(spill) == spill_directory(tmp_path / "people.duckdb")


def test_the_catalog_is_asked_once_until_something_changes() -> None:
    backend = DuckDBBackend(None)
    table = Relation(("memory", "main", "people"))

    def asked() -> int:
        return sum(entry.label.startswith("meta/") for entry in backend.trace.entries)

    assert not backend.exists(table)
    before = asked()
    assert backend.describe(table) == []
    assert asked() == before
    backend.execute(Statement("test/make", "create table people (age integer)"))
    assert [column.name for column in backend.describe(table)] == ["age"]
    before = asked()
    assert backend.exists(table)
    assert [column.name for column in backend.describe(table)] == ["age"]
    assert asked() == before
    with contextlib.suppress(ValueError), backend.transaction():
        backend.execute(Statement("test/drop", "drop table people"))
        assert not backend.exists(table)
        raise ValueError
    assert backend.exists(table)
    backend.close()
