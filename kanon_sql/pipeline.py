"""The golden path, top to bottom in the order in which data moves: load, levels, base, search, release, verify, publish."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from kanon_sql.backends.base import Backend, TraceEntry
from kanon_sql.backends.connect import open_backend
from kanon_sql.config.schema import LATTICE_ALGORITHMS, Job
from kanon_sql.errors import ConnectionFailed, JobError, KanonError, NoSolution
from kanon_sql.release.publish import check_target, drop_old, drop_table, next_version, publish
from kanon_sql.release.recoding import GlobalRecoding, Recoding
from kanon_sql.release.run_id import new_run_id
from kanon_sql.release.verify import verify
from kanon_sql.results import CheckResult, PlanResult, RunResult
from kanon_sql.sql import statements
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.relations import staged_table
from kanon_sql.workbench.workbench import Workbench

if TYPE_CHECKING:
    from kanon_sql.release.register import Register

RUNNERS_UP = 5


@dataclass
class Observer:
    """What a caller may want to hear: steps, checks made so far, and every statement."""

    step: Callable[[str], None] = lambda step: None
    checks: Callable[[int], None] = lambda checks: None
    note: Callable[[str], None] = lambda text: None
    """What an operator should read even when all goes well."""
    statement: Callable[[TraceEntry], None] | None = None
    run: str = ""
    statements: list[TraceEntry] = field(default_factory=list)


@dataclass(frozen=True)
class Chosen:
    """What a search decided: the recoding to release, and the plan that describes it."""

    recoding: Recoding
    plan: PlanResult


@contextmanager
def opened(job: Job, observer: Observer, *, read_only: bool, run: str) -> Iterator[Backend]:
    """The job's engine, closed at the end, its statements told to the observer."""
    url = job.url
    if read_only and job.source.file is not None and job.source.url is None:
        url = "duckdb:///:memory:"  # a plan of a file needs no database beside it
    try:
        backend = open_backend(
            url,
            job.base,
            read_only=read_only,
            work_schema=job.source.work_schema,
            statement_timeout=job.source.statement_timeout,
            memory_limit=job.source.memory_limit,
            run=run,
        )
    except ConnectionFailed as error:
        from kanon_sql.release.lock import explain_open_error

        raise explain_open_error(job, error) from error
    backend.trace.entries = observer.statements
    backend.trace.listener = observer.statement
    try:
        yield backend
    finally:
        backend.close()


def plan(job: Job, observer: Observer | None = None, choose: int | None = None) -> PlanResult:
    """Search, and publish nothing: the chosen node or grouping, its k, suppression and utility, and the runners-up.

    `choose` takes the N-th of the passing nodes the search saw (1 is the best) instead of the best.
    Raises NoSolution when nothing satisfies the job.
    """
    observer = observer or Observer()
    started = time.perf_counter()
    run_id = observer.run = new_run_id()
    with opened(job, observer, read_only=True, run=run_id) as backend, Workbench(backend, job, run_id) as bench:
        return _finished(search(bench, observer, choose).plan, observer, started)


def search(bench: Workbench, observer: Observer, choose: int | None = None) -> Chosen:
    """Levels, base frequency set, search: what to release."""
    observer.step("reading the table")
    bench.prepare()
    observer.step(f"searching ({bench.job.search.algorithm})")
    if bench.job.search.algorithm in LATTICE_ALGORITHMS:
        return _search_lattice(bench, observer, choose)
    return _search_groups(bench, observer)


def _search_lattice(bench: Workbench, observer: Observer, choose: int | None) -> Chosen:
    from kanon_sql.search.registry import SEARCHES
    from kanon_sql.search.settings import SearchSettings
    from kanon_sql.workbench.answers import Answers
    from kanon_sql.workbench.objectives import build_objective
    from kanon_sql.workbench.privacy_shape import build_shape

    built = build_objective(bench)
    privacy = build_shape(bench, built.sums, built.columns)
    answers = Answers(bench, built.objective, built.cells, privacy.shape)
    answers.progress = observer.checks
    algorithm = SEARCHES[bench.job.search.algorithm]
    settings = SearchSettings(
        rows=bench.rows,
        k=privacy.shape.k,
        budget_rows=bench.budget,
        model_monotone=privacy.monotone,
        time_limit=bench.job.search.time_limit,
        seed=bench.job.search.seed,
    )
    outcome = answers.run(algorithm.driver(bench.lattice, built.objective, settings))
    if outcome.best is None:
        raise NoSolution(
            f"{bench.job.search.algorithm}: {outcome.reason}",
            "raise privacy.suppression, add levels, lift max_level, or name fewer quasi-identifiers",
        )
    ranked = list(outcome.seen) or [outcome.best]
    best = outcome.best
    if choose is not None:
        if not 1 <= choose <= len(ranked):
            raise JobError(f"--choose {choose}: the search saw {len(ranked)} passing nodes")
        best = ranked[choose - 1]
    lattice = bench.lattice
    others = [verdict for verdict in ranked if verdict.node != best.node][:RUNNERS_UP]
    scored = answers.scored([best, *others])
    described: dict[str, Any] = {
        "algorithm": outcome.algorithm,
        "exact": outcome.exact and choose in (None, 1),
        "gap": outcome.gap,
        "k": best.k,
        "rows": bench.rows,
        "suppressed": best.suppressed,
        "classes": best.kept_classes,
        "utility": built.utility(scored[0]),
        "node": lattice.describe(best.node),
        "rules": built.rules(best.node),
        "checks": outcome.checks,
        "nodes": lattice.size,
        "runners_up": [
            {
                "node": lattice.describe(verdict.node),
                "k": verdict.k,
                "suppressed": verdict.suppressed,
                "loss": verdict.loss,
                "why": _why_lost(scored[0].loss, verdict.loss),
            }
            for verdict in scored[1:]
        ],
        "notes": [*bench.notes, *outcome.notes],
        "figures": outcome.figures or {},
    }
    return Chosen(GlobalRecoding(best.node, privacy.shape, best.suppressed), PlanResult(**described))


