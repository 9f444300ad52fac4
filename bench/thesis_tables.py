"""The shape of the thesis's tables 5 and 6: global, local and best-first on m03 to m24 and r03 to r24 of the death certificates.

mXX are the attributes with most levels, rXX random ones (seeded), as the thesis chose them. Where global would have to list too
large a lattice its row is empty, as the thesis's are where nothing was found; best-first answers those too, with its gap.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.generate import generate, write_job
from bench.measure import print_table
from kanon_sql import plan
from kanon_sql.config.attributes import validate_offline
from kanon_sql.config.load import load_job
from kanon_sql.errors import KanonError

SIZES = (3, 8, 12, 24)
KS = (3, 5)
LISTED = 100_000
"""global lists the lattice; a larger one is left to best-first."""
ALGORITHMS = ("global", "local", "best-first")
HEADER = (
    "k",
    "data set",
    "algorithm",
    "seconds",
    "strings",
    "checks",
    "highest rv",
    "least rv",
    "most rv",
    "suppressed",
    "gap",
)


def attribute_sets(levels: dict[str, int]) -> dict[str, list[str]]:
    """m03 … m24 by most levels (ties by name), r03 … r24 at random."""
    by_levels = sorted(levels, key=lambda name: (-levels[name], name))
    shuffled = random.Random(1).sample(sorted(levels), len(levels))
    sets = {f"m{size:02}": by_levels[:size] for size in SIZES}
    return sets | {f"r{size:02}": shuffled[:size] for size in SIZES}


def nodes(attributes: Sequence[str], levels: dict[str, int]) -> int:
    """The size of the lattice."""
    return math.prod(levels[name] for name in attributes)


def thesis_tables(directory: Path, suppression: float, time_limit: float, sizes: Sequence[int] = SIZES) -> None:
    """Run every set with every algorithm and print the table."""
    database = directory / "death_certificates.duckdb"
    database.unlink(missing_ok=True)
    whole = generate("death-certificates", database)
    levels = validate_offline(load_job(whole))
    sets = attribute_sets(levels)
    rows = []
    for name, attributes in sets.items():
        if int(name[1:]) not in sizes:
            continue
        job_file = directory / f"{name}.job.yml"
        source = {"url": f"duckdb:///{database.name}", "table": "death_certificates"}
        write_job("death-certificates", job_file, source, suppression=suppression, metric="rv", attributes=attributes)
        for k in KS:
            for algorithm in ALGORITHMS:
                if algorithm == "global" and nodes(attributes, levels) > LISTED:
                    continue
                rows.append(_row(job_file, name, k, algorithm, time_limit))
    print_table(f"Death certificates, rv, budget {suppression:g}, at most {time_limit:g} s a search", HEADER, rows)


def _row(job_file: Path, name: str, k: int, algorithm: str, time_limit: float) -> list[str]:
    job = load_job(job_file, [f"privacy.k={k}", f"search.algorithm={algorithm}", f"search.time_limit={time_limit}"])
    started = time.perf_counter()
    try:
        found = plan(job)
    except KanonError as error:
        seconds = time.perf_counter() - started
        return [str(k), name, algorithm, f"{seconds:.1f}", "", "", "", "", "", "", type(error).__name__]
    figures: dict[str, Any] = found.figures
    seconds = time.perf_counter() - started
    losses = [figures.get(key) for key in ("greatest_loss_of_all", "least_loss_of_all")]
    # The search minimises what is lost of the whole table's research value, which is 1.
    shown = [figures.get("strings_generated"), *(None if loss is None else 1 - loss for loss in losses)]
    gap = "exact" if found.exact else "" if found.gap is None else f"{found.gap:.4f}"
    return [
        str(k), name, algorithm, f"{seconds:.1f}", _shown(shown[0]), f"{found.checks:,}", f"{found.utility['rv']:.4f}",
        _shown(shown[1]), _shown(shown[2]), f"{found.suppressed:,}", gap,
    ]  # fmt: skip


def _shown(value: Any) -> str:
    return "" if value is None else f"{value:.4f}" if isinstance(value, float) else f"{value:,}"
