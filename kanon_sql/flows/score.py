"""kanon score: every measure of a release against its source."""

from __future__ import annotations

from kanon_sql.config.schema import Job
from kanon_sql.evaluate.score import Score, score_release
from kanon_sql.flows.session import reading, release_name
from kanon_sql.observer import Observer


def score(job: Job, release: str | None = None, observer: Observer | None = None) -> Score:
    """Every measure of a release (the job's own, unless another is named) against the source as it stands."""
    name = release_name(job, release)
    with reading(job, observer or Observer(), file_database=True) as bench:
        if job.utility.weights == "auto":
            bench.prepare()
        else:
            bench.prepare_dictionaries()
        return score_release(bench, bench.backend.relation(name))
