"""The golden path, top to bottom in the order in which data moves: load, levels, base, search, release, verify, publish."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from kanon_sql.config.schema import LATTICE_ALGORITHMS, Job
from kanon_sql.errors import JobError
from kanon_sql.model.lattice import Node
from kanon_sql.observer import Observer
from kanon_sql.release.publish import check_target, drop_table, swap
from kanon_sql.release.recoding import Chosen, GlobalRecoding
from kanon_sql.release.run_id import new_run_id
from kanon_sql.release.verify import verify
from kanon_sql.results import CheckResult, PlanResult, RunResult
from kanon_sql.session import opened as opened
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.relations import version_table
from kanon_sql.workbench.workbench import Workbench

if TYPE_CHECKING:
    from kanon_sql.evaluate.attack import AttackResult
    from kanon_sql.evaluate.score import Score
    from kanon_sql.release.register import Register


def plan(job: Job, observer: Observer | None = None, choose: int | None = None, at: Node | None = None) -> PlanResult:
    """Search, and publish nothing: the chosen node or grouping, its k, suppression and utility, and the runners-up.

    `choose` takes the N-th of the passing nodes the search saw (1 is the best) instead of the best;
    `at` describes a node chosen elsewhere (a point of a frontier) without searching.
    Raises NoSolution when nothing satisfies the job.
    """
    observer = observer or Observer()
    started = time.perf_counter()
    with opened(job, observer, read_only=True, run="plan") as backend, Workbench(backend, job, new_run_id()) as bench:
        return _finished(search(bench, observer, choose, at).plan, observer, started)


def search(bench: Workbench, observer: Observer, choose: int | None = None, at: Node | None = None) -> Chosen:
    """Levels, base frequency set, search: what to release."""
    observer.step("reading the table")
    bench.prepare()
    if at is not None:
        from kanon_sql.lattice_path import chosen_node

        return chosen_node(bench, observer, at, "point of a frontier")
    observer.step(f"searching ({bench.job.search.algorithm})")
    if bench.job.search.algorithm in LATTICE_ALGORITHMS:
        from kanon_sql.lattice_path import search_lattice

        return search_lattice(bench, observer, choose)
    from kanon_sql.local_path import search_groups

    return search_groups(bench, observer)


def run(job: Job, observer: Observer | None = None, at: Node | None = None) -> RunResult:
    """The nightly job: plan, stage, verify, publish, register; `at` publishes a node chosen elsewhere without searching.

    A run that fails leaves last night's release as it was, the source untouched and no half-built table behind.
    """
    from kanon_sql.release.register import open_register

    observer = observer or Observer()
    if job.publish is None:
        raise JobError("the job does not say where to publish", "add `publish: {table: schema.name}`")
    started = time.perf_counter()
    run_id = new_run_id()
    with opened(job, observer, read_only=False, run=run_id) as backend, open_register(job, backend) as register:
        view = backend.relation(job.publish.table)
        check_target(backend, view)
        register.start_run(run_id, job)
        try:
            with Workbench(backend, job, run_id) as bench:
                chosen = search(bench, observer, at=at)
                result = _released(bench, chosen, register, run_id, view, observer, started)
        except BaseException as error:
            register.fail_run(run_id, error)
            raise
        for old in register.beyond_keep(job.name, job.publish.keep):
            drop_table(backend, backend.relation(old))
            register.dropped(job.name, old)
        return result


def _released(
    bench: Workbench,
    chosen: Chosen,
    register: Register,
    run_id: str,
    view: Relation,
    observer: Observer,
    started: float,
) -> RunResult:
    """Stage, verify, publish: a staged table that fails is dropped, and the view is switched last, in one transaction."""
    from kanon_sql.release.guards import run_guards, stop_if_blocked
    from kanon_sql.release.verify_models import verify_models

    backend, job = bench.backend, bench.job
    assert job.publish is not None
    version = register.next_version(job.name)
    table = version_table(view, version, backend.dialect.max_identifier_bytes)
    observer.step("staging the release")
    backend.scale_to(bench.rows)
    backend.create_schema(str(view.schema))
    try:
        drop_table(backend, table)  # what a killed run may have left under this name
        chosen.recoding.stage(bench, table)
        observer.step("verifying")
        kept = chosen.plan.rows - chosen.plan.suppressed
        quasi = chosen.recoding.quasi_columns(bench)
        verified = verify(backend, table, quasi, job.privacy.k, kept)
        node = chosen.recoding.node if isinstance(chosen.recoding, GlobalRecoding) else None
        models = verify_models(bench, table, quasi, node)
        guards = run_guards(bench, table, quasi, node, chosen.plan.suppressed)
        stop_if_blocked(guards)
        observer.step("publishing")
        plan_result = _finished(chosen.plan, observer, started)
        told = verified.to_json() | {"models": [finding.to_json() for finding in models]}
        result = RunResult(plan_result, run_id, job.publish.table, version, told, [g.to_json() for g in guards])
        with register.publishing(backend):
            swap(backend, view, table)
            register.publish_run(run_id, job, result, table)
    except BaseException:
        drop_table(backend, table)
        raise
    return result


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


def _finished(result: PlanResult, observer: Observer, started: float) -> PlanResult:
    import dataclasses

    return dataclasses.replace(result, statements=len(observer.statements), seconds=time.perf_counter() - started)
