"""Golden files: the SQL of every template as it is sent, per dialect, at golden/<dialect>/<template>[.<variant>].sql.

`pytest tests/sql --regenerate` writes them anew. A template that some dialects never run says so in its header ("Runs on duckdb, spark.").
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

import sqlglot

from kanon_sql.sql.dialect import Dialect
from kanon_sql.sql.dialects.duckdb import DuckDBDialect
from kanon_sql.sql.dialects.postgres import PostgresDialect
from kanon_sql.sql.dialects.spark import SparkDialect
from kanon_sql.sql.render import template_root
from kanon_sql.sql.statement import Statement

GOLDEN = Path(__file__).parent / "golden"
DIALECTS: dict[str, Dialect] = {"duckdb": DuckDBDialect(), "postgresql": PostgresDialect(), "spark": SparkDialect()}
PARSERS = {"duckdb": "duckdb", "postgresql": "postgres", "spark": "spark"}


def templates() -> list[str]:
    """Every template by its name; `_x` are macros of others."""
    root = template_root()
    found = (path.relative_to(root) for path in root.rglob("*.sql.j2") if not path.name.startswith("_"))
    return sorted(str(path).removesuffix(".sql.j2") for path in found if path.parts[0] != "dialects")


def runs_on(template: str) -> list[str]:
    """The dialects that run a template: all, unless its header names them."""
    header = (template_root() / f"{template}.sql.j2").read_text(encoding="utf-8").partition("#}")[0]
    named = re.search(r"Runs on ([a-z, ]+)\.", header)
    return named[1].split(", ") if named else list(DIALECTS)


def compare(engine: str, made: Mapping[str, Statement], golden: Callable[[Path, str], None]) -> None:
    """Statements by <template>[.<variant>]: each is parsed by an independent parser and held to its golden file."""
    for name, statement in made.items():
        template = name.partition(".")[0]
        assert template == statement.label
        if engine in runs_on(template):
            sqlglot.parse_one(statement.sql, dialect=PARSERS[engine])
            golden(GOLDEN / engine / f"{name}.sql", f"-- {statement.label}\n{statement.sql}\n")
