"""The half of a plan that searches a lattice: objective, class shape, search, and the plan that describes the chosen node."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Any

from kanon_sql.config.privacy_models import build_models
from kanon_sql.errors import JobError, NoSolution
from kanon_sql.evaluate.risk import node_risk
from kanon_sql.flows.choice import columns_of_node, described_alternatives
from kanon_sql.frozen import dataclass
from kanon_sql.model.algorithms import LATTICE_SEARCHES
from kanon_sql.model.counted import counted
from kanon_sql.model.lattice import Node
from kanon_sql.model.verdict import Verdict
from kanon_sql.observer import Observer
from kanon_sql.release.recoding import Chosen, GlobalRecoding
from kanon_sql.results import PlanResult
from kanon_sql.search.alternatives import alternatives, worth_considering
from kanon_sql.search.questions import CheckNodes, Outcome
from kanon_sql.search.settings import SearchSettings
from kanon_sql.workbench.answers import Answers, drive
from kanon_sql.workbench.embedded import searching_bench
from kanon_sql.workbench.objectives import BuiltObjective, build_objective
from kanon_sql.workbench.privacy_shape import BuiltPrivacy, build_shape
from kanon_sql.workbench.workbench import Workbench

RUNNERS_UP = 5
SEEN = 12
"""Of the passing nodes a search saw, how many may be alternatives."""


@dataclass(frozen=True)
class LatticeSearch:
    """Everything a lattice driver and its answers need."""

    bench: Workbench
    built: BuiltObjective
    privacy: BuiltPrivacy
    answers: Answers
    settings: SearchSettings


def set_up(bench: Workbench, observer: Observer) -> LatticeSearch:
    """The objective, the class shape and the answers for a prepared workbench; the search may run on an embedded one."""
    job, bench = bench.job, searching_bench(bench)
    bench.job = job  # one embedded workbench serves several searches, each with its own algorithm
    built = build_objective(bench)
    privacy = build_shape(bench, built.sums, built.columns)
    answers = Answers(bench, built.objective, built.cells, privacy.shape)
    answers.progress = observer.checks
    answers.anytime = observer.anytime
    observer.expect(bench.lattice.size)
    settings = SearchSettings(
        rows=bench.rows,
        k=privacy.shape.k,
        budget_rows=bench.budget,
        model_monotone=privacy.monotone,
        time_limit=bench.job.search.time_limit,
        seed=bench.job.search.seed,
        anytime=observer.anytime,
        heard=observer.search,
    )
    return LatticeSearch(bench, built, privacy, answers, settings)


def search_lattice(search: LatticeSearch, rank: int | None, *, look_around: bool = False, why: bool = False) -> Chosen:
    """Run the job's search; `rank` takes the N-th passing node it saw instead of the best; `look_around`: check a few nodes more
    for alternatives."""
    algorithm = search.bench.job.search.algorithm
    driver = LATTICE_SEARCHES[algorithm].driver(search.bench.lattice, search.built.objective, search.settings)
    outcome = search.answers.run(driver)
    if outcome.best is None:
        raise NoSolution(
            f"{algorithm}: {outcome.reason}",
            "raise privacy.suppression, add levels, lift max_level, or name fewer quasi-identifiers",
        )
    ranked = list(outcome.seen) or [outcome.best]
    best = outcome.best
    if rank is not None:
        if not 1 <= rank <= len(ranked):
            raise JobError(f"--choose {rank}: the search saw {counted(len(ranked), 'passing node')}")
        best = ranked[rank - 1]
    others = [verdict for verdict in ranked if verdict.node != best.node][:RUNNERS_UP]
    chosen = _chosen(search, outcome, best, others, exact=outcome.exact and rank in (None, 1), why=why)
    stopped = LATTICE_SEARCHES[algorithm].exact and not outcome.exact  # by a time limit or an interrupt: no check more
    return _with_alternatives(search, chosen, best, ranked, look_around and not stopped)


def _with_alternatives(
    search: LatticeSearch, chosen: Chosen, best: Verdict, ranked: Sequence[Verdict], look_around: bool
) -> Chosen:
    lattice, objective, known = search.bench.lattice, search.built.objective, ranked[:SEEN]
    first, *scored = search.answers.scored([best, *known])
    found = worth_considering(lattice, objective, first, scored)
    if look_around:
        found = drive(alternatives(lattice, objective, first, known), search.answers.answer)
    nodes = [verdict.node for verdict in ranked]
    described = described_alternatives(search.bench.attributes, objective.name, first, found, nodes)
    return Chosen(chosen.recoding, dataclasses.replace(chosen.plan, alternatives=described))


def kept_node(search: LatticeSearch, node: Node, version: int) -> Chosen | None:
    """The node of an earlier release, if it still satisfies the job on today's table; nothing is searched."""
    note = f"kept the recoding of version {version}: it still satisfies the job (search.reuse)"
    verdict = search.answers.answer(CheckNodes((node,)))[0]
    return _unsearched(search, "reuse", verdict, note) if verdict.passes else None


