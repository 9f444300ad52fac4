"""The columns of the random tables: numeric and categorical, with and without hierarchy, and how each generalizes in plain Python."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from kanon_sql.backends.base import Backend
from kanon_sql.config import Job
from kanon_sql.sql.statement import Statement
from tests.support import job_of

if TYPE_CHECKING:
    from tests.metrics.reference import World

Row = tuple[Any, ...]
COLUMNS = ("size", "price", "town", "code")
NUMERIC = {"size", "price"}
RESOLUTION = {"size": 1, "price": 0.01}
TOWNS = {"a": "ab", "b": "ab", "c": "cd", "d": "cd", "zz": "cd"}


def _floor(width: int) -> Callable[[Any], Any]:
    return lambda v: None if v is None else ("width", math.floor(v / width))


LEVELS: dict[str, list[Callable[[Any], Any]]] = {
    "size": [lambda v: v, _floor(5), _floor(10), lambda v: "*"],
    "price": [lambda v: v, _floor(1), lambda v: "*"],
    "town": [lambda v: v, lambda v: None if v is None else TOWNS[v], lambda v: "*"],
    "code": [lambda v: v, lambda v: None if v is None else v[:1], lambda v: "*"],
}
DEFINED = ["size integer", "price decimal(8, 2)", "town varchar(9)", "code varchar(9)", "target varchar(9)"]


def quasi_columns(world: World) -> dict[str, Any]:
    return {
        "size": {
            "role": "quasi",
            "levels": [5, 10, "*"],
            "rules": world.rules["size"],
            "weight": world.weights["size"],
        },
        "price": {"role": "quasi", "levels": [1, "*"], "weight": world.weights["price"]},
        "town": {
            "role": "quasi",
            "groups": [{"ab": ["a", "b"], "cd": ["c", "d", "zz"]}, "*"],
            "rules": world.rules["town"],
            "weight": world.weights["town"],
        },
        "code": {"role": "quasi", "levels": [{"prefix": 1}, "*"], "weight": world.weights["code"]},
        "target": {"role": "sensitive"},
    }


def job_for(world: World, url: str, metric: str = "glm", **utility: Any) -> Job:
    return job_of(
        url,
        "t",
        quasi_columns(world),
        k=world.k,
        privacy={"k": world.k, "suppression": float(world.suppression)},
        utility={
            "metric": metric,
            "target": "target",
            "base": world.base,
            "importance": world.importance,
        }
        | utility,
    )


def write(backend: Backend, name: str, defined: list[str], rows: list[Row]) -> None:
    """A table, anew."""
    table = backend.dialect.relation(backend.relation(name))
    backend.execute(Statement("test/drop", f"drop table if exists {table}"))
    backend.execute(Statement("test/create", f"create table {table} ({', '.join(defined)})"))
    if rows:
        values = ", ".join(f"({backend.dialect.literals(row)})" for row in rows)
        backend.execute(Statement("test/insert", f"insert into {table} values {values}"))
