"""`kanon plan` against one plain GROUP BY of the same columns on the same table, each as a whole cold process.

DuckDB works inside the process, so CPU seconds are compared; PostgreSQL works in its server, so there it is wall seconds.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from bench.adult_like import COLUMNS
from bench.generate import generate, load_postgres
from bench.measure import Measured, measure, print_table

BUDGETS = (0.0, 0.01)
SECONDS = 1800.0
NAMES = ", ".join(f'"{name}"' for name in COLUMNS)
COUNTED = f"select count(*), max(n) from (select count(*) as n from adult_like group by {NAMES}) as classes"
HEADER = ("rows", "combinations", "budget", "GROUP BY s", "plan s", "ratio", "checks", "nodes", "glm", "peak MiB")


def duckdb_ratios(directory: Path, sizes: Sequence[int], algorithm: str, repeats: int) -> None:
    """Print the table for DuckDB, CPU seconds."""
    rows = []
    for size in sizes:
        database = directory / f"adult_like_{size}.duckdb"
        job = generate("adult-like", database, rows=size, algorithm=algorithm)
        program = (
            "import duckdb, json, sys; connection = duckdb.connect(sys.argv[1], read_only=True);"
            "connection.execute('set enable_progress_bar = false');"
            "print(json.dumps(connection.execute(sys.argv[2]).fetchone()))"
        )
        plain = _repeated([sys.executable, "-c", program, str(database), COUNTED], repeats)
        for budget in BUDGETS:
            plan = _repeated(_plan(job, budget), repeats)
            rows.append(_row(size, budget, plain, plan, [run.cpu for run in plain], [run.cpu for run in plan]))
        database.unlink()
    print_table(f"DuckDB, whole processes, CPU seconds, {algorithm}, k=5, median of {repeats}", HEADER, rows)


def postgres_ratios(directory: Path, url: str, sizes: Sequence[int], algorithm: str, repeats: int) -> None:
    """Print the table for PostgreSQL, wall seconds."""
    rows = []
    environment = {"KANON_URL": url}
    for size in sizes:
        job = load_postgres("adult-like", url, directory / "postgres.job.yml", rows=size, algorithm=algorithm)
        program = (
            "import json, os, psycopg, sys;"
            "connection = psycopg.connect(os.environ['KANON_URL'].replace('postgresql+psycopg:', 'postgresql:', 1));"
            "print(json.dumps(connection.execute(sys.argv[1]).fetchone()))"
        )
        plain = _repeated([sys.executable, "-c", program, COUNTED], repeats, environment)
        for budget in BUDGETS:
            plan = _repeated(_plan(job, budget), repeats, environment)
            rows.append(_row(size, budget, plain, plan, [run.wall for run in plain], [run.wall for run in plan]))
    print_table(f"PostgreSQL, whole processes, wall seconds, {algorithm}, k=5, median of {repeats}", HEADER, rows)


def _plan(job: Path, budget: float) -> list[str]:
    command = [sys.executable, "-m", "kanon_sql", "plan", str(job), "--json", "--quiet"]
    return [*command, "--set", f"privacy.suppression={budget}"]


def _repeated(command: Sequence[str], repeats: int, environment: dict[str, str] | None = None) -> list[Measured]:
    runs = [measure(command, SECONDS, environment) for _ in range(repeats)]
    for run in runs:
        if run.exit_code:
            raise SystemExit(f"exit code {run.exit_code} from {' '.join(command)}\n{run.errors[-2000:]}")
    return runs


def _row(
    size: int,
    budget: float,
    plain: Sequence[Measured],
    plan: Sequence[Measured],
    plain_seconds: Sequence[float],
    plan_seconds: Sequence[float],
) -> tuple[str, ...]:
    combinations, _ = json.loads(plain[0].output)
    found = json.loads(plan[0].output)
    before, after = median(plain_seconds), median(plan_seconds)
    return (
        f"{size:,}",
        f"{combinations:,}",
        f"{budget:.0%}",
        f"{before:.2f}",
        f"{after:.2f}",
        f"{after / before:.2f}",
        f"{found['checks']:,}",
        f"{found['nodes']:,}",
        f"{found['utility']['glm']:.6f}",
        f"{max(run.peak_mebibytes for run in plan):,.0f}",
    )
