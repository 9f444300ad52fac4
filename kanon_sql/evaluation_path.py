"""From a job to what is known about it beyond a plan: simulation, comparison, partition trees, query workloads."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from kanon_sql.config.schema import Job
from kanon_sql.errors import JobError, NoSolution
from kanon_sql.evaluate.compare import ComparedRow, Comparison
from kanon_sql.evaluate.score import score_release
from kanon_sql.evaluate.simulate import Outlook, outlook
from kanon_sql.evaluate.workload import Workload, WorkloadError, draw_workload, measure_workload
from kanon_sql.observer import Observer
from kanon_sql.pipeline import opened, search_prepared
from kanon_sql.release.run_id import new_run_id
from kanon_sql.workbench.workbench import Workbench


def simulate_job(job: Job, observer: Observer | None = None, level: int = 0) -> Outlook:
    """How many of the job's quasi-identifiers can be published at its k, and how many rows more would need?"""
    observer = observer or Observer()
    with (
        opened(job, observer, read_only=True, run="simulate") as backend,
        Workbench(backend, job, new_run_id()) as bench,
    ):
        observer.step("reading the table")
        bench.prepare()
        observer.step("adding attributes")
        return outlook(bench, level)


def measure_queries(
    job: Job,
    release: str | None = None,
    observer: Observer | None = None,
    *,
    queries: int = 1000,
    attributes: int | None = 3,
    sum_column: str | None = None,
    seed: int = 1,
) -> WorkloadError:
    """Random queries answered from a release (the job's own, unless another is named) against the source as it stands."""
    observer = observer or Observer()
    with prepared(job, observer, "workload") as bench:
        observer.step("answering queries from the source")
        workload = draw_workload(bench, queries, attributes, sum_column, seed)
        observer.step("answering queries from the release")
        return measure_workload(bench, workload, bench.backend.relation(_release_name(job, release)))


@contextmanager
def prepared(job: Job, observer: Observer, run: str) -> Iterator[Workbench]:
    """A prepared workbench of a job that nothing will be published from."""
    with (
        opened(job, observer, read_only=True, run=run, file_database=True) as backend,
        Workbench(backend, job, new_run_id()) as bench,
    ):
        observer.step("reading the table")
        bench.prepare()
        yield bench


def _release_name(job: Job, release: str | None) -> str:
    name = release or (job.publish.table if job.publish is not None else None)
    if name is None:
        raise JobError("the job does not say where it publishes", "name the release with --release schema.table")
    return name


def compare(
    job: Job,
    algorithms: Sequence[str],
    ks: Sequence[int],
    observer: Observer | None = None,
    *,
    queries: int = 200,
    seed: int = 1,
) -> Comparison:
    """Search with each algorithm at each k on one prepared workbench, stage what each would release as a work table, and score it.

    `queries` COUNT and SUM queries are asked of every release; 0 asks none.
    """
    observer = observer or Observer()
    rows: list[ComparedRow] = []
    with prepared(job, observer, "compare") as bench:
        workload = None
        if queries:
            observer.step("answering queries from the source")
            workload = draw_workload(bench, queries, min(3, len(bench.attributes)), None, seed)
        for k in ks:
            for algorithm in algorithms:
                observer.step(f"{len(rows) + 1} of {len(ks) * len(algorithms)}: {algorithm}, k = {k}")
                bench.job = job.with_k(k).with_algorithm(algorithm)
                rows.append(_compared(bench, observer, workload))
    return Comparison(tuple(rows))


def _compared(bench: Workbench, observer: Observer, workload: Workload | None) -> ComparedRow:
    """One search, staged and scored; what it made is dropped, so that the next one finds the workbench as it was."""
    algorithm, k = bench.job.search.algorithm, bench.job.privacy.k
    mark, statements, notes = len(bench.made), len(observer.statements), list(bench.notes)
    started = time.perf_counter()
    try:
        chosen = search_prepared(bench, observer)
        seconds, used = time.perf_counter() - started, len(observer.statements) - statements
        staged = bench.names.work("compared")
        bench.made.append(("table", staged))
        chosen.recoding.stage(bench, staged)
        score = score_release(bench, staged)
        measures = dict(score.measures)
        if workload is not None:
            answered = measure_workload(bench, workload, staged)
            if answered.count_mean is not None:
                measures["count_error"] = answered.count_mean
            if answered.sum_mean is not None:
                measures["sum_error"] = answered.sum_mean
        plan = dataclasses.replace(chosen.plan, seconds=seconds, statements=used)
        return ComparedRow(algorithm, k, plan, measures, score.class_sizes)
    except NoSolution as nothing:
        return ComparedRow(algorithm, k, failure=nothing.message)
    finally:
        bench.backend.drop_work(bench.made[mark:])
        del bench.made[mark:]
        bench.notes[:] = notes
