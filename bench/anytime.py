"""Is `auto` ever worse than another local recoding of the same table in the same time? python -m bench.anytime

Every algorithm is planned, then `auto`: once with all the time it wants, and once for each algorithm with `search.time_limit` set to what
that algorithm's search took. All are whole processes. Limits go by the clock: with other work on the machine compare side by side only.
Tables: those that are made (--made), or any CSV or Parquet file (--file), whose columns are quasi-identifiers, numerics as ranges and
others as plain sets, unless named by --drop, or not named by --quasi. Searches for limits alone: --limits.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import yaml

from bench.choices import literal
from bench.generate import TABLES, generate
from bench.measure import measure, print_table

SECONDS = 3000.0
ALGORITHMS = ("mondrian", "mondrian:16", "bottom-up", "euclidean", "k-member", "top-down")
SLOW = ("spatial-distance", "udrv")
NOISE = 1e-4
"""A loss that differs by no more than this share is the same."""
HEADER = (
    "table",
    "k",
    "algorithm",
    "loss",
    "search s",
    "CPU s",
    "auto",
    "s",
    "CPU s",
    "auto, same time",
    "s",
    "CPU s",
    "",
)
LIMITED = ("table", "k", "algorithm", "limit s", "loss", "search s", "plan s", "CPU s", "smallest", "")


@dataclass(frozen=True)
class Planned:
    """One plan: its loss, what the search and the whole process took, and its smallest group."""

    loss: float
    search: float
    wall: float
    cpu: float
    smallest: int


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.anytime", description=__doc__)
    parser.add_argument("--made", nargs="*", choices=["census", *TABLES], default=[])
    parser.add_argument("--rows", type=int, help="of the made tables")
    parser.add_argument("--file", type=Path, nargs="*", default=[])
    parser.add_argument("--quasi", nargs="+", help="the columns that take part; all if none is named")
    parser.add_argument("--drop", nargs="+", default=[], help="columns that do not take part")
    parser.add_argument("--metric", help="glm for made tables, ncp for files, unless given")
    parser.add_argument("--k", type=int, nargs="+", default=[5])
    parser.add_argument("--algorithms", nargs="+", default=ALGORITHMS, help="an algorithm, or algorithm:rounds")
    parser.add_argument("--slow", action="store_true", help=f"{' and '.join(SLOW)} too")
    parser.add_argument("--limits", type=float, nargs="+", help="plan under these limits instead, the shortest first")
    given = parser.parse_args()
    made = given.made or ([] if given.file else ["census"])
    rows: list[tuple[str, ...]] = []
    with tempfile.TemporaryDirectory(prefix="anytime_") as folder:
        jobs = [_made(kind, Path(folder), given) for kind in made] + [_of_file(file, given) for file in given.file]
        for name, document in jobs:
            for k in given.k:
                rows += (_limited if given.limits else _compared)(
                    name, {**document, "privacy": {"k": k}}, given, folder
                )
    title = f"whole processes; load {os.getloadavg()[0]:.0f} at the end"
    print_table(title, LIMITED if given.limits else HEADER, rows)
    worse = sum(row[-1].startswith("worse") for row in rows)
    print(f"\n{worse} of {len(rows)} worse")


def _compared(name: str, document: dict[str, Any], given: argparse.Namespace, folder: str) -> list[tuple[str, ...]]:
    k = document["privacy"]["k"]
    free = _planned(document, "auto", None, folder)
    rows = []
    for algorithm in (*given.algorithms, *(SLOW if given.slow else ())):
        other = _planned(document, algorithm, None, folder)
        same = _planned(document, "auto", max(other.search, 0.1), folder)
        worse = [what for what, one in (("free", free), ("same time", same)) if one.loss > other.loss * (1 + NOISE)]
        told = [cell for one in (free, same) for cell in (f"{one.loss:.5f}", f"{one.search:.1f}", f"{one.cpu:.1f}")]
        first = (name, str(k), algorithm, f"{other.loss:.5f}", f"{other.search:.1f}", f"{other.cpu:.1f}")
        rows.append((*first, *told, f"worse: {', '.join(worse)}" if worse else ""))
        print(" ".join(rows[-1]), file=sys.stderr, flush=True)
    return rows


def _limited(name: str, document: dict[str, Any], given: argparse.Namespace, folder: str) -> list[tuple[str, ...]]:
    """Every algorithm under ever longer limits: worse where more time lost more."""
    k, rows = document["privacy"]["k"], []
    for algorithm in given.algorithms:
        least = float("inf")
        for limit in sorted(given.limits):
            one = _planned(document, algorithm, limit, folder)
            worse = "worse" if one.loss > least * (1 + NOISE) or one.smallest < k else ""
            least = min(least, one.loss)
            figures = (f"{one.loss:.5f}", f"{one.search:.1f}", f"{one.wall:.1f}", f"{one.cpu:.1f}", str(one.smallest))
            rows.append((name, str(k), algorithm, f"{limit:g}", *figures, worse))
            print(" ".join(rows[-1]), file=sys.stderr, flush=True)
    return rows


def _planned(document: dict[str, Any], algorithm: str, limit: float | None, folder: str) -> Planned:
    name, _, rounds = algorithm.partition(":")
    search = {"algorithm": name} | ({"rounds": int(rounds)} if rounds else {})
    job, profile = Path(folder) / "anytime.job.yml", Path(folder) / "profile.json"
    settings = search | ({"time_limit": round(limit, 2)} if limit is not None else {})
    job.write_text(yaml.safe_dump({**document, "search": settings}, sort_keys=False), encoding="utf-8")
    command = [sys.executable, "-m", "kanon_sql", "plan", str(job), "--json", "--quiet", "--profile", str(profile)]
    run = measure(command, SECONDS)
    if run.exit_code:
        raise SystemExit(f"{algorithm}: exit code {run.exit_code}\n{run.errors[-2000:]}")
    plan, steps = json.loads(run.output), json.loads(profile.read_text(encoding="utf-8"))["steps"]
    spent = sum(step["seconds"] for step in steps if step["step"].startswith("searching"))
    loss = plan["utility"][document["utility"]["metric"]]
    return Planned(loss, spent, run.wall, run.cpu, int(plan["k"]))


def _made(kind: str, folder: Path, given: argparse.Namespace) -> tuple[str, dict[str, Any]]:
    if kind == "census":
        from kanon_sql.synthetic.make import make_demo

        job = make_demo(folder / "census", given.rows or 6000, 1)
    else:
        job = generate(kind, folder / f"{kind}.parquet", rows=given.rows)
    document = yaml.safe_load(job.read_text(encoding="utf-8"))
    # The job moves to another folder: what it names is looked for where it was.
    source = document["source"]
    if "file" in source:
        source["file"] = str(job.parent / source["file"])
    else:
        source["url"] = source["url"].replace("duckdb:///", f"duckdb:///{job.parent}/")
    for column in document["columns"].values():
        if "hierarchy" in column and isinstance(column["hierarchy"], str):
            column["hierarchy"] = str(job.parent / column["hierarchy"])
    document["utility"] = {"metric": given.metric or "glm"}
    document.pop("publish", None)
    return kind, document


def _of_file(file: Path, given: argparse.Namespace) -> tuple[str, dict[str, Any]]:
    with duckdb.connect() as connection:
        described = connection.execute(f"describe select * from {literal(str(file.resolve()))}").fetchall()
    names = given.quasi or [name for name, *_ in described if name not in given.drop]
    return file.stem, {
        "version": 1,
        "source": {"file": str(file.resolve())},
        "columns": {name: {"role": "quasi"} for name in names},
        "utility": {"metric": given.metric or "ncp"},
    }


if __name__ == "__main__":
    main()
