"""What a person would consider instead of the chosen node: recodings that lose little more, or that keep a column it withholds."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence

from kanon_sql.metrics.objective import Objective
from kanon_sql.model.lattice import Lattice, Node, is_generalization
from kanon_sql.model.verdict import Verdict
from kanon_sql.search.questions import Answer, CheckNodes, Question, ScoreNodes

NEAR = 0.15
"""A recoding is near when it loses at most this share more."""
KEEPS = 0.6
"""One that keeps a withheld column may lose this share more."""
TRADES = 24
"""Trades of one level for another that are checked."""
WALKS = 3
"""Withheld columns for which a way to keep them is looked for."""
STEPS = 10
"""Levels that such a way may raise elsewhere."""
SHOWN = 4

Alternatives = Generator[Question, Answer, "list[Verdict]"]
Walk = Generator[CheckNodes, Answer, "Verdict | None"]


def worth_considering(
    lattice: Lattice, objective: Objective, best: Verdict, passing: Iterable[Verdict], shown: int = SHOWN
) -> list[Verdict]:
    """Of nodes that pass, with their losses: those a person would consider, best first. A node that only generalizes another is none."""
    limits = _Limits(lattice, objective.loss(best), best.node)
    ranked = sorted(
        {v.node: v for v in passing if v.node != best.node and v.loss is not None and v.loss <= limits.of(v.node)}.values(),
        key=lambda verdict: (round(verdict.loss or 0.0, 12), verdict.node),
    )  # fmt: skip
    taken: list[Verdict] = []
    for verdict in ranked:
        if not any(is_generalization(verdict.node, other.node) for other in (best, *taken)):
            taken.append(verdict)
    kept = [next((v for v in taken if v.node[i] < lattice.star[i]), None) for i in limits.withheld]
    first = {v.node: v for v in kept if v is not None}
    others = [v for v in taken if v.node not in first][: max(0, shown - len(first))]
    return sorted([*first.values(), *others], key=lambda verdict: ranked.index(verdict))[:shown]


def alternatives(lattice: Lattice, objective: Objective, best: Verdict, seen: Iterable[Verdict]) -> Alternatives:
    """A driver: look around the chosen node with a few checks. `seen`: passing nodes that are known already."""
    limits = _Limits(lattice, objective.loss(best), best.node)
    passing = {v.node: v for v in seen if v.node != best.node and objective.bound(v.node) <= limits.of(v.node)}
    trades = sorted(
        (node for node in _trades(lattice, best.node) if objective.bound(node) <= limits.of(node)),
        key=lambda node: (objective.bound(node), node),
    )
    if trades:
        passing |= {v.node: v for v in (yield CheckNodes(tuple(trades[:TRADES]))) if v.passes}
    walks = [_way_to_keep(lattice, objective, best.node, column, limits) for column in limits.withheld[:WALKS]]
    passing |= {v.node: v for v in (yield from _side_by_side(walks)) if v is not None}
    if not passing:
        return []
    scored = yield ScoreNodes(tuple(passing))
    return worth_considering(lattice, objective, best, scored)


class _Limits:
    """What an alternative may lose at most: more where it keeps a column that the choice withholds."""

    def __init__(self, lattice: Lattice, loss: float, node: Node) -> None:
        self.star = lattice.star
        self.loss = loss
        self.withheld = [i for i, level in enumerate(node) if level == lattice.star[i] > lattice.bottom[i]]

    def of(self, node: Node) -> float:
        share = KEEPS if any(node[i] < self.star[i] for i in self.withheld) else NEAR
        return self.loss + share * abs(self.loss)


def _trades(lattice: Lattice, node: Node) -> set[Node]:
    """One column a level finer, another a level coarser."""
    return {general for special in lattice.predecessors(node) for general in lattice.successors(special)} - {node}


def _side_by_side(walks: Sequence[Walk]) -> Generator[Question, Answer, list[Verdict | None]]:
    """What each walk ends with. They ask together: a question costs more than another node in it."""
    ends: list[Verdict | None] = [None] * len(walks)
    known: dict[Node, Verdict] = {}
    asked: dict[int, tuple[Node, ...]] = dict.fromkeys(range(len(walks)), ())
    while asked:
        for place, nodes in list(asked.items()):
            try:
                answer = [known[node] for node in nodes]
                asked[place] = (walks[place].send(answer) if nodes else next(walks[place])).nodes
            except StopIteration as end:
                ends[place] = end.value
                del asked[place]
        if unknown := tuple(dict.fromkeys(n for nodes in asked.values() for n in nodes if n not in known)):
            known |= {v.node: v for v in (yield CheckNodes(unknown))}
    return ends


def _way_to_keep(lattice: Lattice, objective: Objective, node: Node, column: int, limits: _Limits) -> Walk:
    """Publish a withheld column at its coarsest level, and raise the others, the most helpful first, until it passes."""
    node = (*node[:column], node[column] - 1, *node[column + 1 :])
    for _ in range(STEPS):
        others = [
            other
            for other in lattice.successors(node)
            if other[column] == node[column] and objective.bound(other) <= limits.of(other)
        ]
        if not others:
            return None
        verdicts = yield CheckNodes(tuple(others))
        if passing := [verdict for verdict in verdicts if verdict.passes]:
            return min(passing, key=lambda verdict: (objective.bound(verdict.node), verdict.node))
        node = min(verdicts, key=lambda verdict: (verdict.suppressed, objective.bound(verdict.node), verdict.node)).node
    return None
