"""Nights of kept groups on the Adult census: python -m bench.nights.

Eight attributes without hierarchies, 22,000 people, k = 10: every night a share of them leaves and as many others join, and the release is
published by `kanon run` into a DuckDB file. Told of every churn: the share published, waiting and retired on the last night, what a
published row loses (NCP) on the first and the last night, and what a fresh search at k loses on the last night's table.
The Adult file is read from --data, KANON_TEST_DATA or ../shared/data beside the checkout; without it the demo's census takes its place.
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
import time
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any

import duckdb

import kanon_sql
from bench.measure import print_table
from kanon_sql.config import Job
from kanon_sql.synthetic.census import census_sql

BESIDE = Path(__file__).resolve().parents[2] / "shared" / "data"
CENSUS = ("sex", "age", "race", "marital_status", "education", "country", "workclass", "occupation")
ADULT = ("sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation")


@dataclass(frozen=True)
class Nights:
    """What came of some nights."""

    algorithm: str
    churn: str
    margin: str
    published: str
    waiting: str
    retired: str
    first: float
    last: float
    fresh: float
    ratio: str
    first_cpu: float
    night_cpu: float
    fresh_cpu: float


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.nights", description=__doc__)
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("KANON_TEST_DATA") or BESIDE))
    parser.add_argument("--rows", type=int, default=22_000)
    parser.add_argument("--nights", type=int, default=30)
    parser.add_argument("--churn", type=float, nargs="+", default=[0.0005, 0.005])
    parser.add_argument("--k", type=int, default=10)
    parser.add_argument("--algorithm", nargs="+", default=["mondrian"])
    parser.add_argument("--margin", default="auto", help="a number, or auto: from the churn")
    parser.add_argument("--rounds", type=int, help="search.rounds")
    parser.add_argument("--wait", type=int, help="publish.wait")
    parser.add_argument("--guard", default="changed", choices=["changed", "always"])
    given = parser.parse_args()
    found = []
    for algorithm in given.algorithm:
        for churn in given.churn:
            with tempfile.TemporaryDirectory(prefix="kanon_nights_") as folder:
                found.append(nights(given, algorithm, churn, Path(folder)))
    header = [each.name.replace("_", " ") for each in fields(Nights)]
    rows = [[value if isinstance(value, str) else f"{value:.4g}" for value in astuple(one)] for one in found]
    print_table(f"{given.rows:,} people, k = {given.k}, {given.nights} nights", header, rows)


def nights(given: argparse.Namespace, algorithm: str, churn: float, folder: Path) -> Nights:
    """Publish every night, and search anew on the last."""
    file = folder / "people.duckdb"
    pool, quasi = load(given, file)
    chosen = random.Random(7)
    chosen.shuffle(pool)
    here, others = pool[: given.rows], pool[given.rows :]
    margin = given.margin if given.margin == "auto" else int(given.margin)
    search: dict[str, Any] = {"algorithm": algorithm} | ({"rounds": given.rounds} if given.rounds is not None else {})
    columns = {name: {"role": "quasi"} for name in quasi} | {"id": {"role": "identifier"}}
    job = Job.from_dict(
        source={"url": f"duckdb:///{file}", "table": "people", "person": "id"},
        privacy={"k": given.k, "margin": margin, "churn": churn, "nights": given.nights},
        columns=columns,
        utility={"metric": "ncp"},
        search=search,
        publish={"table": "release.people", "keep": 1, "guard": given.guard, "wait": given.wait},
        base=folder,
    )
    lost: list[float] = []
    spent: list[float] = []
    result = None
    for night in range(given.nights + 1):
        if night:
            leaving = round(churn * given.rows)
            chosen.shuffle(here)
            chosen.shuffle(others)
            here, others = here[leaving:] + others[:leaving], others[leaving:] + here[:leaving]
        tonight(file, here)
        begun = time.process_time()
        result = kanon_sql.run(job)
        spent.append(time.process_time() - begun)
        lost.append(of_published(result.plan))
        print(f"{algorithm} {churn:.2%} night {night}: {result.plan.notes[-1]}; NCP {lost[-1]:.4f}", flush=True)
    assert result is not None
    plan, told = result.plan, result.plan.figures["night"]
    begun = time.process_time()
    fresh = kanon_sql.plan(job.with_margin(0).model_copy(update={"publish": None}))
    searched = time.process_time() - begun
    return Nights(
        algorithm,
        f"{churn:.2%}",
        next(
            (note.split(",")[0].rpartition(" ")[2] for note in plan.notes if note.startswith("privacy.margin")),
            str(margin),
        ),
        f"{1 - plan.suppressed / plan.rows:.2%}",
        f"{told['waiting'] / plan.rows:.2%}",
        f"{told['retired'] / plan.rows:.2%}",
        lost[0],
        lost[-1],
        of_published(fresh),
        f"{lost[-1] / of_published(fresh):.3f}",
        spent[0],
        sum(spent[1:]) / max(1, len(spent) - 1),
        searched,
    )


def of_published(plan: kanon_sql.PlanResult) -> float:
    """What a published row loses: a withheld one counts as wholly lost in the plan's figure."""
    kept = plan.rows - plan.suppressed
    return (plan.utility["ncp"] * plan.rows - plan.suppressed) / kept


def load(given: argparse.Namespace, file: Path) -> tuple[list[int], list[str]]:
    """Everybody there is, as a table `everybody`; their numbers and the quasi-identifiers."""
    adult = given.data / "adult.csv"
    with duckdb.connect(str(file)) as connection:
        if adult.exists():
            quoted = ", ".join(f'"{name}"' for name in ADULT)
            source = f"select {quoted} from read_csv('{adult}')"
            times = 1
            while len(connection.sql(source).fetchall()) * times < given.rows * 1.2:
                times += 1
            source = " union all ".join([source] * times)
            quasi = list(ADULT)
        else:
            connection.execute(census_sql("census", given.rows * 3 // 2, 1, "duckdb"))
            quasi = [name for name in CENSUS if name in connection.sql("select * from census").columns]
            source = f"select {', '.join(quasi)} from census"
        connection.execute(f"create table everybody as select row_number() over () as id, * from ({source})")
        numbers = [int(number) for (number,) in connection.sql("select id from everybody order by id").fetchall()]
    return numbers, quasi


def tonight(file: Path, here: list[int]) -> None:
    with duckdb.connect(str(file)) as connection:
        connection.execute("create or replace temp table here as select unnest($1) as id", [here])
        connection.execute(
            "create or replace table people as select everybody.* from everybody join here using (id) order by id"
        )


if __name__ == "__main__":
    main()
