"""What many tests need: a table in an engine, a job about it, and brute force to compare with."""

from __future__ import annotations

import atexit
import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from kanon_sql.backends.base import Backend
from kanon_sql.backends.connect import open_backend
from kanon_sql.backends.duckdb import DuckDBBackend
from kanon_sql.config import Job, parse_job
from kanon_sql.sql.statement import Statement


@cache
def _embedded() -> DuckDBBackend:
    embedded = DuckDBBackend(None)
    atexit.register(embedded.close)
    return embedded


@contextmanager
def _opened(url: str) -> Iterator[Backend]:
    """An engine for a statement or two. To start DuckDB takes longer than most of them: it is started once, and holds a file as long as they run."""
    if not url.startswith("duckdb:///"):
        backend = open_backend(url, Path.cwd(), read_only=False)
        try:
            yield backend
        finally:
            backend.close()
        return
    embedded = _embedded()
    embedded._attach(Path(url.removeprefix("duckdb:///")), read_only=False)
    held = embedded.dialect.identifier(embedded.catalog)
    try:
        embedded._plain(f"use {held}")
        yield embedded
    finally:
        embedded._plain("use memory")
        embedded._plain(f"detach {held}")


def execute(url: str, *sql: str) -> None:
    """Run statements on an engine, each in its own right."""
    with _opened(url) as backend:
        for text in sql:
            backend.execute(Statement("test", text))


def fetch(url: str, sql: str) -> list[tuple[Any, ...]]:
    """The rows of a query."""
    with _opened(url) as backend:
        return backend.fetch(Statement("test", sql))


def make_table(url: str, name: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A table with the given column definitions (as SQL writes them) and rows."""
    with _opened(url) as backend:
        backend.execute(Statement("test", f"create table {name} ({', '.join(columns)})"))
        values = [f"({backend.dialect.literals(row)})" for row in rows]
        for start in range(0, len(values), 500):
            backend.execute(Statement("test", f"insert into {name} values {', '.join(values[start : start + 500])}"))


def job_of(url: str, table: str, columns: dict[str, Any], k: int = 2, base: Path | None = None, **sections: Any) -> Job:
    """A job about a table; sections (privacy, utility, search, publish, source) are merged over the defaults."""
    document: dict[str, Any] = {
        "version": 1,
        "source": {"url": url, "table": table},
        "privacy": {"k": k},
        "columns": columns,
        "utility": {"metric": "glm"},
        "search": {"algorithm": "exhaustive"},
        "publish": {"table": "release.people"},
    }
    for name, section in sections.items():
        document[name] = document.get(name, {}) | section
    return parse_job(yaml.safe_dump(document, sort_keys=False), (base or Path.cwd()) / "job.yml")


def class_sizes(rows: Iterable[Sequence[object]]) -> Counter[tuple[object, ...]]:
    """The frequency set of rows, by brute force."""
    return Counter(tuple(row) for row in rows)


def all_nodes(top: Sequence[int]) -> Iterable[tuple[int, ...]]:
    return itertools.product(*(range(level + 1) for level in top))
