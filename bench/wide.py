"""Wide tables: what best-first finds within a time limit, what it proves, and that a larger budget never loses more.

Three tables: one of ARX's benchmark for many attributes (where its files are at hand: KANON_TEST_DATA or ../shared/data), the
death certificates, and hospital stays. Every line is a whole process of `kanon plan`.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from bench.generate import generate
from bench.measure import CHECKOUT, measure, print_table

BUDGETS = (0, 0.01, 0.05, 0.2, 0.5, 1)
HEADER = ("table", "k", "budget", "glm", "proven gap", "suppressed", "checks", "CPU s", "wall s", "peak MiB")


def wide(directory: Path, time_limit: float) -> None:
    """Print the table, line by line as it is measured."""
    lines = []
    jobs: list[tuple[Path, str, int, float]] = []
    if (published := _mach2019(directory)) is not None:
        jobs += [(published, "MACH2019", 5, budget) for budget in BUDGETS]
    certificates = generate("death-certificates", directory / "wide_certificates.duckdb")
    jobs += [(certificates, "death certificates", k, 0.01) for k in (3, 5)]
    stays = generate("hospital-stays", directory / "wide_stays.duckdb")
    jobs += [(stays, "hospital stays", 5, budget) for budget in (0, 0.01, 0.05, 1)]
    for job, name, k, budget in jobs:
        lines.append(_planned(job, name, k, budget, time_limit))
        print(" ".join(lines[-1]), file=sys.stderr, flush=True)
    print_table(f"Wide tables, best-first, {time_limit:g} s each", HEADER, lines)


def _planned(job: Path, name: str, k: int, budget: float, time_limit: float) -> list[str]:
    settings = {
        "privacy.k": k,
        "privacy.suppression": budget,
        "search.algorithm": "best-first",
        "search.time_limit": time_limit,
    }
    command = [sys.executable, "-m", "kanon_sql", "plan", str(job), "--json", "--quiet"]
    command += [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
    ran = measure(command, 3 * time_limit + 60)
    shown = [name, str(k), f"{budget:g}"]
    if ran.exit_code:
        return [*shown, ran.errors.strip()[-60:], *[""] * (len(HEADER) - 4)]
    plan = json.loads(ran.output)
    gap = "exact" if plan["exact"] else f"{plan['gap']:.4f}"
    figures = [f"{plan['utility']['glm']:.4f}", gap, f"{plan['suppressed']:,}", f"{plan['checks']:,}"]
    return [*shown, *figures, f"{ran.cpu:.1f}", f"{ran.wall:.1f}", f"{ran.peak_mebibytes:.0f}"]


def _mach2019(directory: Path) -> Path | None:
    """The job of the published table; None where its files are not there."""
    for place in (os.environ.get("KANON_TEST_DATA"), CHECKOUT.parent / "shared" / "data"):
        if place and (table := Path(place).resolve() / "mach2019" / "mach2019.csv").exists():
            break
    else:
        print("MACH2019 is not there (KANON_TEST_DATA): left out", file=sys.stderr)
        return None
    names = table.read_text(encoding="utf-8").split("\n", 1)[0].strip().split(",")
    columns = {name: {"role": "quasi", "hierarchy": str(table.parent / f"hierarchy_{name}.csv")} for name in names}
    job = {
        "version": 1,
        "source": {"file": str(table)},
        "privacy": {"k": 5},
        "columns": columns,
        "utility": {"metric": "glm"},
        "search": {"algorithm": "best-first", "seed": 1},
        "publish": {"table": "release.mach2019"},
    }
    path = directory / "wide_mach2019.job.yml"
    path.write_text(json.dumps(job, indent=1), encoding="utf-8")
    return path
