"""kanon run: the golden path, in seven steps and in the order in which data moves. Nothing flows back."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

from kanon_sql.backends.base import Snapshot
from kanon_sql.backends.stopping import stops
from kanon_sql.config.schema import Job
from kanon_sql.errors import VerificationFailed
from kanon_sql.flows.plan import choose_recoding
from kanon_sql.flows.release_context import ReleaseContext, load
from kanon_sql.flows.session import Session, publishing
from kanon_sql.flows.standing_release import keep_rolled_back_release, keep_unchanged_release
from kanon_sql.frozen import dataclass
from kanon_sql.model.lattice import Node
from kanon_sql.observer import Observer
from kanon_sql.release.column_types import changing_columns
from kanon_sql.release.composition import Composition
from kanon_sql.release.composition_guard import CompositionGuard
from kanon_sql.release.dependents import counted_columns, foretell_dependents, stop_for_dependents
from kanon_sql.release.entries import release_mark
from kanon_sql.release.guards import GuardFinding, run_guards, stop_if_blocked
from kanon_sql.release.janitor import clean
from kanon_sql.release.kept_state import (
    drop_older,
    keep,
    prepare_state,
)
from kanon_sql.release.ledger import prepare_ledger
from kanon_sql.release.ownership import check_target, owner_of
from kanon_sql.release.previous_release import (
    fingerprint_of,
    groups_recipe,
    release_digest,
)
from kanon_sql.release.publish import drop_old, next_version, switching, turns
from kanon_sql.release.readers import comment_release, grant_readers
from kanon_sql.release.recoding import Chosen, GlobalRecoding
from kanon_sql.release.staged_counts import staged_counts
from kanon_sql.release.verify import Verification, verify, verify_source
from kanon_sql.release.verify_models import ModelFinding, verify_models
from kanon_sql.results import RunResult
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.relations import version_table
from kanon_sql.workbench.reading import reading
from kanon_sql.workbench.workbench import Workbench


def run(
    job: Job,
    observer: Observer | None = None,
    at: Node | None = None,
    *,
    at_k: int | None = None,
    accept_composition: str | None = None,
    rebase: str | None = None,
    take_over: bool = False,
) -> RunResult:
    """The nightly job: plan, stage, verify, publish, register.

    `at` publishes a node chosen elsewhere without searching; `at_k` the cheapest point of the newest kept frontier with at least
    this k.
    An unchanged source keeps its release; a recoding that still satisfies the job is kept (`search.reuse`). `accept_composition`
    says why to publish although the release, together with earlier ones, singles people out; `rebase` why to forget all earlier releases
    of these people; `take_over` publishes a target that
    another job published so far. What is scanned, staged and verified is one state of the source. A run that fails leaves the
    current release as it was, the source untouched and no half-built table behind.
    """
    observer = observer or Observer()
    if at_k is not None:
        from kanon_sql.flows.pareto import cheapest_point

        job, at = cheapest_point(job, at_k)
    with publishing(job, observer) as session:
        with (
            registered_run(session, take_over, rebase=rebase is not None),
            Workbench(session.backend, job, session.run, keeps_base=True) as bench,
            one_snapshot(bench) as snapshot,
        ):
            # 1. load: the job against the table, and what was published before
            context = load(session, bench, accept_composition, rebase)
            if (held := keep_rolled_back_release(context)) is not None:
                return held
            if at is None and rebase is None and (unchanged := keep_unchanged_release(context)) is not None:
                return unchanged
            foretell_types(context)
            # 2. base frequency set and 3. levels: one scan of the source
            bench.prepare(searches=True)
            # 4. search
            guard = CompositionGuard(bench, session.register, session.run)
            guard.open(context.rebased)
            context.settle_margin()
            chosen = choose_recoding(bench, observer, at=at, reuse=context.reusable(), keeping=context.keeping(guard))
            # 5. release
            compared = compare_releases(context, chosen, guard, at)
            chosen = compared.chosen
            with staged_release(context, chosen, compared.version) as staged:
                # 6. verify
                verified = verify_release(context, chosen, staged.relation)
                leave_snapshot(bench, snapshot, compared.guard, chosen)
                # 7. publish
                result = publish_release(context, chosen, staged, verified, compared)
        drop_old(session.backend, session.register, job.name, session.publish.keep)
        drop_older(session.backend, job.name)
        return result


@contextmanager
def registered_run(session: Session, take_over: bool = False, *, rebase: bool = False) -> Iterator[None]:
    """The run's row in the register: started once the target is free and dead runs are cleaned up, failed if anything fails."""
    backend, register, job = session.backend, session.register, session.job
    register.adopt(job)
    known = check_target(backend, register, job, session.view, take_over=take_over)
    if cleaned := clean(backend, register, job, session.view):
        session.observer.note(str(cleaned))
    register.set_owner(job.name, owner_of(job, backend, session.run), known)
    try:
        register.start_run(session.run, job)
        # Before the snapshot begins: others must not wait for a long transaction to make the same.
        backend.create_schema(str(session.view.schema))
        prepare_ledger(backend, register, job, rebase=rebase)
        prepare_state(backend, job)
        yield
    except BaseException as error:
        with stops.shielded():
            register.fail_run(session.run, error)
        raise


