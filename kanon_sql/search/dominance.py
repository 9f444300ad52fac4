"""What measured nodes prove about the others: which nodes cannot add a point to the frontier, without being measured.

A node is settled by a point f of the frontier when f costs no more than the node can cost at least, and f's k (and l)
is no less than the node's can be at most. Then f is as good or better, and the node adds nothing.

Upper bound of k: k under a budget never falls when a node is generalized. Let j be the k of a node: its classes below
j hold at most eta rows. A class of a generalization that is smaller than j is a union of such classes, so all of them
together still hold at most eta rows. Hence k of a node <= k of any measured generalization, with any budget. Several measured
generalizations say more together than each alone: the rows that are in a class of at most j rows at any of them are so
at the node, and more than eta of them mean k <= j (`bound_to_prove`, `bound_k`).

Upper bound of l: a measured generalization's l holds for a specialization where the budget is 0, or where its k
exceeds the budget: then each class kept there is larger than what the specialization may suppress, so some part of it
is kept, with no more values. Otherwise the l proves nothing (merged outliers may enter the release), and is not used.

Lower bound of loss: the objective's closed form or bound. Where the loss is not separable, but monotone without
suppression, and suppressing a row never lowers it (discernibility, classification error), also the unsuppressed loss
of any measured specialization: what the objective's `floor` says of the verdict; else the verdict's sum `plain_loss`;
else its loss less the objective's `suppression_cost`, the most that suppressing one row can add, for each such row.
An objective with none of these is bounded by its `bound` alone: more is measured, and the frontier is as exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kanon_sql.frozen import dataclass
from kanon_sql.metrics.objective import Objective
from kanon_sql.model.lattice import Lattice, Node
from kanon_sql.model.verdict import Verdict
from kanon_sql.search.node_sets import NodeSet, NodeSets, positions
from kanon_sql.search.pareto_frontier import DIGITS, FrontierPoint, nondominated, point_of
from kanon_sql.search.questions import KBound

PLAIN_LOSS = "plain_loss"
"""The key in a verdict's sums for the node's loss had nothing been suppressed."""

UNKNOWN = float("-inf")


@dataclass(frozen=True)
class Measured:
    """A measured node. `floor` bounds the loss of its generalizations from below; `bounds_l`: its l holds for
    specializations."""

    point: FrontierPoint
    floor: float
    bounds_l: bool


class Dominance:
    """The measured nodes, the frontier they form, and the nodes still open.

    `reached[d][i]`: nodes whose value in privacy dimension d is at most that of frontier point i. `costly[i]`: nodes
    that cost at least as much as frontier point i.
    """

    def __init__(self, lattice: Lattice, objective: Objective, budget_rows: int, with_l: bool) -> None:
        self.lattice = lattice
        self.objective = objective
        self.budget_rows = budget_rows
        self.with_l = with_l
        self.dimensions = 2 if with_l else 1
        self.sets = NodeSets(lattice, lambda node: round(objective.bound(node), DIGITS))
        self.measured: list[Measured] = []
        self.bounded: list[tuple[int, Node]] = []
        """Upper bounds of k at nodes that were not measured."""
        self.measured_nodes: NodeSet = 0
        self.frontier: list[FrontierPoint] = []
        self.open: NodeSet = self.sets.everything
        self.reached: list[list[NodeSet]] = [[] for _ in range(self.dimensions)]
        self.costly: list[NodeSet] = []
        # Monotone without suppression is not enough: only these say as well that suppressing a row never lowers the loss.
        says_so = hasattr(objective, "floor") or hasattr(objective, "suppression_cost")
        self.uses_floors = not objective.separable and objective.monotone and says_so
        size = len(self.sets.nodes)
        self.at_most: list[list[int | None]] = [[None] * size for _ in range(self.dimensions)]
        self.at_least: list[int] = [1] * size

    def add(self, verdicts: Iterable[Verdict]) -> None:
        """Take in what was measured, and settle what it proves."""
        fresh = [self._measured(verdict) for verdict in verdicts]
        self.measured += fresh
        self.frontier = nondominated([*self.frontier, *(one.point for one in fresh)], self.lattice)
        for one in fresh:
            self.measured_nodes |= self.sets.single(one.point.node)
        self.open &= ~self.measured_nodes
        self._settle()
        for one in fresh:
            self._bound_neighbours(one)

    def is_open(self, node: Node) -> bool:
        return bool(self.open & self.sets.single(node))

    def bound_to_prove(self, node: Node) -> KBound | None:
        """The largest bound of k that would settle the node, and who may prove it: its least measured generalizations."""
        place = self.sets.position[node]
        most = max(
            (
                point.k
                for i, point in enumerate(self.frontier)
                if self.costly[i] >> place & 1 and all(reached[i] >> place & 1 for reached in self.reached[1:])
            ),
            default=0,
        )
        above = self.measured_nodes & self.sets.above(node)
        if not most or not above:
            return None
        least = []
        for other in positions(above):
            general = self.sets.nodes[other]
            if above & self.sets.below(general) == 1 << other:
                least.append(general)
        return KBound(node, most, tuple(least))

    def bound_k(self, bounds: Iterable[tuple[Node, int]]) -> None:
        """Take in proven bounds of k, and settle what they prove."""
        bounds = list(bounds)
        self.bounded += [(most, node) for node, most in bounds]
        self._settle()
        for node, most in bounds:
            self._lower_bounds(0, node, most)

    def proven_ranges(self) -> tuple[tuple[int, int], ...]:
        """The k, as inclusive ranges, at which no open node can cost less than the frontier does."""
        if not self.measured:
            return ()
        ceiling = max(point.k for point in self.frontier)
        threats = [span for span in self._threats() if span[0] <= span[1]]
        ranges, start = [], 1
        for low, high in sorted(threats):
            if low > start:
                ranges.append((start, low - 1))
            start = max(start, high + 1)
        if start <= ceiling:
            ranges.append((start, ceiling))
        return tuple(ranges)

    def _threats(self) -> Iterable[tuple[int, int]]:
        """Ranges of k that open nodes may still improve: above the k that is had for no more, up to what they can
        reach."""
        if self.with_l:
            yield 1, self._highest_k(self.open)
            return
        left = self.open
        for point, costly in zip(reversed(self.frontier), reversed(self.costly), strict=True):
            yield point.k + 1, self._highest_k(left & costly)
            left &= ~costly
        yield 1, self._highest_k(left)

    def _highest_k(self, nodes: NodeSet) -> int:
        """The most that any of these nodes can reach; 0 for none."""
        ceiling = max(point.k for point in self.frontier)
        return max((self.at_most[0][place] or ceiling for place in positions(nodes)), default=0)

    def _measured(self, verdict: Verdict) -> Measured:
        loss = self.objective.loss(verdict)
        floor = self._floor(verdict, loss)
        bounds_l = self.budget_rows == 0 or verdict.k > self.budget_rows
        return Measured(point_of(verdict, loss, self.with_l), round(floor, DIGITS), bounds_l)

    def _floor(self, verdict: Verdict, loss: float) -> float:
        """The least that any generalization of this node can lose; the objective's own word goes first."""
        if not self.uses_floors:
            return UNKNOWN
        if hasattr(self.objective, "floor"):
            return float(self.objective.floor(verdict))
        if PLAIN_LOSS in verdict.sums:
            return verdict.sums[PLAIN_LOSS]
        return loss - verdict.suppressed * float(getattr(self.objective, "suppression_cost", 0.0))

    def _settle(self) -> None:
        for dimension in range(self.dimensions):
            self.reached[dimension] = self._reached(dimension)
        self.costly = self._costly()
        settled = 0
        for i in range(len(self.frontier)):
            dominated = self.costly[i]
            for reached in self.reached:
                dominated &= reached[i]
            settled |= dominated
        self.open &= ~settled

    def _reached(self, dimension: int) -> list[NodeSet]:
        """For every frontier point: the specializations of measured nodes whose value is no more than the point's."""
        bounding = [
            (one.point.privacy[dimension], one.point.node) for one in self.measured if dimension == 0 or one.bounds_l
        ]
        bounding = sorted(bounding if dimension else bounding + self.bounded)
        values = [point.privacy[dimension] for point in self.frontier]
        return _unions_in_turn(values, [(value, self.sets.below(node)) for value, node in bounding])

    def _costly(self) -> list[NodeSet]:
        """For every frontier point: the nodes whose least possible loss is no less than the point's."""
        costly = [self.sets.from_loss(point.loss) for point in self.frontier]
        if self.uses_floors:
            floors = sorted(
                ((-one.floor, self.sets.above(one.point.node)) for one in self.measured if one.floor > UNKNOWN),
                key=lambda pair: pair[0],
            )
            above = _unions_in_turn([-point.loss for point in self.frontier], floors)
            costly = [one | other for one, other in zip(costly, above, strict=True)]
        return costly

    def _bound_neighbours(self, one: Measured) -> None:
        """Note the new bounds of single open nodes: for forecasts and for what is said of a search that was stopped."""
        for dimension, value in enumerate(one.point.privacy):
            if dimension == 0 or one.bounds_l:
                self._lower_bounds(dimension, one.point.node, value)
        for place in positions(self.open & self.sets.above(one.point.node)):
            if one.point.k > self.at_least[place]:
                self.at_least[place] = one.point.k

    def _lower_bounds(self, dimension: int, node: Node, value: int) -> None:
        at_most = self.at_most[dimension]
        for place in positions(self.open & self.sets.below(node)):
            known = at_most[place]
            if known is None or value < known:
                at_most[place] = value


def _unions_in_turn(limits: Sequence[float], sets: Sequence[tuple[float, NodeSet]]) -> list[NodeSet]:
    """For each limit the union of the sets whose value is at most the limit; the sets come in ascending value."""
    unions = [0] * len(limits)
    union, taken = 0, 0
    for place in sorted(range(len(limits)), key=lambda i: limits[i]):
        while taken < len(sets) and sets[taken][0] <= limits[place]:
            union |= sets[taken][1]
            taken += 1
        unions[place] = union
    return unions


def corners(lattice: Lattice) -> list[Node]:
    """What is measured first: the top, its neighbours and the bottom."""
    return list(dict.fromkeys([lattice.top, *lattice.predecessors(lattice.top), lattice.bottom]))
