"""DuckDB's driver by itself. Its package adds relations, expressions and Arrow, which nothing here uses, and takes three times as long to import."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import duckdb as duckdb
else:
    try:
        import _duckdb as duckdb
    except ImportError:
        import duckdb

__all__ = ["duckdb"]
