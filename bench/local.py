"""Local recoding at scale: python -m bench.local. `kanon plan` against one plain GROUP BY of the same columns, each as a whole process.

The table is the adult-like generator's, its categoricals as plain sets. DuckDB works inside the process, so CPU seconds are compared;
PostgreSQL works in its server and Spark in its JVM, which every process starts anew, so there it is wall seconds.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path

import yaml

from bench.generate import generate, load_postgres
from bench.measure import Measured, measure, print_table
from bench.plan_ratio import COUNTED
from bench.whole_run import ON_SPARK, on_spark

SECONDS = 3000.0
RESULTS = Path(__file__).parent / "results"
HEADER = ("rows", "algorithm", "k", "ncp", "groups", "smallest", "GROUP BY s", "plan s", "ratio", "wall s", "peak MiB")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.local", description=__doc__)
    parser.add_argument("--rows", type=int, nargs="+", default=[100_000])
    parser.add_argument("--algorithms", nargs="+", default=["mondrian", "anneal"])
    parser.add_argument("--k", type=int, default=10)
    parser.add_argument("--engine", choices=["duckdb", "postgresql", "spark"], default="duckdb")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="override a key of the job")
    given = parser.parse_args()
    RESULTS.mkdir(parents=True, exist_ok=True)
    rows: list[tuple[str, ...]] = []
    for size in given.rows:
        rows += {"duckdb": _duckdb, "postgresql": _postgres, "spark": _spark}[given.engine](size, given)
    seconds = "CPU" if given.engine == "duckdb" else "wall"
    print_table(f"{given.engine}, whole processes, {seconds} seconds", HEADER, rows)


def _duckdb(size: int, given: argparse.Namespace) -> list[tuple[str, ...]]:
    database = RESULTS / f"local_{size}.duckdb"
    database.unlink(missing_ok=True)
    job = _plain(generate("adult-like", database, rows=size, metric="ncp", k=given.k))
    program = (
        "import duckdb, json, sys; connection = duckdb.connect(sys.argv[1], read_only=True);"
        "connection.execute('set enable_progress_bar = false');"
        "print(json.dumps(connection.execute(sys.argv[2]).fetchone()))"
    )
    plain = _checked(measure([sys.executable, "-c", program, str(database), COUNTED], SECONDS))
    found = [(name, _planned(job, name, given, None)) for name in given.algorithms]
    database.unlink()
    return [_row(size, name, given.k, plain, plan, plain.cpu, plan.cpu) for name, plan in found]


def _postgres(size: int, given: argparse.Namespace) -> list[tuple[str, ...]]:
    from tests.servers import PostgresServer

    with PostgresServer() as server:
        environment = {"KANON_URL": os.environ.get("KANON_BENCH_POSTGRES_URL") or server.url()}
        path = RESULTS / "local_postgres.job.yml"
        job = _plain(load_postgres("adult-like", environment["KANON_URL"], path, rows=size, metric="ncp", k=given.k))
        program = (
            "import json, os, psycopg, sys;"
            "connection = psycopg.connect(os.environ['KANON_URL'].replace('postgresql+psycopg:', 'postgresql:', 1));"
            "print(json.dumps(connection.execute(sys.argv[1]).fetchone()))"
        )
        plain = _checked(measure([sys.executable, "-c", program, COUNTED], SECONDS, environment))
        found = [(name, _planned(job, name, given, environment)) for name in given.algorithms]
        return [_row(size, name, given.k, plain, plan, plain.wall, plan.wall) for name, plan in found]


def _spark(size: int, given: argparse.Namespace) -> list[tuple[str, ...]]:
    with on_spark(RESULTS / f"local_{size}_spark", size, metric="ncp", k=given.k) as (job, url):
        plain = _checked(measure([sys.executable, "-c", ON_SPARK, url, COUNTED], SECONDS))
        found = [(name, _planned(_plain(job), name, given, None)) for name in given.algorithms]
        return [_row(size, name, given.k, plain, plan, plain.wall, plan.wall) for name, plan in found]


def _plain(job: Path) -> Path:
    """The job without hierarchies: numerics as ranges, categoricals as sets."""
    document = yaml.safe_load(job.read_text(encoding="utf-8"))
    document["columns"] = {name: {"role": spec["role"]} for name, spec in document["columns"].items()}
    job.write_text(yaml.safe_dump(document, sort_keys=False), encoding="utf-8")
    return job


def _planned(job: Path, algorithm: str, given: argparse.Namespace, environment: dict[str, str] | None) -> Measured:
    command = [sys.executable, "-m", "kanon_sql", "plan", str(job), "--json", "--quiet"]
    settings = [f"search.algorithm={algorithm}", *given.set]
    return _checked(measure([*command, *(part for s in settings for part in ("--set", s))], SECONDS, environment))


def _checked(run: Measured) -> Measured:
    if run.exit_code:
        raise SystemExit(f"exit code {run.exit_code}\n{run.errors[-2000:]}")
    return run


def _row(size: int, name: str, k: int, plain: Measured, plan: Measured, before: float, after: float) -> tuple[str, ...]:
    found = json.loads(plan.output)
    return (
        f"{size:,}",
        name,
        str(k),
        f"{found['utility']['ncp']:.5f}",
        f"{found['groups']:,}",
        f"{found['k']:,}",
        f"{before:.2f}",
        f"{after:.2f}",
        f"{after / before:.1f}",
        f"{plan.wall:.2f}",
        f"{plan.peak_mebibytes:,.0f}",
    )


if __name__ == "__main__":
    main()
