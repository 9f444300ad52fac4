"""`kanon emit` at every kind of level: the statement gives the release row for row, NULLs included; on Spark what it gives on DuckDB."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import kanon_sql
from kanon_sql.config import Job
from kanon_sql.config.privacy import GUARDS
from kanon_sql.flows.session import reading
from kanon_sql.model.lattice import Node
from kanon_sql.observer import Observer
from kanon_sql.release.emit import recoding_statement
from tests.release import test_emit
from tests.support import execute, fetch, job_of, make_table

TABLE = {
    "whole": "integer",
    "cut": "bigint",
    "exact": "decimal(9, 2)",
    "wide": "double precision",
    "limits": "double precision",
    "yes": "boolean",
    "week": "date",
    "born": "date",
    "seen": "timestamp",
    "zip": "varchar",
    "race": "varchar",
    "job": "varchar",
    "sex": "varchar",
    "note": "varchar",
}
COLUMNS: dict[str, Any] = {
    "whole": {"role": "quasi", "levels": [5, 20, "*"]},
    "cut": {"role": "quasi", "levels": [{"cuts": [-5, 10, 30]}, {"cuts": [10]}, "*"]},
    "exact": {"role": "quasi", "levels": [0.5, 10, "*"]},
    "wide": {"role": "quasi", "levels": [0.1, 5, "*"]},
    "limits": {"role": "quasi", "levels": [{"cuts": [1.5, 20]}, {"cuts": [20]}, "*"]},
    "yes": {"role": "quasi", "levels": ["*"]},
    "week": {"role": "quasi", "levels": ["week", "*"]},
    "born": {"role": "quasi", "levels": ["day", "month", "quarter", "year", "decade", "*"]},
    "seen": {"role": "quasi", "levels": ["day", "month", "year", "*"]},
    "zip": {"role": "quasi", "levels": [{"prefix": 3}, {"prefix": 1}, "*"]},
    "race": {"role": "quasi", "groups": [{"it's a": ["a", "b"], "{c}": ["c", "d"]}, "*"]},
    "job": {"role": "quasi", "hierarchy": "jobs.csv"},
    "sex": {"role": "quasi"},
    "note": {"role": "keep"},
}
DEEPEST = 6
SPARK_TYPES = {"varchar": "string", "double precision": "double", "timestamp": "timestamp_ntz"}


def rows() -> list[tuple[object, ...]]:
    """Every row twice, so that nothing is suppressed at any level and all of it can be compared."""
    draw = random.Random(5)
    drawn = [
        tuple(
            None if draw.random() < 0.08 else value
            for value in (
                draw.randrange(-30, 60),
                draw.randrange(-20, 50),
                round(draw.uniform(-9, 30), 2),
                round(draw.uniform(-2, 9), 1),
                draw.choice((0.0, 1.5, 20.0, 33.25, 1e20)),
                draw.random() < 0.5,
                f"20{draw.randrange(10, 24)}-{draw.choice(('01-01', '12-31', '06-15'))}",
                f"19{draw.randrange(60, 80)}-{draw.randrange(1, 13):02}-11",
                f"2024-{draw.randrange(1, 13):02}-03 {draw.randrange(24):02}:30:00",
                draw.choice(("80331", "8", "802", "90-12", "ä99")),
                draw.choice("abcd"),
                draw.choice(("nurse", "cook", "clerk")),
                draw.choice("fm"),
            )
        )
        for _ in range(40)
    ]
    return [(*row, f"n{place}") for place, row in enumerate([*drawn, *drawn])]


def job(url: str, base: Path, table: str) -> Job:
    (base / "jobs.csv").write_text(
        "nurse;care;people;*\ncook;kitchen;things;*\nclerk;office;things;*\n", encoding="utf-8"
    )
    return job_of(
        url, "kinds", COLUMNS, 2, base, privacy={"accept": list(GUARDS)}, publish={"table": f"release.{table}"}
    )


def at_depth(depth: int) -> Node:
    stars = [_star(column) for column in COLUMNS.values() if column["role"] == "quasi"]
    return tuple(min(depth, star) for star in stars)


def _star(column: dict[str, Any]) -> int:
    return 3 if "hierarchy" in column else len(column.get("levels", column.get("groups", ["*"])))


def make_on_spark(url: str, name: str, types: dict[str, str], given: Sequence[Sequence[object]]) -> None:
    casts = [f"cast({column} as {SPARK_TYPES.get(kind, kind)}) as {column}" for column, kind in types.items()]
    written = ", ".join(f"({', '.join('null' if value is None else repr(value) for value in row)})" for row in given)
    execute(url, f"create table {name} as select {', '.join(casts)} from values {written} as t({', '.join(types)})")


def counted(found: Sequence[Sequence[object]]) -> Counter[str]:
    return Counter(repr(tuple(row)) for row in found)


@pytest.fixture(scope="module")
def kinds(module_engine_url: str) -> str:
    make_table(module_engine_url, "kinds", [f"{name} {kind}" for name, kind in TABLE.items()], rows())
    return module_engine_url


@pytest.mark.parametrize("depth", range(DEEPEST + 1))
def test_the_statement_gives_the_release_at_every_kind_of_level(kinds: str, tmp_path: Path, depth: int) -> None:
    asked = job(kinds, tmp_path, f"at_{depth}")
    assert kanon_sql.run(asked, at=at_depth(depth)).plan.suppressed == 0
    released = fetch(kinds, f"select * from release.at_{depth}")
    assert len(released) == len(rows())
    assert counted(released) == counted(fetch(kinds, kanon_sql.emit(asked).sql))


def stated(asked: Job, nodes: Sequence[Node]) -> list[Counter[str]]:
    with reading(asked, Observer()) as bench:
        bench.open_source()
        return [counted(bench.backend.fetch(recoding_statement(bench, node))) for node in nodes]


def test_spark_says_what_duckdb_says_at_every_kind_of_level(
    module_duckdb_url: str, module_spark_url: str, tmp_path: Path
) -> None:
    make_table(module_duckdb_url, "kinds", [f"{name} {kind}" for name, kind in TABLE.items()], rows())
    make_on_spark(module_spark_url, "kinds", TABLE, rows())
    nodes = [at_depth(depth) for depth in range(DEEPEST + 1)]
    own, spark = (stated(job(url, tmp_path, "kinds"), nodes) for url in (module_duckdb_url, module_spark_url))
    for depth in range(DEEPEST + 1):
        assert own[depth] == spark[depth], depth


def test_spark_says_what_duckdb_says_of_every_model(
    module_duckdb_url: str, module_spark_url: str, tmp_path: Path
) -> None:
    types = dict(column.split(" ", 1) for column in test_emit.TABLE)
    tables = {"people": test_emit.rows(3), "everybody": test_emit.rows(3) + test_emit.rows(4)}
    for name, given in tables.items():
        make_table(module_duckdb_url, name, test_emit.TABLE, given)
        make_on_spark(module_spark_url, name, types, given)
    for model, privacy in test_emit.MODELS.items():
        person = {"person": "person"} if model == "distinct" else {}
        own, spark = (
            stated(test_emit.job(url, tmp_path, privacy, source=person), [test_emit.NODE])
            for url in (module_duckdb_url, module_spark_url)
        )
        assert own == spark, model
        assert sum(own[0].values()) < test_emit.ROWS, "a filter that drops nothing proves nothing"


def test_the_statement_gives_the_release_of_spark(module_spark_url: str, tmp_path: Path) -> None:
    make_on_spark(module_spark_url, "released", TABLE, rows())
    register = {"url": f"duckdb:///{tmp_path / 'register.duckdb'}"}
    asked = job_of(
        module_spark_url,
        "released",
        COLUMNS | {"job": {"role": "quasi"}},
        base=tmp_path,
        privacy={"accept": list(GUARDS)},
        publish={"table": "release.at_1", "guard": "never"},
        register=register,
    )
    kanon_sql.run(asked, at=tuple(min(1, level) for level in at_depth(1)))
    released = counted(fetch(module_spark_url, "select * from release.at_1"))
    assert sum(released.values()) == len(rows())
    assert released == counted(fetch(module_spark_url, kanon_sql.emit(asked).sql))
