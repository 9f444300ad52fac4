"""The frontier of POkA's lattice through the engines: nodes measured, statements and seconds, pareto beside poka (table 3 of the paper).

It needs the Adult census (adult.csv of KANON_TEST_DATA, or ../shared/data beside the checkout): the paper's figures are about it.
"""

from __future__ import annotations

import csv
from pathlib import Path

import yaml

from bench.measure import print_table
from kanon_sql.config.load import load_job
from kanon_sql.flows.pareto import FrontierResult, pareto
from tests.adult_of_the_paper import NAMES, adult_rows, levels_of
from tests.support import make_table

ETA = 0.01
HEADER = (
    "engine",
    "algorithm",
    "depth",
    "nodes",
    "measured",
    "share",
    "points",
    "true optima",
    "statements",
    "seconds",
)


def frontiers(directory: Path, urls: dict[str, str]) -> None:
    """Measure both algorithms on every engine and print the table; true optima are those of the exact frontier."""
    rows = []
    people = adult_rows()
    for engine, url in urls.items():
        make_table(
            url, "adult", [f'"{name}" varchar(40)' for name in NAMES], [[row[name] for name in NAMES] for row in people]
        )
        job_file = _job(directory, url, people)
        exact: FrontierResult | None = None
        for algorithm, depth in (("pareto", None), ("poka", 1), ("poka", 2), ("poka", None)):
            found = pareto(load_job(job_file), algorithm=algorithm, depth=depth, keep=False)
            exact = exact or found
            truth = {(point.k, round(point.loss, 9)) for point in exact.frontier.points}
            true = sum((point.k, round(point.loss, 9)) in truth for point in found.frontier.points)
            frontier = found.frontier
            rows.append(
                [engine, algorithm, "" if depth is None else str(depth), f"{frontier.nodes:,}", f"{frontier.evaluated:,}",
                 f"{frontier.evaluated / frontier.nodes:.1%}", str(len(frontier.points)), f"{true} of {len(truth)}",
                 f"{found.statements:,}", f"{found.seconds:.1f}"]
            )  # fmt: skip
    print_table(f"Adult, 17,920 nodes, eta {ETA:.0%}, glm", HEADER, rows)


def _job(directory: Path, url: str, people: list[dict[str, str]]) -> Path:
    columns = {}
    for name in NAMES:
        file = directory / f"paper_{name}.csv"
        with file.open("w", newline="", encoding="utf-8") as handle:
            writer = csv.writer(handle, delimiter=";")
            for value in sorted({row[name] for row in people}):
                writer.writerow(levels_of(name, value))
        columns[name] = {"role": "quasi", "hierarchy": file.name}
    document = {
        "version": 1,
        "source": {"url": url, "table": "adult"},
        "privacy": {"k": 2, "suppression": ETA},
        "columns": columns,
        "utility": {"metric": "glm"},
    }
    path = directory / "paper.job.yml"
    path.write_text(yaml.safe_dump(document), encoding="utf-8")
    return path
