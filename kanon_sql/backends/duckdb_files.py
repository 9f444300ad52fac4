"""Files as DuckDB reads and writes them."""

from __future__ import annotations

import re
from pathlib import Path

from kanon_sql.errors import ColumnError, JobError
from kanon_sql.sql.dialects.duckdb import DuckDBDialect


def copy_to(sql: str, file: Path, format: str) -> str:
    """The statement that writes what a query returns to a file."""
    options = "format csv, header" if format == "csv" else "format parquet"
    return f"copy ({sql}) to {DuckDBDialect().text_literal(str(file))} ({options})"


def file_relation(path: Path, options: dict[str, object], dialect: DuckDBDialect) -> str:
    """A CSV or Parquet file (or a directory of Parquet files) as something to select from."""
    suffixes = path.suffixes
    target = dialect.text_literal(str(path / "**/*.parquet" if path.is_dir() else path))
    if path.is_dir() or ".parquet" in suffixes:
        return f"read_parquet({target})"
    if {".csv", ".tsv", ".txt"} & set(suffixes):
        given = "".join(f", {_option(key)} = {dialect.literal(value)}" for key, value in options.items())
        return f"read_csv({target}{given})"
    raise ColumnError(
        f"source.file {path.name!r} is neither CSV nor Parquet", "use a .csv, .tsv, .txt or .parquet file"
    )


def _option(key: str) -> str:
    if not re.fullmatch(r"[a-z_]+", key):
        raise JobError(f"source.options: {key!r} is not an option of read_csv")
    return key
