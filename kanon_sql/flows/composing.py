"""A lattice night whose recoding does not compose with what was released: the nodes that do, last night's generalizations first."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from kanon_sql.errors import CompositionRisk
from kanon_sql.flows.choice import with_example
from kanon_sql.flows.lattice import LatticeSearch, composing_node
from kanon_sql.model.algorithms import LATTICE_SEARCHES
from kanon_sql.model.counted import counted
from kanon_sql.model.lattice import Node, is_generalization
from kanon_sql.model.verdict import Verdict
from kanon_sql.release.composition import WAYS_OUT, Composition
from kanon_sql.release.recoding import Chosen
from kanon_sql.search.questions import CheckNodes
from kanon_sql.workbench.workbench import Workbench

LISTED = 4096
"""A lattice of more nodes is not listed: its search is asked again, for generalizations only."""
MOST_JUDGED = 24
"""Nodes that are held against the ledger: each reads every person once."""

Judge = Callable[[Chosen], Composition]


def compose(
    bench: Workbench, search: LatticeSearch, judge: Judge, blocked: Chosen, found: Composition, last: Node | None
) -> tuple[Chosen, Composition]:
    """The cheapest node that composes, with what the guard says of it; raises CompositionRisk, and says what would, where none does.

    What a node withholds, a specialization of it withholds as well: so nodes below one that is blocked are not asked.
    """
    lattice = search.bench.lattice
    refused: list[tuple[Node, int, Composition]] = []

    def judged(verdict: Verdict) -> tuple[Chosen, Composition] | None:
        chosen = with_example(bench, composing_node(search, verdict, _note(found)))
        result = judge(chosen)
        if result.status != "blocked":
            return chosen, result
        refused.append((verdict.node, verdict.suppressed, result))
        return None

    first = _node_of(blocked, lattice.names)
    refused.append((first, blocked.plan.suppressed, found))
    (top,) = search.answers.answer(CheckNodes((lattice.top,)))
    if lattice.top != first and (not top.passes or judged(top) is not None):
        for verdict in _candidates(search, last, first):
            if any(is_generalization(node, verdict.node) for node, _, _ in refused):
                continue
            if (composed := judged(verdict)) is not None:
                return composed
            if len(refused) > MOST_JUDGED:
                break
        if top.passes and (composed := judged(top)) is not None:
            return composed
    raise _refusal(search, refused, found)


def _node_of(chosen: Chosen, names: tuple[str, ...]) -> Node:
    assert chosen.plan.node is not None
    return tuple(chosen.plan.node[name] for name in names)


def _note(found: Composition) -> str:
    message = found.message.removeprefix("composition guard: ")
    return f"another node loses less by itself and was not taken: {message}"


def _candidates(search: LatticeSearch, last: Node | None, first: Node) -> Iterator[Verdict]:
    """Passing nodes: those that generalize last night's by what they lose, then the others."""
    lattice = search.bench.lattice
    base = last if last is not None and last in lattice else first
    if lattice.size <= LISTED:
        found = [verdict for verdict in search.answers.answer(CheckNodes(tuple(lattice.nodes()))) if verdict.passes]
    else:
        driver = LATTICE_SEARCHES["best-first"].driver(lattice.without(base), search.built.objective, search.settings)
        found = list(search.answers.run(driver).seen)
    bound = search.built.objective.bound
    cheap = sorted(found, key=lambda verdict: (bound(verdict.node), verdict.node))[: LISTED // 8]
    scored = search.answers.scored(cheap)
    ranked = sorted(
        scored, key=lambda verdict: (not is_generalization(verdict.node, base), verdict.loss or 0.0, verdict.node)
    )
    yield from ranked


def _refusal(
    search: LatticeSearch, refused: list[tuple[Node, int, Composition]], found: Composition
) -> CompositionRisk:
    """What stands in the way of the best node, and what would let the one that withholds least be published."""
    message = found.message.removeprefix("composition guard: ")
    node, suppressed, least = min(refused, key=lambda one: (one[1] + one[2].withheld, one[0]))
    rows = suppressed + least.withheld
    share = math.ceil(10_000 * rows / search.bench.rows) / 10_000
    described = ", ".join(f"{name} {level}" for name, level in search.bench.lattice.describe(node).items())
    would = f"privacy.suppression: {share:g} would let the levels {described} be published ({counted(rows, 'row')} left out); "
    return CompositionRisk(f"not published: {message}; no other node composes", would + WAYS_OUT)
