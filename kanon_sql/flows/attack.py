"""kanon attack: what a release gives away to someone who has the source and knows how the search decides."""

from __future__ import annotations

from kanon_sql.config.schema import Job
from kanon_sql.errors import JobError
from kanon_sql.evaluate.attack import AttackResult
from kanon_sql.evaluate.attack import attack as attack_release
from kanon_sql.flows.session import reading, release_name
from kanon_sql.observer import Observer


def attack(job: Job, release: str | None = None, observer: Observer | None = None) -> AttackResult:
    """Attack a release (the job's own, unless another is named) with the source and with knowledge of the search."""
    observer = observer or Observer()
    name = release_name(job, release)
    with reading(job, observer, file_database=True) as bench:
        relation = bench.backend.relation(name)
        if not bench.backend.exists(relation):
            raise JobError(f"there is no table or view {name}", "name a release with --release, or run the job first")
        observer.step("reading the source")
        bench.prepare()
        observer.step("attacking")
        return attack_release(bench, relation)
