"""python -m bench: the benchmarks, short by default; --full goes up to ten million rows, and whole nights up to a hundred million."""

from __future__ import annotations

import argparse
import os
import platform
from pathlib import Path

import duckdb

from bench.plan_ratio import duckdb_ratios, postgres_ratios

RESULTS = Path(__file__).parent / "results"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument(
        "--full", action="store_true", help="up to ten million rows in DuckDB, one million in PostgreSQL"
    )
    parser.add_argument("--algorithm", default="best-first", help="the search to measure")
    parser.add_argument("--thesis", action="store_true", help="the thesis's tables 5 and 6 in shape, and nothing else")
    parser.add_argument("--frontier", action="store_true", help="POkA's table 3 through the engines, and nothing else")
    parser.add_argument("--wide", action="store_true", help="tables of 16 to 36 attributes, and nothing else")
    parser.add_argument("--runs", action="store_true", help="whole nights (kanon run), and nothing else")
    parser.add_argument("--rows", type=int, action="append", help="the sizes of --runs, instead of its own")
    parser.add_argument(
        "--job", action="append", help="the jobs of --runs: rows, persons, 'persons, l = 2'; all if none"
    )
    parser.add_argument("--time-limit", type=float, default=60.0, help="seconds for each search of --thesis and --wide")
    parser.add_argument("--repeats", type=int, default=3, help="runs of each process; the median counts")
    parser.add_argument("--engine", choices=["duckdb", "postgresql", "spark", "all"], default="all")
    given = parser.parse_args()
    RESULTS.mkdir(parents=True, exist_ok=True)
    print(f"Python {platform.python_version()}, DuckDB {duckdb.__version__}, {os.cpu_count()} cores: compare ratios.")
    if given.thesis:
        from bench.thesis_tables import SIZES, thesis_tables

        thesis_tables(RESULTS, 0.01, given.time_limit, SIZES if given.full else SIZES[:3])
        return
    if given.wide:
        from bench.wide import wide

        wide(RESULTS, given.time_limit)
        return
    if given.runs:
        from bench.whole_run import JOBS, duckdb_runs, postgres_runs, spark_runs
        from tests.servers import PostgresServer

        jobs = given.job or list(JOBS)
        if given.engine in ("duckdb", "all"):
            full = (30_162, 1_000_000, 10_000_000, 100_000_000) if given.full else (30_162, 1_000_000)
            duckdb_runs(RESULTS, given.rows or full, jobs)
        elsewhere = given.rows or ((30_162, 1_000_000) if given.full else (30_162,))
        if given.engine in ("postgresql", "all"):
            with PostgresServer() as server:
                postgres_runs(RESULTS, server.url(), elsewhere, jobs)
        if given.engine in ("spark", "all"):
            spark_runs(RESULTS, elsewhere, jobs)
        return
    if given.frontier:
        from bench.frontier import frontiers
        from tests.servers import PostgresServer

        database = RESULTS / "frontier.duckdb"
        database.unlink(missing_ok=True)
        with PostgresServer() as server:
            frontiers(RESULTS, {"duckdb": f"duckdb:///{database}", "postgresql": server.url()})
        return
    if given.engine == "spark":
        raise SystemExit("plans on Spark beside its GROUP BY: python -m bench.engines_ratio --engines spark")
    if given.engine != "postgresql":
        sizes = (30_162, 300_000, 1_000_000, 3_000_000, 10_000_000) if given.full else (30_162, 300_000, 1_000_000)
        duckdb_ratios(RESULTS, sizes, given.algorithm, given.repeats)
    if given.engine != "duckdb":
        sizes = (30_162, 1_000_000) if given.full else (30_162, 200_000)
        url = os.environ.get("KANON_BENCH_POSTGRES_URL")
        if url:
            postgres_ratios(RESULTS, url, sizes, given.algorithm, given.repeats)
        else:
            # The server of the test suite: a wheel's binaries, nothing to install.
            from tests.servers import PostgresServer

            with PostgresServer() as server:
                postgres_ratios(RESULTS, server.url(), sizes, given.algorithm, given.repeats)


if __name__ == "__main__":
    main()
