"""python -m bench.papers: the papers' evaluations on Adult, in shape.

    python -m bench.papers buckets            thesis, tables 13 to 17: which buckets survive under which algorithm
    python -m bench.papers page FILE          Xu et al. 2006, figures 7, 8 and 9: penalties and query errors against k, as one page
    python -m bench.papers simulation         thesis, table 12: the chance that random data are k-anonymous

The Adult files are read from KANON_TEST_DATA, or from ../shared/data beside the checkout; nothing of them is kept but figures.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import duckdb

from kanon_sql.cli.output import observed, print_table
from kanon_sql.config.load import load_job
from kanon_sql.config.schema import Job
from kanon_sql.errors import KanonError
from kanon_sql.evaluate.compare import ComparedRow, Comparison
from kanon_sql.evaluate.tree import Bucket, survives
from kanon_sql.flows.compare import compare
from kanon_sql.flows.tree import compare_buckets
from kanon_sql.pages.comparison_page import write_comparison

BESIDE = Path(__file__).resolve().parents[2] / "shared" / "data"
LATTICE = ("global", "local")
CLUSTERING = ("udrv", "udrv-suppress", "bottom-up", "euclidean")
FIGURES = ("best-first", "samarati", "datafly", "mondrian", "bottom-up", "top-down", "udrv", "k-member", "anneal")

LOAD = """
create table adult as
select
    cast(trim("age") as integer) as age,
    trim("workclass") as workclass,
    cast(trim("education-num") as integer) as education_num,
    trim("marital-status") as marital_status,
    trim("occupation") as occupation,
    trim("race") as race,
    trim("sex") as sex,
    trim("native-country") as native_country,
    cast(trim("capital-gain") as integer) as capital_gain,
    trim("salary-class") as salary
from read_csv('{file}', all_varchar = true, header = true)
where trim("workclass") <> '?' and trim("occupation") <> '?' and trim("native-country") <> '?'
"""

FOUR_COLUMNS = """
version: 1
source: {url: "duckdb:///adult.duckdb", table: four_columns}
privacy: {k: 5}
columns:
  age: {role: quasi, levels: [{cuts: [28, 40, 60]}, {cuts: [28, 60]}, {cuts: [28]}, "*"], rules: [{cut: 28, importance: 10}]}
  education_num: {role: quasi, levels: [{cuts: [9, 13]}, {cuts: [9]}, "*"], rules: [{cut: 9, importance: 5}]}
  capital_gain:
    role: quasi
    weight: 8
    levels: [{cuts: [1, 3000, 6001, 15000]}, {cuts: [3000, 6001]}, {cuts: [6001]}, "*"]
    rules: [{cut: 6001, importance: 25}]
  salary: {role: quasi, weight: 3, levels: ["*"], rules: [{apart: ["<=50K", ">50K"], importance: 25}]}
utility: {metric: rv, base: 5, importance: 0.9}
"""

EIGHT_COLUMNS = """
version: 1
source: {url: "duckdb:///adult.duckdb", table: eight_columns}
privacy: {k: 5}
columns:
  age: {role: quasi, levels: [5, 10, 20, 40, "*"]}
  education_num: {role: quasi, levels: [2, 4, 8, "*"]}
  workclass:
    role: quasi
    groups:
      - Self-employed: [Self-emp-inc, Self-emp-not-inc]
        Government: [Federal-gov, Local-gov, State-gov]
        Private: [Private]
        Unemployed: [Without-pay]
      - "*"
  marital_status:
    role: quasi
    groups:
      - {Married: [Married-civ-spouse, Married-AF-spouse], Not-married: [Divorced, Separated, Widowed, Married-spouse-absent, Never-married]}
      - "*"
  occupation: {role: quasi}
  race: {role: quasi}
  sex: {role: quasi}
  native_country: {role: quasi}
