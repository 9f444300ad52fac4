"""pareto: the exact frontier of (k, loss) or (k, l, loss), by bounds, with few nodes measured; anytime.

Every node is either measured or settled by what was measured (see dominance), so the frontier is exact whatever the
order of questions; the order decides how many are needed. Two kinds are asked, a batch per question:
first nodes that a forecast puts above the frontier, to find its points early; where none is left, the nodes that would
settle most of what is open if the forecast holds: greedy set cover, each choice of a batch taken after the ones before
it. Where the loss has a closed form, a node is measured only if what the nodes measured so far say of it together does
not settle it: counting their small classes costs a fraction of grouping the table.
Stopped early, the frontier says at which k it is proven.
"""

from __future__ import annotations

import heapq
import math
import time
from bisect import bisect_left, bisect_right
from collections.abc import Generator

from kanon_sql.errors import JobError
from kanon_sql.metrics.objective import Objective
from kanon_sql.model.counted import counted
from kanon_sql.model.lattice import Lattice, Node
from kanon_sql.search.dominance import UNKNOWN, Dominance, corners
from kanon_sql.search.figure_forecast import FigureForecast
from kanon_sql.search.node_sets import NodeSet, positions
from kanon_sql.search.pareto_frontier import Frontier, with_knees
from kanon_sql.search.questions import Answer, BoundK, MeasureNodes, Question, StopSearch
from kanon_sql.search.settings import SearchSettings

FrontierDriver = Generator[Question, Answer, Frontier]

CANDIDATES = 4_000
"""Of more open nodes than this, evenly spread ones are weighed in a round: weighing must not cost more than
measuring."""


def pareto(lattice: Lattice, objective: Objective, settings: SearchSettings, with_l: bool = False) -> FrontierDriver:
    """The frontier of (k, loss), or of (k, l, loss) where the verdicts carry l."""
    if lattice.size > settings.list_limit:
        raise JobError(
            f"the frontier needs the lattice listed, and it has {counted(lattice.size, 'node')}",
            "leave out levels or quasi-identifiers, or take the algorithm poka",
        )
    dominance = Dominance(lattice, objective, settings.budget_rows, with_l)
    question = _NextQuestion(dominance)
    started = time.monotonic()
    statements = 0
    notes = [_what_bounds(objective, dominance)]
    wanted = corners(lattice)
    try:
        while wanted:
            room = _room(settings, len(dominance.measured), started)
            verdicts = yield MeasureNodes(tuple(wanted[:room]), remembered=objective.separable)
            statements += 1
            dominance.add(verdicts)
            # What was wanted and is still open comes first; a new choice is made when none is left.
            wanted = [node for node in wanted[room:] if dominance.is_open(node)]
            wanted = wanted or (yield from _next_to_measure(dominance, question, settings.batch))
    except StopSearch as stop:
        notes.append(f"stopped early: {stop}; {dominance.open.bit_count()} nodes are neither measured nor settled")
    return Frontier(
        metric=objective.name,
        algorithm="pareto",
        exact=dominance.open == 0,
        nodes=lattice.size,
        evaluated=len(dominance.measured),
        statements=statements,
        points=with_knees(dominance.frontier),
        names=lattice.names,
        ceiling=max((point.k for point in dominance.frontier), default=0),
        proven=dominance.proven_ranges(),
        notes=tuple(notes),
    )


def _next_to_measure(
    dominance: Dominance, question: _NextQuestion, batch: int
) -> Generator[Question, Answer, list[Node]]:
    """The nodes of the next question. Where the measured ones settle most of a choice together, others are chosen."""
    tried: dict[Node, int] = {}
    question.fit()
    while True:
        wanted = question.next_batch(batch)
        bounds = [bound for bound in map(dominance.bound_to_prove, wanted) if bound is not None]
        bounds = [bound for bound in bounds if bound.most > tried.get(bound.node, 0)]
        if not bounds or not dominance.objective.separable:
            return wanted
        tried |= {bound.node: bound.most for bound in bounds}
        verdicts = yield BoundK(tuple(bounds))
        proven = [(verdict.node, verdict.k) for verdict in verdicts if not verdict.passes]
        if not proven:
            return wanted
        dominance.bound_k(proven)
        wanted = [node for node in wanted if dominance.is_open(node)]
        if wanted and len(proven) < batch / 2:
            return wanted


def _room(settings: SearchSettings, measured: int, started: float) -> int:
    """How many nodes the next question may name."""
    if settings.time_limit is not None and time.monotonic() - started >= settings.time_limit:
        raise StopSearch("the time limit is reached")
    if settings.check_limit is None:
        return settings.batch
    if measured >= settings.check_limit:
        raise StopSearch("the limit of checks is reached")
    return min(settings.batch, settings.check_limit - measured)


def _what_bounds(objective: Objective, dominance: Dominance) -> str:
    if objective.separable:
        return f"{objective.name} is bounded from below in closed form"
    if dominance.uses_floors:
        return f"{objective.name} has no closed form: it is bounded from below by measured specializations"
    return f"{objective.name} has no closed form: only its general bound is used, so most nodes are measured"


