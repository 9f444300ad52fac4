"""kanon simulate: can data of this shape be k-anonymous at all? From a job's table, or from random tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from kanon_sql.backends.connect import open_backend
from kanon_sql.config.schema import Job
from kanon_sql.evaluate.simulate import TABLE_12, Outlook, Shape, Simulation, outlook, simulate_shape
from kanon_sql.flows.session import reading
from kanon_sql.model.counted import counted
from kanon_sql.observer import Observer

MOST_ROWS = 20_000_000
"""Rows made for one shape of the thesis's table 12, unless all of its repetitions are wanted."""


def simulate(job: Job, observer: Observer | None = None, level: int = 0) -> Outlook:
    """How many of the job's quasi-identifiers can be published at its k, and how many rows more would need?"""
    observer = observer or Observer()
    with reading(job, observer) as bench:
        observer.step("reading the table")
        bench.prepare()
        observer.step("adding attributes")
        return outlook(bench, level)


def simulate_shapes(
    shapes: Sequence[Shape] = TABLE_12,
    observer: Observer | None = None,
    *,
    seed: int = 1,
    url: str = "duckdb:///:memory:",
    most_rows: int | None = None,
) -> Simulation:
    """How often random tables of these shapes are k-anonymous; `most_rows` bounds the rows made for one shape."""
    observer = observer or Observer()
    backend = open_backend(url, Path.cwd(), read_only=True, run="simulate")
    observer.watch(backend.trace)
    results = []
    try:
        for place, shape in enumerate(shapes):
            observer.step(
                f"{place + 1} of {len(shapes)}: {counted(shape.attributes, 'attribute')}, {counted(shape.rows, 'row')}"
            )
            bounded = max(1, min(shape.repetitions, most_rows // shape.rows)) if most_rows else shape.repetitions
            observer.expect(bounded)
            results.append(simulate_shape(backend, shape, seed, most_rows, observer.checks))
    finally:
        backend.close()
    return Simulation(tuple(results))
