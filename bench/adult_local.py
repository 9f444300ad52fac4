"""Every local recoding on the Adult census: python -m bench.adult_local.

Eight attributes without hierarchies (age and education-num numeric), rows without `?`. Each release is published by `kanon run` into
a DuckDB file, as a whole process, exported, and scored: by the engine, or with --scorer by a program outside the project that is
called as `scorer --orig FILE --release FILE --id row_id --k K --json` and prints an object with ncp, min_class and released.
With --levels: nine attributes with their hierarchies, metric glm, planned only.
The Adult file is read from --data, KANON_TEST_DATA, or ../shared/data beside the checkout; nothing of it is kept but figures.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import duckdb
import yaml

from bench.choices import literal
from bench.measure import Measured, measure, print_table

BESIDE = Path(__file__).resolve().parents[2] / "shared" / "data"
RESULTS = Path(__file__).parent / "results"
SECONDS = 3000.0
SAME = 1e-9
NUMERIC = ("age", "education-num")
WORDS = ("workclass", "marital-status", "occupation", "race", "sex", "native-country")
VARIANTS: dict[str, dict[str, Any]] = {
    "anneal": {"algorithm": "anneal"},
    "k-member": {"algorithm": "k-member"},
    "bottom-up": {"algorithm": "bottom-up"},
    "top-down": {"algorithm": "top-down"},
    "mondrian, strict, by gain": {"algorithm": "mondrian"},
    "mondrian, strict, widest": {"algorithm": "mondrian", "cut": "widest"},
    "mondrian, relaxed, by gain": {"algorithm": "mondrian", "relaxed": True},
    "udrv": {"algorithm": "udrv"},
    "udrv-suppress": {"algorithm": "udrv-suppress"},
    "euclidean": {"algorithm": "euclidean"},
    "spatial-distance": {"algorithm": "spatial-distance"},
}


@dataclass(frozen=True)
class Scored:
    """One release: its loss by the engine and by the scorer, its smallest class, and what its process took."""

    variant: str
    k: int
    ncp: float
    outside: float | None
    smallest: int
    largest_group: float
    cpu: float
    wall: float
    mebibytes: float


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.adult_local", description=__doc__)
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("KANON_TEST_DATA") or BESIDE))
    parser.add_argument("--variants", nargs="+", choices=list(VARIANTS), default=list(VARIANTS))
    parser.add_argument("--k", type=int, nargs="+", default=[2, 5, 10, 25, 50])
    parser.add_argument("--scorer", type=Path, help="a program that scores an exported release")
    parser.add_argument("--levels", action="store_true", help="nine attributes with hierarchies, by glm")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="override a key of the job")
    given = parser.parse_args()
    if given.levels:
        return _with_levels(given)
    file = given.data / "adult_full.csv"
    if not file.exists():
        raise SystemExit(f"there is no {file}: name the directory of the Adult file by --data or KANON_TEST_DATA")
    RESULTS.mkdir(parents=True, exist_ok=True)
    found: list[Scored] = []
    with tempfile.TemporaryDirectory(prefix="adult_local_") as name:
        place = Path(name)
        _load(file, place)
        for variant in given.variants:
            for k in given.k:
                found.append(_released(place, variant, k, given))
                with (RESULTS / "adult_local.jsonl").open("a", encoding="utf-8") as lines:
                    lines.write(json.dumps(asdict(found[-1])) + "\n")
    show(found)


def _with_levels(given: argparse.Namespace) -> None:
    names = [path.stem.removeprefix("adult_hierarchy_") for path in sorted(given.data.glob("adult_hierarchy_*.csv"))]
    if not names:
        raise SystemExit(f"there are no adult_hierarchy_*.csv in {given.data}")
    rows = []
    with tempfile.TemporaryDirectory(prefix="adult_local_") as name:
        job = Path(name) / "adult.yml"
        for variant in given.variants:
            for k in given.k:
                columns = {
                    name: {"role": "quasi", "hierarchy": str(given.data.resolve() / f"adult_hierarchy_{name}.csv")}
                    for name in names
                }
                document = {
                    "version": 1,
                    "source": {"file": str(given.data.resolve() / "adult.csv"), "options": {"delim": ";"}},
                    "privacy": {"k": k},
                    "columns": columns,
                    "utility": {"metric": "glm"},
                    "search": VARIANTS[variant],
                }
                job.write_text(yaml.safe_dump(document, sort_keys=False), encoding="utf-8")
                run = _kanon("plan", job, given.set, f"{variant}, k = {k}")
                plan = json.loads(run.output)
                rows.append((variant, str(k), f"{plan['utility']['glm']:.4f}", f"{run.cpu:.0f}", f"{run.wall:.0f}"))
    print_table("nine attributes with hierarchies", ("algorithm", "k", "glm", "CPU s", "s"), rows)


def _kanon(command: str, job: Path, settings: list[str], what: str) -> Measured:
    words = [sys.executable, "-m", "kanon_sql", command, str(job), "--json", "--quiet"]
    run = measure([*words, *(part for s in settings for part in ("--set", s))], SECONDS)
    if run.exit_code:
        raise SystemExit(f"{what}: exit code {run.exit_code}\n{run.errors[-2000:]}")
    return run


def show(found: list[Scored]) -> None:
    """The losses, whether the scorer found the same, CPU seconds and seconds."""
    ks = sorted({one.k for one in found})
    of = {(one.variant, one.k): one for one in found}
    variants = list(dict.fromkeys(one.variant for one in found))

    def table(title: str, cell: Any) -> None:
        rows = [(v, *(cell(of[v, k]) if (v, k) in of else "" for k in ks)) for v in variants]
        print_table(title, ("algorithm", *(f"k = {k}" for k in ks)), rows)

    # What is published counts: a scorer that looks at the values of a class, not at their labels, does not see a blank.
    table("NCP of what is published, mean over cells, by the engine", lambda one: f"{one.ncp:.4f}")
    if any(one.outside is not None for one in found):
        table(
            "NCP of the classes, by the scorer",
            lambda one: "same" if one.outside is None or abs(one.outside - one.ncp) < SAME else f"{one.outside:.4f}",
        )
    table("CPU seconds / seconds of the whole process", lambda one: f"{one.cpu:.0f} / {one.wall:.0f}")


def _load(file: Path, place: Path) -> None:
    names = ", ".join(
        f'cast(trim("{name}") as integer) as "{name}"' if name in NUMERIC else f'trim("{name}") as "{name}"'
        for name in (*NUMERIC, *WORDS)
    )
    whole = " and ".join(f"\"{name}\" <> '?'" for name in WORDS)
    with duckdb.connect(str(place / "adult.duckdb")) as connection:
        connection.execute(
            f"create table adult as select row_number() over () - 1 as row_id, * from "
            f"(select {names} from read_csv({literal(str(file))}, all_varchar = true, header = true)) where {whole}"
        )
        columns = ", ".join(f'"{name}"' for name in (*NUMERIC, *WORDS))
        target = literal(str(place / "orig.csv"))
        connection.execute(f"copy (select {columns} from adult order by row_id) to {target} (header)")


def _released(place: Path, variant: str, k: int, given: argparse.Namespace) -> Scored:
    job = place / "adult.yml"
    document = {
        "version": 1,
        "source": {"url": "duckdb:///adult.duckdb", "table": "adult", "fingerprint": False},
        # Every row carries its number, by which the scorer finds the row it was made of.
        "privacy": {"k": k, "accept": ["nearly_unique_columns"]},
        "columns": {"row_id": {"role": "keep"}} | {name: {"role": "quasi"} for name in (*NUMERIC, *WORDS)},
        "utility": {"metric": "ncp"},
        "search": VARIANTS[variant],
        "publish": {"table": "release.adult", "keep": 1},
    }
    job.write_text(yaml.safe_dump(document, sort_keys=False), encoding="utf-8")
    run = _kanon("run", job, given.set, f"{variant}, k = {k}")
    plan = json.loads(run.output)
    outside, smallest = None, int(plan["verified"]["k"])
    if given.scorer:
        with duckdb.connect(str(place / "adult.duckdb"), read_only=True) as connection:
            connection.execute(f"copy release.adult to {literal(str(place / 'release.csv'))} (header)")
        files = ["--orig", str(place / "orig.csv"), "--release", str(place / "release.csv")]
        scored = subprocess.run(
            [sys.executable, str(given.scorer), *files, "--id", "row_id", "--k", str(k), "--json"],
            capture_output=True,
            text=True,
            check=True,
        )
        told = json.loads(scored.stdout)
        outside, smallest = float(told["ncp"]), int(told["min_class"])
    return Scored(
        variant,
        k,
        float(plan["utility"]["ncp"]),
        outside,
        smallest,
        float(plan["figures"]["largest_class"]),
        run.cpu,
        run.wall,
        run.peak_mebibytes,
    )


if __name__ == "__main__":
    main()
