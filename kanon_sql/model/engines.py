"""The engines, one line each. A backend is imported when its engine is opened."""

from __future__ import annotations

from kanon_sql.frozen import dataclass


@dataclass(frozen=True)
class Engine:
    """What is known of an engine before it is opened."""

    module: str
    """The module of its backend, whose function `opened` opens it."""
    url: str
    """How its URL is written."""
    schema: str
    """Where a table without a schema lies."""
    folds_case: bool = True
    """Two names that differ in case alone are one name."""


_POSTGRESQL = Engine(
    "kanon_sql.backends.postgres", "postgresql+psycopg://user@host/database", "public", folds_case=False
)
ENGINES: dict[str, Engine] = {
    "duckdb": Engine("kanon_sql.backends.duckdb", "duckdb:///file.duckdb", "main"),
    "postgresql": _POSTGRESQL,
    "postgres": _POSTGRESQL,
    "spark": Engine("kanon_sql.backends.spark", "spark://local[2], spark://host:7077", "default"),
    "sc": Engine("kanon_sql.backends.spark", "sc://host:15002", "default"),
}
"""By the scheme of their URLs."""


def scheme_of(url: str) -> str:
    """The scheme of a URL, without the driver that SQLAlchemy would load for it."""
    return url.partition(":")[0].partition("+")[0].lower()