def _why_lost(best: float | None, loss: float | None) -> str:
    if best is None or loss is None:
        return ""
    if loss <= best:
        return "ties; has more attributes at `*`, or comes later in order"
    return f"loses {loss - best:.6g} more"


def _search_groups(bench: Workbench, observer: Observer) -> Chosen:
    raise JobError(f"search.algorithm {bench.job.search.algorithm} is not built yet")


def run(job: Job, observer: Observer | None = None) -> RunResult:
    """The nightly job: plan, stage, verify, publish, register.

    A run that fails leaves last night's release as it was, the source untouched and no half-built table behind.
    """
    from kanon_sql.release.janitor import clean
    from kanon_sql.release.lock import file_lock, session_lock
    from kanon_sql.release.register import open_register

    observer = observer or Observer()
    if job.publish is None:
        raise JobError("the job does not say where to publish", "add `publish: {table: schema.name}`")
    started = time.perf_counter()
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
            with Workbench(backend, job, run_id) as bench:
                chosen = search(bench, observer)
                result = _released(bench, chosen, register, run_id, view, observer, started)
        except BaseException as error:
            register.fail_run(run_id, error)
            raise
        drop_old(backend, register, job.name, job.publish.keep)
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
    backend, job = bench.backend, bench.job
    assert job.publish is not None
    staged = staged_table(view, run_id, backend.dialect.max_identifier_bytes)
    observer.step("staging the release")
    backend.create_schema(str(view.schema))
    try:
        chosen.recoding.stage(bench, staged)
        observer.step("verifying")
        kept = chosen.plan.rows - chosen.plan.suppressed
        verified = verify(backend, staged, chosen.recoding.quasi_columns(bench), job.privacy.k, kept)
        observer.step("publishing")
        version = next_version(backend, register, job.name, view)
        plan_result = _finished(chosen.plan, observer, started)
        result = RunResult(plan_result, run_id, job.publish.table, version, verified.to_json())
        publish(backend, register, view, staged, version, lambda t: register.publish_run(run_id, job, result, t))
    except BaseException:
        # Once published it has another name: there is nothing to drop, whatever comes after.
        with suppress(KanonError):
            drop_table(backend, staged)
        raise
    return result


def check(job: Job, table: str | None = None, observer: Observer | None = None) -> CheckResult:
    """Measure a table as it stands (the source, unless another is named) against the job's thresholds."""
    observer = observer or Observer()
    run_id = observer.run = new_run_id()
    with opened(job, observer, read_only=True, run=run_id) as backend, Workbench(backend, job, run_id) as bench:
        if table is None:
            bench.open_source()
            relation = bench.source
            person = job.source.person
        else:
            relation = backend.relation(table)
            person = None
        have = {column.name for column in backend.describe(relation)}
        if not have:
            raise JobError(f"there is no table or view {table}")
        columns = [name for name in job.columns_with("quasi") if name in have]
        if not columns:
            raise JobError(f"{relation.name} has none of the job's quasi-identifiers")
        row = backend.fetch_one(
            statements.table_classes(
                backend.dialect, relation, columns, person if person in have else None, job.privacy.k
            )
        )
        k, classes, rows, unique, below = (int(value) for value in row)
        return CheckResult(
            k=k,
            rows=rows,
            classes=classes,
            unique_rows=unique,
            rows_below_k=below,
            passes=rows > 0 and below == 0,
            threshold=job.privacy.k,
            risk={"prosecutor": 1 / k if k else 1.0, "marketer": classes / rows if rows else 1.0},
        )


def _finished(result: PlanResult, observer: Observer, started: float) -> PlanResult:
    import dataclasses

    return dataclasses.replace(result, statements=len(observer.statements), seconds=time.perf_counter() - started)
