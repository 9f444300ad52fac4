"""From a job to what is known about it beyond a plan: simulation, comparison, partition trees, query workloads."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from kanon_sql.config.schema import Job
from kanon_sql.errors import JobError, NoSolution
from kanon_sql.evaluate.compare import ComparedRow, Comparison
from kanon_sql.evaluate.score import score_release
from kanon_sql.evaluate.simulate import Outlook, outlook
from kanon_sql.evaluate.tree import TreeComparison
from kanon_sql.evaluate.tree_data import check_control, source_tree, tree_of_release
from kanon_sql.evaluate.workload import Workload, WorkloadError, draw_workload, measure_workload
from kanon_sql.observer import Observer
from kanon_sql.pipeline import opened, search_prepared
from kanon_sql.release.recoding import Recoding
from kanon_sql.release.run_id import new_run_id
from kanon_sql.sql.dialect import Relation
from kanon_sql.workbench.workbench import Workbench


def simulate_job(job: Job, observer: Observer | None = None, level: int = 0) -> Outlook:
    """How many of the job's quasi-identifiers can be published at its k, and how many rows more would need?"""
    observer = observer or Observer()
    with prepared(job, observer, "simulate") as bench:
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
def prepared(job: Job, observer: Observer, run: str, control: str | None = None) -> Iterator[Workbench]:
    """A prepared workbench of a job that nothing will be published from; its base keeps a `control` column as well."""
    if control is not None:
        check_control(job, control)
    with (
        opened(job, observer, read_only=True, run=run, file_database=True) as backend,
        Workbench(backend, job, new_run_id()) as bench,
    ):
        if control is not None and job.columns[control].role != "quasi":
            bench.also_needs(control)
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
    """One search, staged and scored."""
    algorithm, k = bench.job.search.algorithm, bench.job.privacy.k
    before, started = len(observer.statements), time.perf_counter()
    with as_it_was(bench):
        try:
            chosen = search_prepared(bench, observer)
        except NoSolution as nothing:
            return ComparedRow(algorithm, k, failure=nothing.message)
        seconds, used = time.perf_counter() - started, len(observer.statements) - before
        release = staged(bench, chosen.recoding)
        score = score_release(bench, release)
        measures = dict(score.measures)
        if workload is not None:
            answered = measure_workload(bench, workload, release)
            if answered.count_mean is not None:
                measures["count_error"] = answered.count_mean
            if answered.sum_mean is not None:
                measures["sum_error"] = answered.sum_mean
        plan = dataclasses.replace(chosen.plan, seconds=seconds, statements=used)
        return ComparedRow(algorithm, k, plan, measures, score.class_sizes)


def compare_trees(
    job: Job,
    control: str,
    features: Sequence[str] = (),
    release: str | None = None,
    observer: Observer | None = None,
    *,
    leaves: int = 6,
    least: float = 0.02,
) -> TreeComparison:
    """Partition trees of the source and of a release for a control column; no leaf has fewer rows than `least` (a share) or k."""
    observer = observer or Observer()
    with prepared(job, observer, "tree", control) as bench:
        observer.step("growing trees")
        source = source_tree(bench, control, features, leaves, least)
        return tree_of_release(bench, source, bench.backend.relation(_release_name(job, release)))


@dataclass(frozen=True)
class BucketsRow:
    """An algorithm at a k: the buckets of its release beside the source's, or why there is none."""

    algorithm: str
    k: int
    trees: TreeComparison | None = None
    failure: str = ""


def compare_buckets(
    job: Job,
    control: str,
    algorithms: Sequence[str],
    ks: Sequence[int],
    observer: Observer | None = None,
    *,
    leaves: int = 4,
    least: float = 0.02,
) -> list[BucketsRow]:
    """Which buckets survive under which algorithm (thesis, tables 13 to 17): trees of what each would release at each k."""
    observer = observer or Observer()
    rows: list[BucketsRow] = []
    with prepared(job, observer, "buckets", control) as bench:
        source = source_tree(bench, control, (), leaves, least)
        for k in ks:
            for algorithm in algorithms:
                observer.step(f"{len(rows) + 1} of {len(ks) * len(algorithms)}: {algorithm}, k = {k}")
                bench.job = job.with_k(k).with_algorithm(algorithm)
                with as_it_was(bench):
                    try:
                        chosen = search_prepared(bench, observer)
                        trees = tree_of_release(bench, source, staged(bench, chosen.recoding))
                        rows.append(BucketsRow(algorithm, k, trees))
                    except NoSolution as nothing:
                        rows.append(BucketsRow(algorithm, k, failure=nothing.message))
    return rows


@contextmanager
def as_it_was(bench: Workbench) -> Iterator[None]:
    """Whatever is made within is dropped at the end, so that the next search finds the workbench as it was."""
    mark, notes = len(bench.made), list(bench.notes)
    try:
        yield
    finally:
        bench.backend.drop_work(bench.made[mark:])
        del bench.made[mark:]
        bench.notes[:] = notes


def staged(bench: Workbench, recoding: Recoding) -> Relation:
    """What a recoding would release, as a work table."""
    table = bench.names.work("compared")
    bench.made.append(("table", table))
    recoding.stage(bench, table)
    return table
