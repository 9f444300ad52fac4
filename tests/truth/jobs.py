"""A table made by plain SQL, a job file about it, and the commands as a user types them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import duckdb
import psycopg
import yaml

from tests.cli.commands import Typed, kanon

TARGET = "rel.people"


def execute(url: str, *statements: str) -> None:
    """Run statements by the database's own client."""
    if url.startswith("duckdb:"):
        with duckdb.connect(url.removeprefix("duckdb:///")) as embedded:
            for statement in statements:
                embedded.execute(statement)
        return
    with psycopg.connect(url.replace("postgresql+psycopg:", "postgresql:"), autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement)  # type: ignore[arg-type]


def write_job(folder: Path, url: str, columns: dict[str, Any], k: int = 3, **sections: Any) -> Path:
    """The job file of a table `t`; sections are merged over the defaults."""
    document: dict[str, Any] = {
        "version": 1,
        "source": {"url": url, "table": "t"},
        "privacy": {"k": k},
        "columns": columns,
        "search": {"algorithm": "exhaustive"},
        "publish": {"table": TARGET},
    }
    for name, section in sections.items():
        document[name] = document.get(name, {}) | section
    file = folder / "job.yml"
    file.write_text(yaml.safe_dump(document, allow_unicode=True, sort_keys=False))
    return file


def run(job: Path, *arguments: str) -> Typed:
    return kanon("run", job, "--json", *arguments)


def figures(typed: Typed) -> Any:
    """The JSON that a command printed."""
    assert typed.exit_code == 0, typed.err
    return json.loads(typed.out)
