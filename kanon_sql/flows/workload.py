"""kanon workload: random queries answered from a release, against the truth."""

from __future__ import annotations

from kanon_sql.config.schema import Job
from kanon_sql.evaluate.workload import WorkloadError, draw_workload, measure_workload
from kanon_sql.flows.session import reading, release_name
from kanon_sql.observer import Observer


def workload(
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
    with reading(job, observer, file_database=True) as bench:
        observer.step("reading the table")
        bench.prepare()
        observer.step("answering queries from the source")
        drawn = draw_workload(bench, queries, attributes, sum_column, seed)
        observer.step("answering queries from the release")
        return measure_workload(bench, drawn, bench.backend.relation(release_name(job, release)))