def composing_node(search: LatticeSearch, verdict: Verdict, note: str) -> Chosen:
    """A passing node that is published because the best one does not compose with earlier releases."""
    return _unsearched(search, "composing", verdict, note)


def given_node(search: LatticeSearch, node: Node, why: bool = False) -> Chosen:
    """A point of a frontier, checked on today's table; nothing is searched."""
    verdict = search.answers.answer(CheckNodes((node,)))[0]
    if not verdict.passes:
        raise NoSolution(
            "point of a frontier: the node does not satisfy the job on today's table "
            f"({counted(verdict.suppressed, 'row')} in violating classes, {search.bench.budget:,} may be suppressed)",
            "search again",
        )
    return _unsearched(search, "point of a frontier", verdict, why=why)


def _unsearched(search: LatticeSearch, origin: str, verdict: Verdict, *notes: str, why: bool = False) -> Chosen:
    outcome = Outcome(origin, verdict, exact=False, gap=float("nan"), checks=search.answers.checked, notes=notes)
    return _chosen(search, outcome, verdict, [], exact=False, why=why)


def _chosen(
    search: LatticeSearch, outcome: Outcome, best: Verdict, others: Sequence[Verdict], *, exact: bool, why: bool
) -> Chosen:
    bench, lattice = search.bench, search.bench.lattice
    first, *rest = search.answers.scored([best, *others])
    described: dict[str, Any] = {
        "algorithm": outcome.algorithm,
        "exact": exact,
        "gap": outcome.gap if math.isfinite(outcome.gap) else None,
        "k": best.k,
        "rows": bench.rows,
        "suppressed": best.suppressed,
        "classes": best.kept_classes,
        "utility": search.built.utility(first),
        "node": lattice.describe(best.node),
        "rules": search.built.rules(best.node),
        "checks": outcome.checks,
        "nodes": lattice.size,
        "runners_up": [
            {
                "node": lattice.describe(verdict.node),
                "k": verdict.k,
                "suppressed": verdict.suppressed,
                "loss": verdict.loss,
                "why": _why_lost(first.loss, verdict.loss),
            }
            for verdict in rest
        ],
        "risk": node_risk(bench, search.privacy.shape, best.node, bench.job.privacy.risk_threshold).to_dict(),
        "guarantees": [model.statement for model in build_models(bench.job)],
        "notes": [*bench.notes, *outcome.notes],
        "figures": (outcome.figures or {}) | search.built.figures,
        "choice": columns_of_node(bench, search.built.objective, first),
        "tried": search.answers.tried(),
    }
    if why:
        from kanon_sql.evaluate.attribute_costs import attribute_costs

        costs = attribute_costs(search.answers, lattice, first)
        described |= {"why": [cost.to_dict() for cost in costs], "checks": search.answers.checked}
    return Chosen(GlobalRecoding(best.node, search.privacy.shape, best.suppressed), PlanResult(**described))


def _why_lost(best: float | None, loss: float | None) -> str:
    if best is None or loss is None:
        return ""
    if loss <= best:
        return "ties; has more attributes at `*`, or comes later in order"
    return f"loses {loss - best:.6g} more"
