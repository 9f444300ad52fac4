"""What a night costs: `kanon run` as a whole process against one plain GROUP BY and one plain CREATE TABLE AS of the same rows.

Three nights of one job: the first, one after a change of half a percent that keeps its recoding, and one on which nothing changed;
for rows alone, for persons (a ledger guards their releases), and for persons with l-diversity. DuckDB works inside the process, so CPU
seconds are compared; PostgreSQL works in its server and Spark in its JVM, so there it is wall seconds. On Spark every process starts
a JVM of its own, the plain one as well.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import duckdb
import yaml

from bench.adult_like import COLUMNS
from bench.generate import generate, load_postgres
from bench.measure import Measured, measure, print_table

SECONDS = 7200.0
QUASI = ", ".join(f'"{name}"' for name in COLUMNS)
PEOPLE = "create table people as select {key} as id, adult_like.*, 'd' || ({number}) as illness from adult_like"
LEAVE = "delete from people where id % 400 = 7"
JOIN = f"insert into people select id + (select max(id) from people), {QUASI}, illness from people where id % 400 = 3"
COUNTED = f"select count(*) from (select count(*) as n from people group by {QUASI}) as classes"
WRITTEN = f"create table plain_copy as select {QUASI}, illness from people"
HEADER = ("rows", "job", "GROUP BY + CTAS s", "night", "run s", "ratio", "peak MiB")
JOBS: dict[str, dict[str, Any]] = {
    "rows": {},
    "persons": {"source": {"person": "id"}},
    "persons, l = 2": {
        "source": {"person": "id"},
        "privacy": {"l_diversity": {"illness": {"l": 2, "kind": "distinct"}}},
    },
}
WITHOUT_DELETE = (
    f"create table tonight as select * from people where id % 400 <> 7 "
    f"union all select id + (select max(id) from people), {QUASI}, illness from people where id % 400 = 3",
    "insert overwrite table people select * from tonight",
    "drop table tonight",
)
ON_SPARK = """
import sys
from pathlib import Path
from kanon_sql.backends.connect import open_backend
from kanon_sql.sql.statement import Statement
backend = open_backend(sys.argv[1], Path(), read_only=False)
for statement in sys.argv[2:]:
    (backend.fetch if statement.startswith("select") else backend.execute)(Statement("bench", statement.replace('"', "`")))