utility: {metric: ncp}
"""


def adult(folder: Path, job: str, columns: str, table: str) -> Job:
    """Adult in an embedded database, 30,162 rows without unknowns, and a job about some of its columns."""
    data = Path(os.environ.get("KANON_TEST_DATA") or BESIDE) / "adult_full.csv"
    if not data.exists():
        sys.exit(f"no adult_full.csv in {data.parent}: set KANON_TEST_DATA to a folder that has it")
    database = duckdb.connect(str(folder / "adult.duckdb"))
    database.execute(LOAD.format(file=str(data).replace("'", "''")))
    database.execute(f"create table {table} as select {columns} from adult")
    database.close()
    (folder / "job.yml").write_text(job, encoding="utf-8")
    return load_job(folder / "job.yml")


def buckets(algorithms: Sequence[str], ks: Sequence[int]) -> None:
    """Tables 13 to 17: individuals / features / split percentage of the purest bucket of each salary."""
    with tempfile.TemporaryDirectory() as folder, observed() as observer:
        job = adult(Path(folder), FOUR_COLUMNS, "age, education_num, capital_gain, salary", "four_columns")
        rows = []
        for algorithm in algorithms:
            try:
                rows += compare_buckets(job, "salary", [algorithm], ks, observer)
            except KanonError as error:
                print(f"{algorithm}: {error.message}", file=sys.stderr)
    for k in ks:
        print(f"\nk = {k}")
        table: list[list[object]] = []
        for row in rows:
            if row.k != k:
                continue
            if row.trees is None:
                table.append([row.algorithm, "", row.failure, "", "NA", "no"])
                continue
            for value, source, release in row.trees.buckets:
                kept = survives(source, release)
                table.append([row.algorithm, value, _told(source), row.trees.unknown, _told(release, clear=True), kept])
        print_table(["algorithm", "salary", "raw table", "rows with both salaries", "release", "survives"], table)


def _told(bucket: Bucket | None, clear: bool = False) -> str:
    if bucket is None:
        return "NA"
    rows, share = (bucket.clear_rows, bucket.clear_share) if clear else (bucket.rows, bucket.share)
    return f"{rows:,} / {' and '.join(bucket.conditions)} / {share:.0%}"


def page(file: Path, algorithms: Sequence[str], ks: Sequence[int], queries: int) -> None:
    """Figures 7, 8 and 9 as one comparison page."""
    columns = "age, education_num, workclass, marital_status, occupation, race, sex, native_country"
    found: list[ComparedRow] = []
    with tempfile.TemporaryDirectory() as folder, observed() as observer:
        job = adult(Path(folder), EIGHT_COLUMNS, columns, "eight_columns")
        for algorithm in algorithms:
            try:
                found += compare(job, [algorithm], ks, observer, queries=queries).rows
            except KanonError as error:
                print(f"{algorithm}: {error.message}", file=sys.stderr)
    comparison = Comparison(tuple(sorted(found, key=lambda row: row.asked_k)))
    about = (
        "The Adult census (30,162 rows, eight quasi-identifiers, no rows left out): certainty penalty, discernibility penalty and the "
        "error of random COUNT and SUM queries against k, as figures 7, 8 and 9 of Xu et al. (2006) draw them."
    )
    write_comparison(comparison, file, title="Algorithms on the Adult census", job="", about=about)
    print(f"wrote {file}")


def simulation() -> None:
    """Table 12."""
    from kanon_sql.cli.simulate import simulate

    simulate(None, None, None, 5, 2, 200, 0, False, 1, "duckdb:///:memory:", [], False, False, False, False)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bench.papers", description=__doc__.splitlines()[0] if __doc__ else ""
    )
    commands = parser.add_subparsers(dest="command", required=True)
    told = commands.add_parser("buckets", help="thesis, tables 13 to 17")
    drawn = commands.add_parser("page", help="Xu et al. 2006, figures 7 to 9")
    drawn.add_argument("file", type=Path)
    drawn.add_argument("--queries", type=int, default=1000)
    told.add_argument("--algorithms", default=",".join((*LATTICE, *CLUSTERING)))
    drawn.add_argument("--algorithms", default=",".join(FIGURES))
    told.add_argument("--k", default="3,5,10")
    drawn.add_argument("--k", default="2,5,10,25,50")
    commands.add_parser("simulation", help="thesis, table 12")
    given = parser.parse_args()
    if given.command == "simulation":
        simulation()
        return
    algorithms, ks = given.algorithms.split(","), [int(k) for k in given.k.split(",")]
    if given.command == "buckets":
        buckets(algorithms, ks)
    else:
        page(given.file, algorithms, ks, given.queries)


if __name__ == "__main__":
    main()
