"""POkA: Pareto-optimal k-anonymous nodes (Dewri, Ray, Ray, Whitley, CIKM 2009), functions 1 to 3 with the lists of
section 5.3.

Not exact: depth and height searches from one optimum to the next miss some. Which nodes a depth search evaluates
depends on their own figures and the base node's alone, not on the order of visits. So they are asked for in waves, a
statement per wave, before the published functions run on what was measured: the same nodes evaluated, the same result,
far fewer statements.
Where the paper is silent: the loop also ends when a depth search finds nothing. With depth 1 the published functions
take a child of the base node without comparing it, so a node found may be dominated by another; such nodes are not
reported as points.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterable
from dataclasses import dataclass, field

from kanon_sql.metrics.objective import Objective
from kanon_sql.model.lattice import Lattice, Node, is_generalization
from kanon_sql.search.pareto_frontier import Frontier, FrontierPoint, nondominated, point_of, with_knees
from kanon_sql.search.questions import Answer, MeasureNodes, Question, StopSearch
from kanon_sql.search.settings import SearchSettings

FrontierDriver = Generator[Question, Answer, Frontier]


def poka(lattice: Lattice, objective: Objective, settings: SearchSettings, depth: int | None = None) -> FrontierDriver:
    """Function 3: from the fully generalized node, one depth search per Pareto-optimal node, until k <= 2."""
    search = _Poka(lattice, objective, settings, default_depth(lattice) if depth is None else depth)
    notes = [f"depth {search.depth}", "POkA is not exact: a depth search may miss an optimum"]
    found: list[FrontierPoint] = []
    try:
        yield from search.measure([lattice.top])
        base: FrontierPoint | None = search.measured[lattice.top]
        while base is not None:
            found.append(base)
            if base.k <= 2:
                break
            yield from search.measure_ahead(base)
            base = search.next_optimum(base)
    except StopSearch as stop:
        notes.append(f"stopped early: {stop}")
    return Frontier(
        metric=objective.name,
        algorithm="poka",
        exact=False,
        nodes=lattice.size,
        evaluated=len(search.measured),
        statements=search.statements,
        points=with_knees(nondominated(found, lattice)),
        names=lattice.names,
        ceiling=found[0].k if found else 0,
        notes=tuple(notes),
    )


def default_depth(lattice: Lattice) -> int:
    """The paper's d_avg: ceil(sum of N_i / s), the average length of the hierarchies."""
    lengths = sum(high - low for low, high in zip(lattice.bottom, lattice.top, strict=True))
    return max(1, -(-lengths // lattice.width))


def distance(one: Node, other: Node) -> int:
    return sum(abs(a - b) for a, b in zip(one, other, strict=True))


@dataclass
class _Poka:
    """The state of one run. `height_best` and `depth_best` are the paper's HBest and DBest, emptied for every base
    node."""

    lattice: Lattice
    objective: Objective
    settings: SearchSettings
    depth: int
    measured: dict[Node, FrontierPoint] = field(default_factory=dict)
    statements: int = 0
    started: float = field(default_factory=time.monotonic)
    height_best: dict[Node, FrontierPoint | None] = field(default_factory=dict)
    depth_best: dict[Node, FrontierPoint | None] = field(default_factory=dict)

    def measure(self, nodes: Iterable[Node]) -> Generator[Question, Answer, None]:
        """Ask for the figures of the nodes not yet measured."""
        wanted = sorted({node for node in nodes if node not in self.measured})
        while wanted:
            room = self.room()
            verdicts = yield MeasureNodes(tuple(wanted[:room]))
            self.statements += 1
            for verdict in verdicts:
                self.measured[verdict.node] = point_of(verdict, self.objective.loss(verdict))
            wanted = wanted[room:]

    def room(self) -> int:
        """How many nodes the next question may name."""
        limit, spent = self.settings.time_limit, time.monotonic() - self.started
        if limit is not None and spent >= limit:
            raise StopSearch("the time limit is reached")
        if self.settings.check_limit is None:
            return self.settings.batch
        if len(self.measured) >= self.settings.check_limit:
            raise StopSearch("the limit of checks is reached")
        return min(self.settings.batch, self.settings.check_limit - len(self.measured))

    def next_optimum(self, base: FrontierPoint) -> FrontierPoint | None:
        """DepthSearch from the base node, with both lists emptied (section 5.3)."""
        self.height_best.clear()
        self.depth_best.clear()
        return self.depth_search(base.node, base)

    def depth_search(self, node: Node, base: FrontierPoint) -> FrontierPoint | None:
        """Function 2: go down to depth d below the base node, then search upwards from there."""
        if node in self.depth_best:
            return self.depth_best[node]
        best: FrontierPoint | None = None
        for child in self.lattice.predecessors(node):
            if distance(base.node, child) == self.depth:
                found = self.height_search(child, base, use_node=self.depth == 1)
            else:
                found = self.depth_search(child, base)
            best = _better(found, best)
        self.depth_best[node] = best
        return best

    def height_search(self, node: Node, base: FrontierPoint, use_node: bool) -> FrontierPoint | None:
        """Function 1: the node above with the highest k below the base's k and loss (height boundary property)."""
        if node in self.height_best:
            return self.height_best[node]
        best = self.measured[node] if use_node else None
        for child in self.lattice.successors(node):
            if self.passes_through(child, base):
                found = self.height_search(child, base, use_node=False)
            elif self.is_within(child, base):
                found = self.height_search(child, base, use_node=True)
            else:
                found = None
            best = _better(found, best)
        self.height_best[node] = best
        return best

    def passes_through(self, node: Node, base: FrontierPoint) -> bool:
        """In the base's specialization graph and not an immediate neighbour: cannot be next, so it is not evaluated."""
        return is_generalization(base.node, node) and distance(base.node, node) > 1

    def is_within(self, node: Node, base: FrontierPoint) -> bool:
        point = self.measured[node]
        return point.k < base.k and point.loss < base.loss

    def measure_ahead(self, base: FrontierPoint) -> Generator[Question, Answer, None]:
        """Measure what the depth search from this base will evaluate, a wave of the height searches at a time."""
        wave = self.grounds(base.node)
        if self.depth == 1:
            yield from self.measure(wave)
        seen = set(wave)
        while wave:
            children = {child for node in wave for child in self.lattice.successors(node)}
            free = {child for child in children if self.passes_through(child, base)}
            yield from self.measure(children - free)
            wave = {child for child in children if child not in seen and (child in free or self.is_within(child, base))}
            seen |= wave

    def grounds(self, node: Node) -> set[Node]:
        """The nodes at depth d in the specialization graph: the candidate ground nodes."""
        below = {node}
        for _ in range(self.depth):
            below = {child for one in below for child in self.lattice.predecessors(one)}
        return below


def _better(found: FrontierPoint | None, best: FrontierPoint | None) -> FrontierPoint | None:
    """The published comparison: the higher k, then the lower loss; the first found stays on a tie."""
    if found is None:
        return best
    if best is None or found.k > best.k or (found.k == best.k and found.loss < best.loss):
        return found
    return best
