"""The standing red team: random tables and jobs, run as a user runs them, and judged by a checker that shares nothing with the package.

`make redteam` tries many more; KANON_REDTEAM_EXAMPLES says how many for each engine.
"""

from __future__ import annotations

import itertools
import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from kanon_sql.backends.connect import open_backend
from kanon_sql.backends.spark import SparkBackend
from tests.redteam.checker import broken_promises
from tests.redteam.reader import Table, read_spark, read_table
from tests.redteam.worlds import World, worlds
from tests.truth.jobs import execute, run, write_job
from tests.truth.types import DUCKDB_SETUP, POSTGRES_SETUP

EXAMPLES = int(os.environ.get("KANON_REDTEAM_EXAMPLES", "0"))
ANSWERS = (0, 6)
"""Published, or nothing satisfies the job; whatever else a run of these jobs ends with is a finding."""
tried: Counter[str] = Counter()
numbers = itertools.count(1)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def attack(world: World, url: str, folder: Path, engine: str) -> None:
    """Every night of a world on an engine that takes rows."""
    columns = ", ".join(f"{_quoted(name)} {type_name}" for name, type_name in world.types.items())

    def fill(night: list[tuple[str, ...]]) -> None:
        inserted = [f"insert into t values ({', '.join(row)})" for row in night]
        execute(url, "drop table if exists t", f"create table t (row integer, person integer, {columns})", *inserted)

    _attack(world, url, "t", folder, engine, fill, lambda table: read_table(url, table))


def attack_on_spark(world: World, url: str, folder: Path, warehouse: Path) -> None:
    """The same on Spark, whose tables are files written at once; a session of its own sees what the run before it left."""
    names = ("row", "person", *world.types)
    types = ("int", "int", *world.types.values())

    def fill(night: list[tuple[str, ...]]) -> None:
        rows = [
            ", ".join(f"cast({v} as {t}) as `{n}`" for v, t, n in zip(row, types, names, strict=True)) for row in night
        ]
        shutil.rmtree(warehouse / "t", ignore_errors=True)  # a session knows only the tables that it made
        with _session(url) as session:
            session.sql(f"create table default.t using parquet as {' union all '.join('select ' + r for r in rows)}")

    def read(table: str) -> Table:
        with _session(url) as session:
            found = read_spark(session, table)
        if table != "default.t":
            return found
        # Labels of moments name their zone; the session's, in which the source is read, is UTC.
        quasi = [name for name, column in world.columns.items() if column["role"] == "quasi"]
        moments = [name in quasi and found.types[name] == "timestamp" for name in found.columns]
        rows = [tuple(f"{v}+00" if m and v else v for v, m in zip(row, moments, strict=True)) for row in found.rows]
        return replace(found, rows=rows)

    _attack(world, url, "default.t", folder, "spark", fill, read)


@contextmanager
def _session(url: str) -> Iterator[Any]:
    backend = open_backend(url, Path.cwd(), read_only=False)
    assert isinstance(backend, SparkBackend)
    try:
        yield backend.session
    finally:
        backend.close()


def _attack(
    world: World,
    url: str,
    table: str,
    folder: Path,
    engine: str,
    fill: Callable[[list[tuple[str, ...]]], None],
    read: Callable[[str], Table],
) -> None:
    """Every night of a world: run the job, read what was published, and recount."""
    target = f"rel.t{next(numbers)}"
    sections = world.sections | {
        "source": {"url": url, "table": table} | world.sections["source"],
        "publish": {"table": target} | world.sections["publish"],
    }
    if engine == "spark":
        sections["register"] = {"url": f"duckdb:///{folder / 'register.duckdb'}"}
    job = write_job(folder, url, world.columns, **sections)
    for night in world.nights:
        fill(night)
        done = run(job)
        assert done.exit_code in ANSWERS, (done.exit_code, done.err)
        tried[f"{engine}: runs"] += 1
        if done.exit_code != 0:
            continue
        tried[f"{engine}: releases"] += 1
        assert broken_promises(read(target), world.promise(len(night)), read(table)) == []


def _examples(few: int) -> settings:
    return settings(
        max_examples=EXAMPLES or few,
        deadline=None,
        database=None,
        derandomize=not EXAMPLES,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.generate, Phase.shrink) if EXAMPLES else (Phase.generate,),
    )


def test_random_releases_on_duckdb(tmp_path_factory: pytest.TempPathFactory, duckdb_url: str) -> None:
    @_examples(12)
    @given(data=st.data())
    def attacked(data: st.DataObject) -> None:
        folder = tmp_path_factory.mktemp("duckdb")
        url = f"duckdb:///{folder / 'test.duckdb'}"
        execute(url, *DUCKDB_SETUP)
        attack(data.draw(worlds("duckdb")), url, folder, "duckdb")

    attacked()
    print(dict(tried))


def test_random_releases_on_postgres(tmp_path_factory: pytest.TempPathFactory, postgres_url: str) -> None:
    execute(postgres_url, *POSTGRES_SETUP)

    @_examples(8)
    @given(data=st.data())
    def attacked(data: st.DataObject) -> None:
        attack(data.draw(worlds("postgresql")), postgres_url, tmp_path_factory.mktemp("postgres"), "postgresql")

    attacked()
    print(dict(tried))


def test_random_releases_on_spark(tmp_path_factory: pytest.TempPathFactory, spark_url: str, tmp_path: Path) -> None:
    @_examples(1)
    @given(data=st.data())
    def attacked(data: st.DataObject) -> None:
        folder = tmp_path_factory.mktemp("spark")
        attack_on_spark(data.draw(worlds("spark")), spark_url, folder, tmp_path / "warehouse")

    attacked()
    print(dict(tried))
