"""kanon plan: search, and publish nothing. `choose` is where a recoding is decided on, for a run as well."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from kanon_sql.config.schema import Job
from kanon_sql.errors import JobError
from kanon_sql.flows.session import reading
from kanon_sql.frozen import dataclass
from kanon_sql.model.algorithms import LATTICE_SEARCHES, LOCAL_RECODINGS
from kanon_sql.model.lattice import Node
from kanon_sql.observer import Observer
from kanon_sql.release.churn import settle_margin
from kanon_sql.release.recoding import Chosen
from kanon_sql.results import PlanResult
from kanon_sql.workbench.workbench import Workbench

if TYPE_CHECKING:
    from kanon_sql.flows.groups import Keeping


@dataclass(frozen=True)
class Reusable:
    """A node an earlier release was made with, and the version that release had."""

    node: Node
    version: int


def plan(
    job: Job,
    observer: Observer | None = None,
    choose: int | None = None,
    at: Node | None = None,
    *,
    from_pareto: str | None = None,
    point: int | None = None,
    why: bool = False,
) -> PlanResult:
    """Search, and publish nothing: the chosen node or grouping, its k, suppression and utility, and the runners-up.

    `choose` takes the N-th of the passing nodes the search saw (1 is the best) instead of the best;
    `at` describes a node chosen elsewhere without searching; so do `from_pareto` (a run that kept a frontier; the newest
    unless named) and `point` (the N-th of its points in ascending k).
    `why` says what each quasi-identifier costs at the chosen node (lattice searches only).
    Raises NoSolution when nothing satisfies the job.
    """
    observer = observer or Observer()
    if from_pareto is not None or point is not None:
        from kanon_sql.flows.pareto import kept_frontier, point_of_frontier

        job, at = point_of_frontier(job, kept_frontier(job, from_pareto)[1], point or 1)
    night = _plan_night(job, observer) if at is None and job.search.algorithm in LOCAL_RECODINGS else None
    with reading(job, observer) as bench:
        observer.step("reading the table")
        bench.prepare(searches=True)
        if night is not None:
            bench.job = job.with_margin(0)
        else:
            bench.job, settled = settle_margin(job, None)
            bench.notes += [settled] if settled is not None else []
        chosen = choose_recoding(bench, observer, rank=choose, at=at, look_around=True, why=why)
        if night is None and job.publish is not None:
            from kanon_sql.flows.foretold import foretell

            chosen = foretell(bench, chosen)
    if night is not None:
        return observer.finished(_with_fresh(night, chosen.plan))
    return observer.finished(chosen.plan)


def _plan_night(job: Job, observer: Observer) -> PlanResult | None:
    """What tonight's run would make of the groups that are kept; none where none are."""
    from kanon_sql.flows.groups import Keeping
    from kanon_sql.flows.nights import keep_groups
    from kanon_sql.release.kept_state import keeps_groups, kept_tables, known_salt
    from kanon_sql.release.previous_release import groups_recipe

    if not keeps_groups(job):
        return None
    with reading(job, observer) as bench:
        bench.open_source()
        kept, salt = kept_tables(bench.backend, job.name, groups_recipe(bench)), known_salt(bench.backend, job)
        if kept is None or salt is None:
            return None
        observer.step("reading the table")
        bench.prepare()
        bench.job, why = settle_margin(job, None)
        bench.notes += [why] if why is not None else []
        assert job.publish is not None
        strict = job.publish.guard == "always"
        return keep_groups(bench, observer, Keeping(salt, kept.version + 1, kept, strict=strict)).plan


def _with_fresh(night: PlanResult, fresh: PlanResult) -> PlanResult:
    """A night's plan that says what a fresh search would lose."""
    from kanon_sql.flows.nights import loss_in_words, published_loss

    losses = {"loss": published_loss(night), "searched_loss": published_loss(fresh)}
    figures = night.figures | {"night": night.figures["night"] | {"fresh_loss": losses["searched_loss"]}}
    return dataclasses.replace(night, notes=[*night.notes, loss_in_words(losses, fresh=True)], figures=figures)


def choose_recoding(
    bench: Workbench,
    observer: Observer,
    *,
    rank: int | None = None,
    at: Node | None = None,
    reuse: Reusable | None = None,
    keeping: Keeping | None = None,
    look_around: bool = False,
    why: bool = False,
) -> Chosen:
    """What to release of a prepared workbench: a given node, an earlier one that still holds, or what a search finds.

    `keeping`: groups are kept from night to night. `look_around`: a few more checks look for alternatives; a night does without.
    """
    from kanon_sql.flows.choice import with_example

    if keeping is not None and at is None:
        return _groups(bench, observer, keeping)
    return with_example(bench, _choose(bench, observer, rank, at, reuse, look_around, why))


def _groups(bench: Workbench, observer: Observer, keeping: Keeping) -> Chosen:
    """The groups of the last release, or those of a search, kept for the next."""
    from kanon_sql.flows.groups import search_groups
    from kanon_sql.flows.nights import keep_groups

    if keeping.kept is not None:
        return keep_groups(bench, observer, keeping)
    observer.step(f"searching ({bench.job.search.algorithm})")
    return search_groups(bench, observer, keeping)


def _choose(
    bench: Workbench,
    observer: Observer,
    rank: int | None,
    at: Node | None,
    reuse: Reusable | None,
    look_around: bool,
    why: bool,
) -> Chosen:
    from kanon_sql.flows import lattice

    if why and at is None and bench.job.search.algorithm not in LATTICE_SEARCHES:
        raise JobError(
            f"--why: {bench.job.search.algorithm} publishes groups, and no level of a column stands for all of them",
            "plan with a lattice search, as --set search.algorithm=best-first",
        )
    if at is not None:
        return lattice.given_node(lattice.set_up(bench, observer), at, why)
    search = None
    if reuse is not None:
        search = lattice.set_up(bench, observer)
        kept = lattice.kept_node(search, reuse.node, reuse.version)
        if kept is not None:
            return kept
        observer.note(f"the recoding of version {reuse.version} no longer satisfies the job: searching again")
    observer.step(f"searching ({bench.job.search.algorithm})")
    if bench.job.search.algorithm in LATTICE_SEARCHES:
        return lattice.search_lattice(search or lattice.set_up(bench, observer), rank, look_around=look_around, why=why)
    from kanon_sql.flows.groups import search_groups

    return search_groups(bench, observer)
