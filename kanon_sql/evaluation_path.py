"""From a job to what is known about it beyond a plan: simulation, comparison, partition trees, query workloads."""

from __future__ import annotations

from kanon_sql.config.schema import Job
from kanon_sql.evaluate.simulate import Outlook, outlook
from kanon_sql.observer import Observer
from kanon_sql.pipeline import opened
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
