"""`kanon plan` on three engines side by side, each against one plain GROUP BY on that engine, with the cheap road on and off.

python -m bench.engines_ratio --rows 10000000 [--engines duckdb,postgresql,spark]. Whole processes, wall seconds; for Spark also the
seconds of the statements alone, because starting a session takes as long as many a search. One engine at a time.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

import yaml

from bench.adult_like import COLUMNS
from bench.generate import generate, load_postgres
from bench.measure import print_table

HEADER = (
    "engine",
    "cheap road",
    "rows",
    "combinations",
    "GROUP BY s",
    "plan s",
    "ratio",
    "checks",
    "statements",
    "search s",
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--engines", default="duckdb,postgresql,spark")
    parser.add_argument("--directory", type=Path, default=Path("bench/results/engines"))
    parser.add_argument("--budget", type=float, default=0.01)
    parser.add_argument("--algorithm", default="best-first")
    parser.add_argument("--roads", default="always,never")
    chosen = parser.parse_args()
    chosen.directory.mkdir(parents=True, exist_ok=True)
    rows = []
    for engine in chosen.engines.split(","):
        with ENGINES[engine](chosen) as job:
            for road in ["never"] if engine == "duckdb" else chosen.roads.split(","):
                rows.append(_measured(engine, road, job, chosen))
                print(rows[-1], flush=True)
    print_table(f"k=5, budget {chosen.budget:.0%}, {chosen.algorithm}, wall seconds of statements", HEADER, rows)


def _measured(engine: str, road: str, job_file: Path, chosen: argparse.Namespace) -> tuple[str, ...]:
    import kanon_sql
    from kanon_sql.backends.connect import open_backend
    from kanon_sql.config import load_job
    from kanon_sql.observer import Observer
    from kanon_sql.sql.statement import Statement

    job = load_job(
        job_file,
        [
            f"privacy.suppression={chosen.budget}",
            f"search.embedded={road}",
            "search.embedded_limit=100000000",
            f"search.algorithm={chosen.algorithm}",
        ],
    )
    backend = open_backend(job.url, job.base, read_only=True)
    try:
        names = ", ".join(backend.dialect.identifier(name) for name in COLUMNS)
        table = str(job.source.table)
        plain = f"select count(*), max(n) from (select count(*) as n from {table} group by {names}) as classes"
        backend.fetch(Statement("bench", f"select count(*) from {table}"))  # the session and the file are warm
        started = time.perf_counter()
        combinations = backend.fetch(Statement("bench", plain))[0][0]
        group_by = time.perf_counter() - started
    finally:
        backend.close()
    observer = Observer()
    started = time.perf_counter()
    plan = kanon_sql.plan(job, observer)
    seconds = time.perf_counter() - started
    before = ("levels/", "meta/", "work/", "embedded/", "checks/count_rows")
    searching = sum(entry.seconds for entry in observer.statements if not entry.label.startswith(before))
    return (
        engine,
        {"always": "on", "never": "off"}[road] if engine != "duckdb" else "-",
        f"{chosen.rows:,}",
        f"{int(combinations):,}",
        f"{group_by:.1f}",
        f"{seconds:.1f}",
        f"{seconds / group_by:.1f}",
        f"{plan.checks:,}",
        f"{len(observer.statements):,}",
        f"{searching:.1f}",
    )


@contextmanager
def _duckdb(chosen: argparse.Namespace) -> Iterator[Path]:
    target = chosen.directory / f"adult_like_{chosen.rows}.duckdb"
    job = target.with_suffix(".job.yml") if target.exists() else generate("adult-like", target, rows=chosen.rows)
    yield job


@contextmanager
def _postgresql(chosen: argparse.Namespace) -> Iterator[Path]:
    from tests.servers import PostgresServer

    with PostgresServer() as server:
        os.environ["KANON_URL"] = server.url()
        yield load_postgres("adult-like", server.url(), chosen.directory / "postgresql.job.yml", rows=chosen.rows)


@contextmanager
def _spark(chosen: argparse.Namespace) -> Iterator[Path]:
    from kanon_sql.backends.connect import open_backend
    from kanon_sql.sql.statement import Statement

    file = chosen.directory / f"parquet_{chosen.rows}.parquet"
    if not file.exists():
        generate("adult-like", file, rows=chosen.rows)
    job = yaml.safe_load(file.with_suffix(".job.yml").read_text())
    settings = {
        "warehouse": str((chosen.directory / f"warehouse_{chosen.rows}").resolve()),
        "spark.driver.memory": "4g",
    }
    url = f"spark://local[2]?{urlencode(settings)}"
    backend = open_backend(url, chosen.directory, read_only=False)
    try:
        if not backend.exists(backend.relation("adult_like")):
            backend.execute(Statement("load", f"create table adult_like as select * from parquet.`{file.resolve()}`"))
    finally:
        backend.close()
    job["source"] = {"url": url, "table": "adult_like"}
    written = chosen.directory / "spark.job.yml"
    written.write_text(json.dumps(job), encoding="utf-8")
    yield written


ENGINES = {"duckdb": _duckdb, "postgresql": _postgresql, "spark": _spark}

if __name__ == "__main__":
    sys.exit(main())
