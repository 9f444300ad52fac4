"""The golden path, top to bottom in the order in which data moves: load, levels, base, search, release, verify, publish."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kanon_sql.config.schema import Job
from kanon_sql.errors import JobError
from kanon_sql.model.algorithms import LATTICE_SEARCHES
from kanon_sql.model.lattice import Node
from kanon_sql.observer import Observer
from kanon_sql.release.recoding import Chosen
from kanon_sql.release.run_id import new_run_id
from kanon_sql.results import CheckResult, PlanResult, RunResult
from kanon_sql.session import opened as opened
from kanon_sql.workbench.workbench import Workbench

if TYPE_CHECKING:
    from kanon_sql.evaluate.attack import AttackResult
    from kanon_sql.evaluate.score import Score
    from kanon_sql.release_path import Night


def plan(job: Job, observer: Observer | None = None, choose: int | None = None, at: Node | None = None) -> PlanResult:
    """Search, and publish nothing: the chosen node or grouping, its k, suppression and utility, and the runners-up.

    `choose` takes the N-th of the passing nodes the search saw (1 is the best) instead of the best;
    `at` describes a node chosen elsewhere (a point of a frontier) without searching.
    Raises NoSolution when nothing satisfies the job.
    """
    observer = observer or Observer()
    run_id = observer.run = new_run_id()
    with opened(job, observer, read_only=True, run=run_id) as backend, Workbench(backend, job, run_id) as bench:
        return observer.finished(search(bench, observer, choose, at).plan)


def search(bench: Workbench, observer: Observer, choose: int | None = None, at: Node | None = None) -> Chosen:
    """Levels, base frequency set, search: what to release."""
    observer.step("reading the table")
    bench.prepare()
    return search_prepared(bench, observer, choose, at)


def search_prepared(bench: Workbench, observer: Observer, choose: int | None = None, at: Node | None = None) -> Chosen:
    """The search alone: several may share a prepared workbench."""
    if at is not None:
        from kanon_sql.lattice_path import chosen_node

        return chosen_node(bench, observer, at, "point of a frontier")
    observer.step(f"searching ({bench.job.search.algorithm})")
    if bench.job.search.algorithm in LATTICE_SEARCHES:
        from kanon_sql.lattice_path import search_lattice

        return search_lattice(bench, observer, choose)
    from kanon_sql.local_path import search_groups

    return search_groups(bench, observer)


def run(
    job: Job, observer: Observer | None = None, at: Node | None = None, *, accept_composition: str | None = None
) -> RunResult:
    """The nightly job: plan, stage, verify, publish, register; `at` publishes a node chosen elsewhere without searching.

    An unchanged source keeps its release; a recoding that still holds is kept (`search.reuse`). `accept_composition` says why
    to publish what singles people out together with earlier releases. A run that fails leaves last night's release as it was,
    the source untouched and no half-built table behind.
    """
    from kanon_sql.release.again import fingerprint_of, last_release, recipe_of
    from kanon_sql.release.janitor import clean
    from kanon_sql.release.lock import file_lock, session_lock
    from kanon_sql.release.publish import check_target, drop_old
    from kanon_sql.release.register import open_register
    from kanon_sql.release_path import Night, released, unchanged

    observer = observer or Observer()
    if job.publish is None:
        raise JobError("the job does not say where to publish", "add `publish: {table: schema.name}`")
    run_id = observer.run = new_run_id()
    with (
        file_lock(job, run_id, observer.note),
        opened(job, observer, read_only=False, run=run_id) as backend,
        open_register(job, backend) as register,
        session_lock(backend, register, job, observer.note),
    ):
        view = backend.relation(job.publish.table)
        check_target(backend, view)
        if cleaned := clean(backend, register, job, view):
            observer.note(str(cleaned))
        register.start_run(run_id, job)
        try:
            with Workbench(backend, job, run_id, keeps_base=True) as bench:
                observer.step("reading the table")
                bench.open_source()
                last = last_release(register, job.name)
                recipe = recipe_of(bench)
                fingerprint = fingerprint_of(bench) if job.source.fingerprint else None
                night = Night(bench, register, observer, run_id, view, last, recipe, fingerprint, accept_composition)
                result = unchanged(night) if at is None else None
                if result is not None:
                    return result
                result = released(night, _kept_or_searched(night, at))
        except BaseException as error:
            register.fail_run(run_id, error)
            raise
        drop_old(backend, register, job.name, job.publish.keep)
        return result


def _kept_or_searched(night: Night, at: Node | None) -> Chosen:
    """Last night's recoding, where the job asks for it and it still holds; else what a search finds."""
    bench, last = night.bench, night.last
    if at is None and last is not None and bench.job.search.reuse:
        node = last.node_for(bench, night.recipe)
        if node is not None:
            from kanon_sql.lattice_path import kept_or_searched

            bench.prepare()
            return kept_or_searched(bench, night.observer, node, f"recoding of version {last.release.version}")
    return search(bench, night.observer, at=at)


def check(job: Job, table: str | None = None, observer: Observer | None = None) -> CheckResult:
    """Measure a table as it stands (the source, unless another is named) against the job's thresholds: k, l, t, models, risks."""
    from kanon_sql import measure_path

    return measure_path.check(job, table, observer)


def attack(job: Job, release: str | None = None, observer: Observer | None = None) -> AttackResult:
    """Attack a release (the job's own, unless another is named) with the source and with knowledge of the search."""
    from kanon_sql import measure_path

    return measure_path.attack(job, release, observer)


def score(job: Job, release: str | None = None, observer: Observer | None = None) -> Score:
    """Every measure of a release (the job's own, unless another is named) against the source as it stands."""
    from kanon_sql import measure_path

    return measure_path.score(job, release, observer)