def foretell_types(context: ReleaseContext) -> None:
    """Say which columns change their type with this release, and stop before the search where views on it forbid that."""
    session = context.session
    changing = changing_columns(context.bench, session.view)
    if changing.certain:
        session.observer.note(
            f"{counted_columns(changing.certain)} of {session.view.name} will have another type or place than in the current release"
        )
    stop_for_dependents(session.backend, session.view, changing)
    for told in foretell_dependents(session.backend, session.view, changing):
        if told:
            session.observer.note(told)


@dataclass(frozen=True)
class Compared:
    """The number of the release at hand, its guard, what it found on all releases together, and the recoding that stands."""

    version: int
    guard: CompositionGuard
    found: Composition
    chosen: Chosen


def compare_releases(context: ReleaseContext, chosen: Chosen, guard: CompositionGuard, at: Node | None) -> Compared:
    """What the release would give away together with earlier ones; that is known before it is staged.

    Where the best node of a lattice does not compose with them, one that does takes its place, unless a node was given (`at`).
    """
    session, bench = context.session, context.bench
    session.observer.step("comparing with earlier releases")
    version = next_version(session.backend, session.register, session.job.name, session.view)
    chosen.recoding.prepare(bench)

    found = guard.off
    if found is None:
        judge = partial(context.judged, guard)
        found = judge(chosen)
        if found.status == "blocked":
            if isinstance(chosen.recoding, GlobalRecoding) and context.accepted is None and at is None:
                from kanon_sql.flows.composing import compose
                from kanon_sql.flows.lattice import set_up

                session.observer.step("searching nodes that compose with earlier releases")
                search = set_up(bench, session.observer)
                chosen, found = compose(bench, search, judge, chosen, found, context.last_node())
            else:
                found = guard.settled(found, chosen.recoding, chosen.plan.suppressed, context.accepted)
        guard.settle()
        chosen.recoding.prepare(bench)  # what is withheld is out of the views that staging reads
    if found.status != "passed":
        session.observer.note(found.message)
    if found.withheld:
        chosen = dataclasses.replace(chosen, plan=dataclasses.replace(chosen.plan, withheld=found.withheld))
    return Compared(version, guard, found, chosen)


@contextmanager
def staged_release(context: ReleaseContext, chosen: Chosen, version: int) -> Iterator[StagedRelease]:
    """The release where nobody reads it yet; whatever fails before it is published drops it."""
    session, bench = context.session, context.bench
    backend = session.backend
    session.observer.step("staging the release")
    backend.scale_to(bench.rows)
    table = version_table(session.view, version, backend.dialect.max_identifier_bytes)
    with backend.staging(table, bench.names.staged) as staged:
        chosen.recoding.stage(bench, staged)
        backend.close_to_others(staged)
        backend.analyze(staged, often=False, published=True)  # for what verifies it, and for its readers
        yield StagedRelease(staged, table)