class _NextQuestion:
    """What to ask next, by forecasts of k, l and loss."""

    def __init__(self, dominance: Dominance) -> None:
        self.dominance = dominance
        self.privacy = [FigureForecast(dominance.lattice, floor=1.0) for _ in range(dominance.dimensions)]
        self.loss = FigureForecast(dominance.lattice)
        self.floor = FigureForecast(dominance.lattice)

    def next_batch(self, batch: int) -> list[Node]:
        """Nodes for one question; empty when nothing is open."""
        dominance = self.dominance
        if not dominance.open:
            return []
        candidates = list(positions(dominance.open))
        candidates = candidates[:: -(-len(candidates) // CANDIDATES)]
        chosen = self._improving(candidates, batch) or self._covering(candidates, batch)
        return [dominance.sets.nodes[place] for place in chosen]

    def fit(self) -> None:
        """Learn from what was measured."""
        measured = self.dominance.measured
        for dimension, forecast in enumerate(self.privacy):
            forecast.fit((one.point.node, max(1, one.point.privacy[dimension])) for one in measured)
        if self.dominance.uses_floors:
            self.loss.fit((one.point.node, one.point.loss) for one in measured if one.point.loss > 0)
            self.floor.fit((one.point.node, one.floor) for one in measured if one.floor > 0)

    def _guess(self, place: int) -> tuple[float, ...]:
        """The logarithms of k (and l) of an open node, within what is proven of it."""
        node = self.dominance.sets.nodes[place]
        guesses = []
        for forecast, at_most in zip(self.privacy, self.dominance.at_most, strict=True):
            known = at_most[place]
            guess = forecast.guess(node)
            guesses.append(guess if known is None else min(guess, math.log(max(1, known))))
        guesses[0] = max(guesses[0], math.log(self.dominance.at_least[place]))
        return tuple(guesses)

    def _guess_of_loss(self, place: int) -> float:
        bound = self.dominance.sets.bounds[place]
        if not self.dominance.uses_floors:
            return bound
        return max(bound, math.exp(self.loss.guess(self.dominance.sets.nodes[place])))

    def _improving(self, candidates: list[int], batch: int) -> list[int]:
        """Open nodes guessed above the frontier, furthest first; of two, one of which would dominate the other, that
        one."""
        frontier = sorted(self.dominance.frontier, key=lambda point: point.loss)
        losses = [point.loss for point in frontier]
        logs = [tuple(math.log(max(1, value)) for value in point.privacy) for point in frontier]
        leads = []
        for place in candidates:
            guess, loss = self._guess(place), self._guess_of_loss(place)
            cheaper = logs[: bisect_right(losses, loss)]
            if len(guess) == 1:
                # In two dimensions the dearest of the cheaper points has the highest k.
                cheaper = cheaper[-1:]
            lead = min((max(g - f for g, f in zip(guess, one, strict=True)) for one in cheaper), default=guess[0])
            if lead > 0:
                leads.append((-lead, place, guess, loss))
        leads.sort()
        chosen: list[tuple[int, tuple[float, ...], float]] = []
        for _, place, guess, loss in leads:
            if len(chosen) == batch:
                break
            if not any(
                cost <= loss and all(a >= b for a, b in zip(better, guess, strict=True)) for _, better, cost in chosen
            ):
                chosen.append((place, guess, loss))
        return [place for place, _, _ in chosen]

    def _covering(self, candidates: list[int], batch: int) -> list[int]:
        """Open nodes whose measurement would settle most, if they turn out as guessed."""
        sets, left = self.dominance.sets, self.dominance.open
        queue: list[tuple[int, int, NodeSet]] = []
        for place in candidates:
            node = sets.nodes[place]
            settles = sets.below(node) & self._dearer(self._guess(place))
            if self.dominance.uses_floors:
                settles |= sets.above(node) & self._weaker(math.exp(self.floor.guess(node)))
            settles &= left
            queue.append((-(settles | 1 << place).bit_count(), place, settles | 1 << place))
        heapq.heapify(queue)
        chosen: list[int] = []
        while queue and len(chosen) < batch:
            promised, place, settles = heapq.heappop(queue)
            if not left >> place & 1:
                continue
            settles &= left
            count = settles.bit_count()
            # What was promised before the last choice may have shrunk: only the best as of now is taken.
            if -promised != count and queue and count < -queue[0][0]:
                heapq.heappush(queue, (-count, place, settles))
                continue
            chosen.append(place)
            left &= ~settles
        return chosen

    def _dearer(self, guess: tuple[float, ...]) -> NodeSet:
        """The nodes that cost no less than the cheapest frontier point with this much privacy."""
        frontier = self.dominance.frontier
        if len(guess) == 1:
            place = bisect_left(frontier, math.exp(guess[0]) - 1e-9, key=lambda point: point.k)
            return self.dominance.costly[min(place, len(frontier) - 1)]
        wanted = [math.exp(value) - 1e-9 for value in guess]
        reaching = [
            (point.loss, i)
            for i, point in enumerate(frontier)
            if all(value >= want for value, want in zip(point.privacy, wanted, strict=True))
        ]
        return self.dominance.costly[min(reaching)[1]] if reaching else 0

    def _weaker(self, floor: float) -> NodeSet:
        """The nodes with no more privacy than some frontier point that costs no more than the floor."""
        weaker: NodeSet = 0
        if floor > UNKNOWN:
            for i, point in enumerate(self.dominance.frontier):
                if point.loss <= floor:
                    reached = self.dominance.reached[0][i]
                    for other in self.dominance.reached[1:]:
                        reached &= other[i]
                    weaker |= reached
        return weaker
