"""kanon compare: several algorithms at several k on one table, searched, staged as work tables and scored."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Sequence

from kanon_sql.config.schema import Job
from kanon_sql.errors import NoSolution
from kanon_sql.evaluate.compare import ComparedRow, Comparison
from kanon_sql.evaluate.score import score_release
from kanon_sql.evaluate.workload import Workload, draw_workload, measure_workload
from kanon_sql.flows.plan import choose_recoding
from kanon_sql.flows.session import reading
from kanon_sql.flows.trial import trial, trial_release
from kanon_sql.observer import Observer
from kanon_sql.workbench.workbench import Workbench


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
    with reading(job, observer) as bench:
        observer.step("reading the table")
        bench.prepare()
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
    with trial(bench):
        try:
            chosen = choose_recoding(bench, observer)
        except NoSolution as nothing:
            return ComparedRow(algorithm, k, failure=nothing.message)
        seconds, used = time.perf_counter() - started, len(observer.statements) - before
        release = trial_release(bench, chosen.recoding)
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
