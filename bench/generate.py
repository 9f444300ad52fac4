"""Makes the tables of the benchmarks, each with its job file: python -m bench.generate --help.

Seeded and set-based: rows are made by the embedded engine in one statement and loaded into PostgreSQL by COPY.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from bench import adult_like, death_certificates, hospital_stays
from bench.choices import literal

# Bytes that cross to PostgreSQL at a time.
COPY_BYTES = 1 << 20


@dataclass(frozen=True)
class Table:
    """A table that can be made in any size: its statements, and what its job file says of it."""

    name: str
    rows: int
    statements: Callable[..., list[str]]
    columns: Callable[[], dict[str, dict[str, Any]]]
    hierarchies: Callable[[], Mapping[str, str]] = dict


TABLES = {
    "adult-like": Table("adult_like", 30_162, adult_like.statements, adult_like.columns),
    "death-certificates": Table(
        "death_certificates",
        death_certificates.ROWS,
        death_certificates.statements,
        death_certificates.columns,
        death_certificates.hierarchies,
    ),
    "hospital-stays": Table("hospital_stays", hospital_stays.ROWS, hospital_stays.statements, hospital_stays.columns),
}


def generate(
    kind: str, target: Path, rows: int | None = None, seed: int = 1, resample: Path | None = None, **job_settings: Any
) -> Path:
    """Write a table to a .duckdb, .parquet or .csv file and its job file beside it; returns the job file's path."""
    table = TABLES[kind]
    target.parent.mkdir(parents=True, exist_ok=True)
    made = table.statements(rows or table.rows, seed, *([resample] if resample else []))
    if target.suffix == ".duckdb":
        with duckdb.connect(str(target)) as connection:
            _execute(connection, made)
        source = {"url": f"duckdb:///{target.name}", "table": table.name}
    elif target.suffix in (".parquet", ".csv"):
        kind_of_file = "format parquet" if target.suffix == ".parquet" else "format csv, header"
        with duckdb.connect() as connection:
            _execute(connection, made)
            connection.execute(f"copy {table.name} to {literal(str(target))} ({kind_of_file})")
        source = {"file": target.name}
    else:
        raise ValueError(f"{target.name}: the target is a .duckdb, .parquet or .csv file")
    return write_job(kind, target.with_suffix(".job.yml"), source, **job_settings)


def load_postgres(kind: str, url: str, job: Path, rows: int | None = None, seed: int = 1, **job_settings: Any) -> Path:
    """Make a table, COPY it into a PostgreSQL database (one of the same name is replaced) and write its job file.

    The job file names the database by ${KANON_URL}: a URL may carry a password.
    """
    import psycopg

    table = TABLES[kind]
    exported = job.with_suffix(".copy.csv")
    job.parent.mkdir(parents=True, exist_ok=True)
    with duckdb.connect() as connection:
        _execute(connection, table.statements(rows or table.rows, seed))
        described = connection.execute(f"describe {table.name}").fetchall()
        connection.execute(f"copy {table.name} to {literal(str(exported))} (format csv, header false)")
    definition = ", ".join(f'"{name}" {_postgres_type(kind_of)}' for name, kind_of, *_ in described)
    try:
        with (
            psycopg.connect(url.replace("postgresql+psycopg://", "postgresql://", 1)) as server,
            exported.open("rb") as rows_file,
        ):
            server.execute(f'drop table if exists "{table.name}"')
            server.execute(f'create table "{table.name}" ({definition})')
            with server.cursor().copy(f'copy "{table.name}" from stdin (format csv)') as copy:
                while block := rows_file.read(COPY_BYTES):
                    copy.write(block)
            server.execute(f'analyze "{table.name}"')
    finally:
        exported.unlink(missing_ok=True)
    return write_job(kind, job, {"url": "${KANON_URL}", "table": table.name}, **job_settings)


def write_job(
    kind: str,
    path: Path,
    source: Mapping[str, str],
    k: int = 5,
    suppression: float = 0.0,
    metric: str = "glm",
    algorithm: str = "exhaustive",
    attributes: Sequence[str] | None = None,
) -> Path:
    """Write the job file of a table, and its hierarchy files beside it.

    `attributes` are the quasi-identifiers; the others are dropped. All are, if none is named.
    """
    table = TABLES[kind]
    columns = table.columns()
    unknown = set(attributes or ()) - set(columns)
    if unknown:
        raise ValueError(f"{table.name} has no attribute {', '.join(sorted(unknown))}")
    lines = [
        f"# {table.name}: written by bench/generate.py",
        "version: 1",
        f"source: {json.dumps(source)}",
        f"privacy: {json.dumps({'k': k, 'suppression': suppression})}",
        "columns:",
    ]
    for name, column in columns.items():
        kept = column if attributes is None or name in attributes else {"role": "drop"}
        lines.append(f"  {json.dumps(name)}: {json.dumps(kept)}")
    lines += [
        f"utility: {json.dumps({'metric': metric})}",
        f"search: {json.dumps({'algorithm': algorithm, 'seed': 1})}",
        f"publish: {json.dumps({'table': f'release.{table.name}'})}",
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    for name, text in table.hierarchies().items():
        (path.parent / name).parent.mkdir(parents=True, exist_ok=True)
        (path.parent / name).write_text(text, encoding="utf-8")
    return path


def _execute(connection: duckdb.DuckDBPyConnection, statements: Sequence[str]) -> None:
    connection.execute("set enable_progress_bar = false")
    for statement in statements:
        connection.execute(statement)


def _postgres_type(name: str) -> str:
    return {"VARCHAR": "text", "DOUBLE": "double precision"}.get(name, name.lower())


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.generate", description=__doc__)
    parser.add_argument("table", choices=sorted(TABLES))
    parser.add_argument("--to", type=Path, help="a .duckdb, .parquet or .csv file")
    parser.add_argument(
        "--postgres", metavar="URL", help="load it into this PostgreSQL database; --job names the job file"
    )
    parser.add_argument("--job", type=Path, help="the job file to write, with --postgres")
    parser.add_argument("--rows", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--resample", type=Path, metavar="CSV", help="adult-like: take the prototypes from this file")
    given = parser.parse_args(arguments)
    if given.resample and given.table != "adult-like":
        parser.error("--resample goes with adult-like")
    if given.to:
        print(generate(given.table, given.to, given.rows, given.seed, given.resample))
    elif given.postgres and given.job:
        print(load_postgres(given.table, given.postgres, given.job, given.rows, given.seed))
    else:
        parser.error("say where to: --to FILE, or --postgres URL --job FILE")
    return 0


if __name__ == "__main__":
    sys.exit(main())
