"""What each quasi-identifier costs at a chosen node: what a data owner asks when the answer is `*`.

Three neighbours of the node for each attribute (at `*`, one level up, one level down) are checked, all attributes in one statement
where the engine takes as many; beside them counts what the search has checked already.
"""

from __future__ import annotations

from kanon_sql.frozen import dataclass
from kanon_sql.metrics.objective import SeparableObjective
from kanon_sql.model.lattice import Lattice, Node
from kanon_sql.model.verdict import Verdict
from kanon_sql.search.questions import CheckNodes
from kanon_sql.workbench.answers import Answers

SHARES = ("glm", "ncp", "entropy")
"""Measures whose loss is a share of all that can be lost: without a column they are a share of what the others can lose."""
SCORED = 3
"""Of the nodes without an attribute so many are scored, those that may lose least."""


@dataclass(frozen=True)
class AttributeCost:
    """One quasi-identifier at the chosen node.

    `loss` is its own part of the loss, where the measure has parts. `loss_without`: the least loss found for the table without
    the column; `saved` what that is less than now. `rows_alone`: suppressed rows that would be kept without it.
    `give_up`: one level more general, what that costs and how many rows it keeps; None at its most general level.
    `refine`: one level less general, and how many more rows it would make rare; None at its least general level.
    """

    attribute: str
    level: int
    star: bool
    loss: float | None
    loss_without: float | None
    saved: float | None
    rows_alone: int
    give_up: dict[str, float | int] | None
    refine: dict[str, float | int] | None

    def to_dict(self) -> dict[str, object]:
        return dict(self.__dict__)


def attribute_costs(answers: Answers, lattice: Lattice, chosen: Verdict) -> list[AttributeCost]:
    """The costs of all attributes at the chosen node, the most expensive first."""
    node = chosen.node
    loss = answers.objective.loss(chosen)
    wanted = [_at(node, i, lattice.star[i]) for i in range(lattice.width)]
    wanted += [_at(node, i, level + 1) for i, level in enumerate(node) if level < lattice.top[i]]
    wanted += [_at(node, i, level - 1) for i, level in enumerate(node) if level > lattice.bottom[i]]
    answers.answer(CheckNodes(tuple(dict.fromkeys(wanted))))
    costs = [_cost(answers, lattice, chosen, loss, i) for i in range(lattice.width)]
    return sorted(costs, key=lambda cost: (-(cost.saved or 0.0), -cost.rows_alone, lattice.names.index(cost.attribute)))


def _cost(answers: Answers, lattice: Lattice, chosen: Verdict, loss: float, i: int) -> AttributeCost:
    node, objective = chosen.node, answers.objective
    parts = objective.parts[i] if isinstance(objective, SeparableObjective) else None

    def bound(level: int) -> float:
        return 0.0 if parts is None else parts[level] - parts[node[i]]

    without = answers.memo[_at(node, i, lattice.star[i])]
    give_up = refine = None
    if node[i] < lattice.top[i]:
        above = answers.memo[_at(node, i, node[i] + 1)]
        give_up = {"level": node[i] + 1, "costs": bound(node[i] + 1), "keeps": chosen.suppressed - above.suppressed}
    if node[i] > lattice.bottom[i]:
        below = answers.memo[_at(node, i, node[i] - 1)]
        refine = {"level": node[i] - 1, "saves": -bound(node[i] - 1), "loses": below.suppressed - chosen.suppressed}
    least = _least_without(answers, lattice, i)
    return AttributeCost(
        attribute=lattice.names[i],
        level=node[i],
        star=node[i] == lattice.star[i],
        loss=None if parts is None else parts[node[i]],
        loss_without=least,
        saved=None if least is None else loss - least,
        rows_alone=max(0, chosen.suppressed - without.suppressed),
        give_up=give_up,
        refine=refine,
    )


def _least_without(answers: Answers, lattice: Lattice, i: int) -> float | None:
    """The least loss of the table without attribute i, over the nodes that have it at `*` and pass."""
    objective, star = answers.objective, lattice.star[i]
    fits = [verdict for node, verdict in answers.memo.items() if node[i] == star and verdict.passes]
    likely = sorted(fits, key=lambda verdict: (objective.bound(verdict.node), verdict.node))
    if isinstance(objective, SeparableObjective):
        likely.sort(key=lambda verdict: (objective.bound_suppressing(verdict.node, verdict.suppressed), verdict.node))
    losses = [objective.loss(verdict) for verdict in answers.scored(likely[:SCORED])]
    if not losses:
        return None
    if not isinstance(objective, SeparableObjective):
        return min(losses)  # it counts classes, and at `*` the column does not part them
    own = objective.parts[i][star]
    rest = objective.bound(lattice.star) - own
    return min(losses) - own if objective.name not in SHARES or rest <= 0 else (min(losses) - own) / rest


def _at(node: Node, i: int, level: int) -> Node:
    return (*node[:i], level, *node[i + 1 :])
