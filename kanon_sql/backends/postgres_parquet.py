"""A release of PostgreSQL as Parquet, which the server cannot write: the embedded engine does, from the release's own columns and types."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from kanon_sql.backends.columns import ColumnInfo
from kanon_sql.backends.duckdb_files import copy_to
from kanon_sql.sql.dialects.duckdb import DuckDBDialect

PARQUET = {
    "integer": "BIGINT",
    "double": "DOUBLE",
    "boolean": "BOOLEAN",
    "date": "DATE",
    "timestamp": "TIMESTAMP",
    "timestamptz": "TIMESTAMPTZ",
}
"""The type an exported column has in Parquet, by its kind; texts and all else are texts."""


def _parquet_type(column: ColumnInfo) -> str:
    if column.kind == "decimal":
        return f"DECIMAL(38, {column.scale})"
    return PARQUET.get(column.kind, "VARCHAR")


def write_parquet(copied: Path, file: Path, columns: Sequence[ColumnInfo]) -> None:
    """From a CSV file that the server wrote."""
    import duckdb

    lit = DuckDBDialect().text_literal
    types = ", ".join(f"{lit(column.name)}: {lit(_parquet_type(column))}" for column in columns)
    # PostgreSQL writes NULL as nothing and an empty text as "".
    source = f"read_csv({lit(str(copied))}, header = true, allow_quoted_nulls = false, columns = {{{types}}})"
    with duckdb.connect() as embedded:
        embedded.execute(copy_to(f"select * from {source}", file, "parquet"))
