"""A table of a hundred rows, its job file, and the few things that the tests of this room ask of a database."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from tests.support import execute, fetch

K = 3


def rows_of(url: str) -> str:
    """A hundred rows: id, a = id modulo 20, b = 'a' or 'b'."""
    series = "range(100) as r(i)" if url.startswith("duckdb") else "generate_series(0, 99) as r(i)"
    return f"select cast(i as integer) as id, cast(i % 20 as integer) as a, chr(cast(97 + i % 2 as integer)) as b from {series}"


def make(url: str, name: str = "t") -> None:
    execute(url, f"create table {name} as {rows_of(url)}")


def write_job(directory: Path, url: str, file: str = "job.yml", **sections: Any) -> Path:
    """A job file; sections are merged over the defaults, and a section that is None is left out."""
    document: dict[str, Any] = {
        "version": 1,
        "source": {"url": url, "table": "t"},
        "privacy": {"k": K},
        "columns": {
            "id": {"role": "identifier"},
            "a": {"role": "quasi", "levels": [10, "*"]},
            "b": {"role": "quasi"},
        },
        "search": {"algorithm": "exhaustive"},
        "publish": {"table": "rel.t"},
    }
    for name, section in sections.items():
        document[name] = document.get(name, {}) | section
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / file
    path.write_text(yaml.safe_dump(document, sort_keys=False, allow_unicode=True), encoding="utf-8")
    return path


def tables(url: str, schema: str) -> list[str]:
    found = fetch(url, f"select table_name from information_schema.tables where table_schema = '{schema}' order by 1")
    return [str(name) for (name,) in found]


def touch(url: str, table: str = "t") -> None:
    """A change that leaves every class as it is: one more of every combination."""
    execute(url, f"insert into {table} select id + 1000, a, b from {table} where id < 20")
