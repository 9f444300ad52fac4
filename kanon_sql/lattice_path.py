"""From a prepared workbench to a chosen node: objective, privacy shape, search, and the plan that describes the choice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kanon_sql.config.privacy_models import build_models
from kanon_sql.errors import JobError, NoSolution
from kanon_sql.evaluate.risk import node_risk
from kanon_sql.model.algorithms import LATTICE_SEARCHES
from kanon_sql.model.lattice import Node
from kanon_sql.model.verdict import Verdict
from kanon_sql.observer import Observer
from kanon_sql.release.recoding import Chosen, GlobalRecoding
from kanon_sql.results import PlanResult
from kanon_sql.search.questions import CheckNodes, Outcome
from kanon_sql.search.settings import SearchSettings
from kanon_sql.workbench.answers import Answers
from kanon_sql.workbench.embedded import searching_bench
from kanon_sql.workbench.objectives import BuiltObjective, build_objective
from kanon_sql.workbench.privacy_shape import BuiltPrivacy, build_shape
from kanon_sql.workbench.workbench import Workbench

RUNNERS_UP = 5


@dataclass(frozen=True)
class LatticeSearch:
    """Everything a lattice driver and its answers need."""

    bench: Workbench
    built: BuiltObjective
    privacy: BuiltPrivacy
    answers: Answers
    settings: SearchSettings


def set_up(bench: Workbench, observer: Observer) -> LatticeSearch:
    """The objective, the shape of a class and the one who answers, for a prepared workbench; it may be the embedded one."""
    bench = searching_bench(bench)
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
    )
    return LatticeSearch(bench, built, privacy, answers, settings)


def kept_or_searched(bench: Workbench, observer: Observer, node: Node, why: str) -> Chosen:
    """A node that was good before, where it still holds; else what a search finds."""
    search = set_up(bench, observer)
    verdict = search.answers.answer(CheckNodes((node,)))[0]
    if verdict.passes:
        kept = (f"kept the {why}: it still holds (search.reuse)",)
        outcome = Outcome("reuse", verdict, exact=False, gap=float("nan"), checks=search.answers.checked, notes=kept)
        return _chosen(search, outcome, verdict, [], exact=False)
    observer.note(f"{why}: it does not hold any more, so the search begins anew")
    observer.step(f"searching ({bench.job.search.algorithm})")
    return search_lattice(bench, observer, None, search)


def search_lattice(
    bench: Workbench, observer: Observer, choose: int | None, search: LatticeSearch | None = None
) -> Chosen:
    """Run the job's search; `choose` takes the N-th passing node it saw instead of the best."""
    search = search or set_up(bench, observer)
    driver = LATTICE_SEARCHES[bench.job.search.algorithm].driver(bench.lattice, search.built.objective, search.settings)
    outcome = search.answers.run(driver)
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
    others = [verdict for verdict in ranked if verdict.node != best.node][:RUNNERS_UP]
    return _chosen(search, outcome, best, others, exact=outcome.exact and choose in (None, 1))


def chosen_node(bench: Workbench, observer: Observer, node: Node, why: str) -> Chosen:
    """A node chosen elsewhere (a point of a frontier, last night's release): checked, not searched for."""
    search = set_up(bench, observer)
    verdict = search.answers.answer(CheckNodes((node,)))[0]
    if not verdict.passes:
        raise NoSolution(
            f"{why}: the node does not satisfy the job on today's table "
            f"({verdict.suppressed} rows in violating classes, {bench.budget} may be suppressed)",
            "search again",
        )
    outcome = Outcome(why, verdict, exact=False, gap=float("nan"), checks=search.answers.checked)
    return _chosen(search, outcome, verdict, [], exact=False)


def _chosen(
    search: LatticeSearch, outcome: Outcome, best: Verdict, others: Sequence[Verdict], *, exact: bool
) -> Chosen:
    bench, lattice = search.bench, search.bench.lattice
    first, *rest = search.answers.scored([best, *others])
    described: dict[str, Any] = {
        "algorithm": outcome.algorithm,
        "exact": exact,
        "gap": None if outcome.gap != outcome.gap else outcome.gap,
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
        "risk": node_risk(bench, search.privacy.shape, best.node, bench.job.privacy.risk_threshold).to_json(),
        "guarantees": [model.statement for model in build_models(bench.job)],
        "notes": [*bench.notes, *outcome.notes],
        "figures": (outcome.figures or {}) | search.built.figures,
        "tried": search.answers.tried(),
    }
    return Chosen(GlobalRecoding(best.node, search.privacy.shape, best.suppressed), PlanResult(**described))


def _why_lost(best: float | None, loss: float | None) -> str:
    if best is None or loss is None:
        return ""
    if loss <= best:
        return "ties; has more attributes at `*`, or comes later in order"
    return f"loses {loss - best:.6g} more"
