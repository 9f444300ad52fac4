"""The frontier of a lattice too large to list: one search for each of a ladder of k, and the band that is proven between them."""

from __future__ import annotations

import dataclasses
import time

from kanon_sql.errors import JobError
from kanon_sql.flows.lattice import set_up
from kanon_sql.observer import Observer
from kanon_sql.search.best_first import best_first
from kanon_sql.search.pareto_frontier import BandPoint, Frontier, FrontierPoint, nondominated, with_knees
from kanon_sql.workbench.workbench import Workbench

LADDER = (2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)
SECONDS = 120.0
"""For all of the ladder, where the job sets no time limit."""


def frontier_band(bench: Workbench, observer: Observer) -> Frontier:
    """Every k of the ladder with the least loss found for it and what it costs at least; the time is shared out evenly."""
    job, lattice = bench.job, bench.lattice
    ladder = [k for k in LADDER if k <= bench.rows]
    if not ladder:
        raise JobError("the table has fewer than two rows")
    started = time.monotonic()
    seconds = job.search.time_limit or SECONDS
    points: list[FrontierPoint] = []
    band: list[BandPoint] = []
    proven: list[tuple[int, int]] = []
    checks = statements = 0
    bound, metric = 0.0, job.utility.metric
    try:
        for place, k in enumerate(ladder):
            left = max(1.0, seconds - (time.monotonic() - started)) / (len(ladder) - place)
            bench.job = job.with_k(k).model_copy(update={"search": job.search.model_copy(update={"time_limit": left})})
            observer.step(f"searching (k = {k})")
            search = set_up(bench, observer)
            outcome = search.answers.run(best_first(lattice, search.built.objective, search.settings))
            checks += outcome.checks
            figures = outcome.figures or {}
            statements += int(str(figures.get("statements", 0)))
            # What k asks for, every larger k asks for too.
            bound = max(bound, float(str(figures.get("lower_bound") or 0.0)))
            if outcome.best is not None:
                loss = round(search.built.objective.loss(outcome.best), 12)
                points.append(FrontierPoint(outcome.best.k, loss, outcome.best.node, outcome.best.suppressed))
            band.append(BandPoint(k, None if outcome.best is None else points[-1].loss, bound))
            if outcome.exact:
                proven.append((k, k))
            if any(note == "stopped early: interrupted" for note in outcome.notes):
                break
    finally:
        bench.job = job
    kept = nondominated(points, lattice)
    return Frontier(
        metric=metric,
        algorithm="pareto",
        exact=False,
        nodes=lattice.size,
        evaluated=checks,
        statements=statements,
        points=with_knees(kept),
        names=lattice.names,
        ceiling=bench.rows,
        proven=tuple(proven),
        notes=(
            f"{lattice.size:,} nodes are too many to list: k of {band[0].k} to {band[-1].k} were searched one by one",
        ),
        band=tuple(_no_better_for_more(band)),
    )


def _no_better_for_more(band: list[BandPoint]) -> list[BandPoint]:
    """What was found for a larger k serves a smaller one too."""
    least: float | None = None
    improved = []
    for point in reversed(band):
        found = [loss for loss in (point.loss, least) if loss is not None]
        least = min(found, default=None)
        improved.append(dataclasses.replace(point, loss=least))
    return improved[::-1]
