"""An engine: a backend and how it is opened. This one is DuckDB under another name, with files that end in .elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from kanon_sql.backends.base import Backend
from kanon_sql.backends.capabilities import Capabilities
from kanon_sql.backends.connect import Opening
from kanon_sql.backends.duckdb import DuckDBBackend
from kanon_sql.sql.statement import Statement


class ElsewhereBackend(DuckDBBackend):
    """Not embedded as far as anybody knows: searches bring their counts to the embedded engine."""

    capabilities = Capabilities(stages_in_place=True)

    def export_counts(self, statement: Statement, file: Path, columns: Sequence[str]) -> str:
        self.execute(replace(statement, sql=f"copy ({statement.sql}) to '{file}' (format parquet)"))
        return f"(select {', '.join(columns)} from read_parquet('{file}'))"


def opened(url: str, how: Opening) -> Backend:
    name = url.removeprefix("elsewhere:///")
    return ElsewhereBackend(how.base / f"{name}.elsewhere", read_only=how.read_only, work_schema=how.work_schema)