backend.close()
"""
Execute = Callable[[Sequence[str]], None]


def duckdb_runs(directory: Path, sizes: Sequence[int], jobs: Sequence[str]) -> None:
    """Print the table for DuckDB, CPU seconds."""
    rows = []
    for size in sizes:
        for name in jobs:
            database = directory / f"whole_{size}.duckdb"
            for file in directory.glob(f"whole_{size}.duckdb*"):
                file.unlink() if file.is_file() else shutil.rmtree(file)
            job = generate("adult-like", database, rows=size, algorithm="best-first")

            def execute(statements: Sequence[str], database: Path = database) -> None:
                with duckdb.connect(str(database)) as connection:
                    for statement in statements:
                        connection.execute(statement)

            program = (
                "import duckdb, sys; connection = duckdb.connect(sys.argv[1]);"
                "connection.execute('set enable_progress_bar = false');"
                "[connection.execute(statement).fetchall() for statement in sys.argv[2:]]"
            )
            plain = [sys.executable, "-c", program, str(database), COUNTED, WRITTEN]
            try:
                rows += _nights(
                    size,
                    name,
                    _written(job, name),
                    execute,
                    plain,
                    lambda run: run.cpu,
                    "hash(row_number() over ()) % 40",
                )
            finally:
                for file in directory.glob(f"whole_{size}.duckdb*"):
                    file.unlink() if file.is_file() else shutil.rmtree(file)
    print_table("DuckDB, whole processes, CPU seconds, k=5", HEADER, rows)


def postgres_runs(directory: Path, url: str, sizes: Sequence[int], jobs: Sequence[str]) -> None:
    """Print the table for PostgreSQL, wall seconds."""
    import psycopg

    rows = []
    address = url.replace("postgresql+psycopg:", "postgresql:", 1)

    def execute(statements: Sequence[str]) -> None:
        with psycopg.connect(address, autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement.encode())

    program = (
        "import os, psycopg, sys; connection = psycopg.connect(os.environ['KANON_URL'].replace('postgresql+psycopg:', "
        "'postgresql:', 1), autocommit=True); [connection.execute(statement) for statement in sys.argv[1:]]"
    )
    for size in sizes:
        for name in jobs:
            execute(
                [
                    f"drop schema if exists {schema} cascade"
                    for schema in ("release", "kanon", "kanon_ledger", "kanon_work")
                ]
            )
            execute(["drop table if exists people"])
            job = load_postgres("adult-like", url, directory / "whole.job.yml", rows=size, algorithm="best-first")
            plain = [sys.executable, "-c", program, COUNTED, WRITTEN]
            environment = {"KANON_URL": url}
            number = "abs(hashtext(cast(row(adult_like.*) as text))) % 40"
            rows += _nights(
                size, name, _written(job, name), execute, plain, lambda run: run.wall, number, environment=environment
            )
    print_table("PostgreSQL, whole processes, wall seconds, k=5", HEADER, rows)


def spark_runs(directory: Path, sizes: Sequence[int], jobs: Sequence[str]) -> None:
    """Print the table for Spark on this machine, wall seconds; the register is a DuckDB file."""
    rows = []
    for size in sizes:
        for name in jobs:
            with on_spark(directory / f"whole_{size}_spark", size, algorithm="best-first") as (job, url):
                program = [sys.executable, "-c", ON_SPARK, url]

                def execute(statements: Sequence[str], program: Sequence[str] = program) -> None:
                    if statements:
                        _done([*program, *statements], None)

                plain = [*program, COUNTED, WRITTEN]
                key = "monotonically_increasing_id()"
                rows += _nights(
                    size,
                    name,
                    _written(job, name),
                    execute,
                    plain,
                    lambda run: run.wall,
                    f"pmod(hash({key}), 40)",
                    key,
                    change=WITHOUT_DELETE,
                )
    print_table(
        "Spark local[2], whole processes with the start of the JVM, wall seconds, memory of Python alone, k=5",
        HEADER,
        rows,
    )


@contextmanager
def on_spark(place: Path, size: int, **settings: Any) -> Iterator[tuple[Path, str]]:
    """A job file and its URL: `adult_like` in a warehouse of its own, the register in a DuckDB file."""
    shutil.rmtree(place, ignore_errors=True)
    try:
        file = place / "adult_like.parquet"
        job = generate("adult-like", file, rows=size, **settings)
        url = f"spark://local[2]?{urlencode({'warehouse': str((place / 'warehouse').resolve()), 'spark.driver.memory': '4g'})}"
        document = yaml.safe_load(job.read_text(encoding="utf-8"))
        document["source"] = {"url": url, "table": "adult_like"}
        document["register"] = {"url": "duckdb:///register.duckdb"}
        job.write_text(yaml.safe_dump(document, sort_keys=False), encoding="utf-8")
        made = f"create table adult_like as select * from parquet.`{file.resolve()}`"
        _done([sys.executable, "-c", ON_SPARK, url, made], None)
        yield job, url
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _written(job: Path, name: str) -> Path:
    document = yaml.safe_load(job.read_text(encoding="utf-8"))
    document["source"]["table"] = "people"
    document["columns"] |= {"id": {"role": "identifier"}, "illness": {"role": "sensitive"}}
    document["publish"]["table"] = "release.people"
    for section, values in JOBS[name].items():
        document[section] |= values
    job.write_text(yaml.safe_dump(document, sort_keys=False), encoding="utf-8")
    return job


def _nights(
    size: int,
    name: str,
    job: Path,
    execute: Execute,
    plain: Sequence[str],
    seconds: Callable[[Measured], float],
    number: str,
    key: str = "row_number() over ()",
    environment: Mapping[str, str] | None = None,
    change: Sequence[str] = (LEAVE, JOIN),
) -> list[tuple[str, ...]]:
    execute([PEOPLE.format(key=key, number=number), "drop table adult_like"])
    yardstick = seconds(_done(plain, environment))
    execute(["drop table plain_copy"])
    rows = []
    for night, before in (("first", ()), ("half a percent changed", change), ("unchanged", ())):
        execute(before)
        run = _done([sys.executable, "-m", "kanon_sql", "run", str(job), "--json", "--quiet"], environment)
        told = json.loads(run.output)
        assert told["unchanged"] == (night == "unchanged"), told
        spent = seconds(run)
        ratio = f"{spent / yardstick:.2f}"
        rows.append((f"{size:,}", name, f"{yardstick:.2f}", night, f"{spent:.2f}", ratio, f"{run.peak_mebibytes:.0f}"))
        print("  " + " | ".join(rows[-1]), flush=True)
    return rows


def _done(command: Sequence[str], environment: Mapping[str, str] | None) -> Measured:
    run = measure(command, SECONDS, {**os.environ, **(environment or {})})
    if run.exit_code:
        raise SystemExit(f"exit code {run.exit_code} from {' '.join(command)}\n{run.errors[-2000:]}")
    return run