@dataclass(frozen=True)
class StagedRelease:
    """A release that is not verified yet: where it is, and where it will be."""

    relation: Relation
    table: Relation


@contextmanager
def one_snapshot(bench: Workbench) -> Iterator[Snapshot]:
    """What a run scans, stages and verifies is one state of the source, where the engine can hold it."""
    bench.enlist()  # for others to see, should this process be killed
    with bench.backend.snapshot() as snapshot:
        yield snapshot


def leave_snapshot(bench: Workbench, snapshot: Snapshot, guard: CompositionGuard, chosen: Chosen) -> None:
    """What was read is verified. The switch waits for readers in turns, and readers must not wait for what a snapshot holds."""
    if snapshot.open:
        bench.drop_all_but([*guard.kept_tables, *(chosen.kept or {}).values()])
        for _, relation in bench.made:
            bench.backend.close_to_others(relation)
        snapshot.end()


@dataclass(frozen=True)
class VerifiedRelease:
    """What verification found on a staged release that passed."""

    counted: Verification
    models: Sequence[ModelFinding]
    guards: Sequence[GuardFinding]
    columns: Sequence[str]
    digest: str

    def to_dict(self) -> dict[str, Any]:
        return self.counted.to_dict() | {
            "models": [finding.to_dict() for finding in self.models],
            "columns": list(self.columns),
        }


def verify_release(context: ReleaseContext, chosen: Chosen, staged: Relation) -> VerifiedRelease:
    """Count the staged table anew, hold it against every model of the job, and let the guards look; any of them may refuse it."""
    session, bench, recoding = context.session, context.bench, chosen.recoding
    session.observer.step("verifying")
    quasi = recoding.quasi_columns(bench)
    node = recoding.node if isinstance(recoding, GlobalRecoding) else None
    with reading(bench, staged, "staged") as read, staged_counts(bench, read, quasi) as counts:
        counted = verify(session.backend, read, quasi, bench.job.privacy.k, chosen.released_rows)
        if node is not None:
            verify_source(bench, counts, quasi, node, counted, chosen.plan.suppressed)
        models = verify_models(bench, read, quasi, node, recoding.staged_persons(bench), counts)
        again = chosen.plan.figures.get("night") is not None
        guards = run_guards(bench, read, quasi, node, chosen.plan.suppressed, counts, kept=again)
        digest = release_digest(bench, staged, counts if read == staged else None)
    stop_if_blocked(guards)
    if context.watched is not None and fingerprint_of(bench) != context.watched:
        raise VerificationFailed(
            "the source changed during the run, and nothing keeps a snapshot of it: the staged release was dropped",
            "run again when nobody writes to it, or copy it into a table first",
        )
    return VerifiedRelease(counted, models, guards, quasi, digest)


def publish_release(
    context: ReleaseContext, chosen: Chosen, staged: StagedRelease, verified: VerifiedRelease, compared: Compared
) -> RunResult:
    """Switch the view and register the run, in one transaction."""
    session = context.session
    session.observer.step("publishing")
    result = RunResult(
        session.observer.finished(chosen.plan),
        session.run,
        session.publish.table,
        compared.version,
        verified.to_dict(),
        [finding.to_dict() for finding in verified.guards],
        compared.found.to_dict(),
        context.recipe,
        context.fingerprint,
        digest=verified.digest,
    )

    mark = release_mark(session.run)
    for turn in turns():
        with turn, switching(session.backend, session.register, session.view, staged.table, staged.relation, mark):
            compared.guard.record(compared.version)
            if chosen.kept is not None:
                keep(session.backend, session.job.name, groups_recipe(context.bench), compared.version, chosen.kept)
            session.register.publish_run(session.run, session.job, result, staged.table)
            if session.backend.exists(session.view):  # an engine without transactions switches after this
                choice, k = chosen.plan.choice, result.verified["k"]
                comment_release(session.backend, session.view, k, compared.version, session.run, choice)
                grant_readers(session.backend, session.view, session.publish.readers)
    return result
