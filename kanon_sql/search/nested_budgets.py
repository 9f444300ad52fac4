"""A good answer at once, and never a worse one for a larger budget: the same walks for every budget, the small budgets first.

First a greedy walk down from the top, all children of a node in one statement: it passes nodes for every budget, and the best of them within
each limit are scored. Then one stage follows the other, each for a limit of suppressed rows (a fixed ladder of shares): from the best
node known within the limit, changes of one or two attributes and of many (far_changes), the most promising first by a forecast of
suppressed rows; then kicks of several attributes, and the same again.

A search with a budget takes the stages up to it and no other; neither the walk nor a stage looks at the budget, nor at what passes it. So the
statements of a smaller budget are the first ones of a larger, each node
that passes the smaller passes the larger, and wherever both are cut the larger has no worse an answer. Only counts
decide, never the clock. What the proof that follows comes upon counts when it ends (SearchState.settle_answer): it depends on the budget.
"""

from __future__ import annotations

import heapq
import math
import random
from collections.abc import Generator, Iterable, Iterator

from kanon_sql.metrics.objective import SeparableObjective, best_first_key
from kanon_sql.model.lattice import Node
from kanon_sql.model.verdict import Verdict
from kanon_sql.search.far_changes import FarChanges
from kanon_sql.search.questions import Answer, Question
from kanon_sql.search.search_state import Key, SearchState, Steps
from kanon_sql.search.suppression_forecast import SuppressionForecast

SHARES = (0, 0.001, 0.002, 0.003, 0.005, 0.007, 0.01, 0.015, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 1)
"""The ladder of limits, as shares of all rows. A budget in between is searched as the next smaller one, so the steps are small."""
SMALL_LATTICE = 128
"""A lattice of so many nodes is listed: a few statements."""
KICKS = 3
"""Restarts from a shaken copy of the best, in every stage."""
AT_ONCE = 16
"""Changes asked for in one statement."""
DRAWS = 24
"""Draws of nodes many attributes away, for half a statement of them."""
PATIENCE = 4
"""Statements without a better node, after which a node counts as not to be bettered."""
STEP = 0.05
"""A step down saves at least so much of what the attribute can cost, where a deeper level does."""
OVERSHOOT = 1.1
"""The walk from the top ends where every node loses so many times what the best of it does."""

Landing = Generator[Question, Answer, Verdict | None]
Change = tuple[int, int]
"""An attribute and the level it is set to."""


class NestedBudgets:
    """The walks, and what they have learnt of the rows that nodes suppress."""

    def __init__(self, state: SearchState) -> None:
        self._state = state
        self._random = random.Random(state.settings.seed)
        self._forecast = SuppressionForecast(state.lattice)
        self._visited: dict[Node, Verdict] = {}
        self._keys: dict[Node, Key] = {}
        objective, lattice = state.objective, state.lattice
        self._separable = isinstance(objective, SeparableObjective)
        if isinstance(objective, SeparableObjective):
            self._parts = objective.parts
            free = objective.exact_from_counts and not objective.scaled_by_kept
            self._whole = 0.0 if free else objective.bound(lattice.star)
        else:
            # Only an order: what is found is judged by its true loss.
            self._parts = tuple(tuple(level / max(1, star) for level in range(star + 1)) for star in lattice.star)
            self._whole = float(lattice.width)
        self._below = [self._levels_below(i) for i in range(lattice.width)]
        self._far = FarChanges(lattice, self._parts, self._forecast, self._random)

    def improve(self) -> Steps:
        """All stages up to the budget."""
        state, budget = self._state, self._state.settings.budget_rows
        (top,) = yield from state.check([state.lattice.top])
        self._visit([top])
        if state.fails_below(top):
            return
        if state.lattice.size <= SMALL_LATTICE:
            yield from self._every_node()
            return
        yield from self._walk(top)
        rows = state.settings.rows
        limits = sorted({min(math.floor(share * rows), rows - 1) for share in SHARES})
        for limit in limits:  # also those above the budget: what is asked must not depend on it
            yield from self._best_within(limit)
        for limit in limits:
            if limit <= budget:
                yield from self._stage(limit)
        if budget not in limits and (above := [limit for limit in limits if limit > budget]):
            yield from self._best_within(above[0])
            yield from self._best_for_less(budget, above[0])

    def _every_node(self) -> Steps:
        nodes = sorted(self._state.lattice.nodes(), key=lambda node: (-sum(node), node))
        self._visit((yield from self._state.check(nodes)))
        yield from self._best_for_less(self._state.settings.budget_rows, self._state.settings.rows)

    # the walk from the top

    def _walk(self, here: Verdict) -> Steps:
        """Step down by the best worth of all children."""
        state = self._state
        least = math.inf
        while here.kept_classes or not here.suppressed:
            loss = state.least_loss(here)
            least = min(least, loss)
            children = self._children(here)
            if not children or loss > least * OVERSHOOT:
                return
            verdicts = yield from state.check(children)
            self._visit(verdicts)
            start = here
            here = max(verdicts, key=lambda verdict: (self._worth(start, verdict), verdict.node))

    def _worth(self, here: Verdict, below: Verdict) -> float:
        """Levels saved for the rows that it costs."""
        saved = self._level_cost(here.node) - self._level_cost(below.node)
        gained = math.log((below.suppressed + 1) / (here.suppressed + 1))
        return saved / (max(gained, 0.0) + 0.05)

    # a stage

    def _stage(self, limit: int) -> Steps:
        """Better the best node that suppresses at most `limit` rows."""
        yield from self._best_within(limit)
        best = self._known_best(limit)
        if best is None:
            return
        yield from self._better(best, limit)
        for kick in range(KICKS):
            best = self._known_best(limit)
            assert best is not None
            start = yield from (self._dropped(best.node, limit) if kick % 2 else self._kicked(best.node, limit))
            if start is not None:
                yield from self._better(start, limit)

    def _better(self, here: Verdict, limit: int) -> Steps:
        """Change one or two attributes while that lowers the loss."""
        state = self._state
        misses = 0
        while misses < PATIENCE:
            far = self._far_changes(here, limit)
            wanted = far + [node for node in self._changes(here, limit) if node not in far][: AT_ONCE - len(far)]
            if not wanted:
                return
            verdicts = yield from state.check(wanted)
            self._visit(verdicts)
            better = (yield from self._least(verdicts, limit, here)) or here
            misses = misses + 1 if better is here else 0
            here = better

    def _far_changes(self, here: Verdict, limit: int) -> list[Node]:
        """Some nodes not visited yet, many attributes away, that lose less by the forecast."""
        loss = self._state.least_loss(here) if self._separable else math.inf
        found: list[Node] = []
        for _ in range(DRAWS):
            node = self._far.from_node(here.node, here.suppressed, limit)
            if node is None or node in self._visited or node in found or self._level_cost(node) >= loss:
                continue
            found.append(node)
            if len(found) == AT_ONCE // 2:
                break
        return found

    def _changes(self, here: Verdict, limit: int) -> list[Node]:
        """The most promising nodes not visited yet, one or two attributes away."""
        node, forecast = here.node, self._forecast
        rows, whole = self._state.settings.rows, self._whole
        loss = self._state.least_loss(here) if self._separable else math.inf
        cost = self._level_cost(node)
        log_here = forecast.log(here.suppressed)
        most = forecast.log(1.3 * limit + 2)
        single: list[tuple[Change, float, float]] = []
        for i, level in self._single_changes(node):
            known = self._visited.get((*node[:i], level, *node[i + 1 :]))
            change = forecast.change(i, node[i], level) if known is None else forecast.log(known.suppressed) - log_here
            single.append(((i, level), change, self._parts[i][level] - self._parts[i][node[i]]))
        ranked: list[tuple[float, tuple[Change, ...]]] = []

        def rank(log: float, levels: float, changes: tuple[Change, ...]) -> None:
            if log <= most and levels < loss:
                ranked.append((levels + min(1.0, math.exp(log) / rows) * max(0.0, whole - levels), changes))

        for place, (one, log_one, cost_one) in enumerate(single):
            rank(log_here + log_one, cost + cost_one, (one,))
            for other, log_other, cost_other in single[:place]:
                if other[0] != one[0]:
                    rank(log_here + log_one + log_other, cost + cost_one + cost_other, (other, one))
        found: list[Node] = []
        for _, changes in heapq.nsmallest(12 * AT_ONCE, ranked):
            changed = list(node)
            for i, level in changes:
                changed[i] = level
            if (candidate := tuple(changed)) not in self._visited:
                found.append(candidate)
            if len(found) == AT_ONCE:
                break
        return found

    def _single_changes(self, node: Node) -> Iterator[Change]:
        lattice = self._state.lattice
        for i, (low, high) in enumerate(zip(lattice.bottom, lattice.top, strict=True)):
            for level in range(low, high + 1):
                if level != node[i]:
                    yield i, level

    def _kicked(self, node: Node, limit: int) -> Landing:
        """A node some attributes away that suppresses no more than `limit`; None where none is found soon."""
        state, lattice, draw = self._state, self._state.lattice, self._random
        level = list(node)
        most = min(7, lattice.width)
        for i in draw.sample(range(lattice.width), draw.randint(min(3, most), most)):
            level[i] = draw.randint(lattice.bottom[i], lattice.top[i])
        for _ in range(8):
            (verdict,) = yield from state.check([tuple(level)])
            self._visit([verdict])
            if verdict.suppressed <= limit:
                return (yield from self._least([verdict], limit, None))
            self._raise(level, self._forecast.log(verdict.suppressed), self._forecast.log(limit))
        return None

    def _dropped(self, node: Node, limit: int) -> Landing:
        """Raise up to three attributes, then step down as long as a child fits the limit: other ones are lowered."""
        state, lattice, draw = self._state, self._state.lattice, self._random
        level = list(node)
        free = [i for i in range(lattice.width) if level[i] < lattice.top[i]]
        for i in draw.sample(free, min(len(free), draw.randint(1, 3))):
            level[i] = draw.randint(level[i] + 1, lattice.top[i])
        (here,) = yield from state.check([tuple(level)])
        self._visit([here])
        fits = [here] if here.suppressed <= limit else []
        while fits:
            start = here = max(fits, key=lambda verdict: (self._worth(here, verdict), verdict.node))
            below, fits = self._children(start), []
            while below and not fits:
                asked, below = below[:AT_ONCE], below[AT_ONCE:]
                verdicts = yield from state.check(asked)
                self._visit(verdicts)
                fits = [verdict for verdict in verdicts if verdict.suppressed <= limit]
        return (yield from self._least([here], limit, None))

    def _children(self, here: Verdict) -> list[Node]:
        """One attribute lowered, best worth by the forecast first."""
        ranked = []
        for i, level in enumerate(here.node):
            if level > self._state.lattice.bottom[i]:
                below = self._below[i][level]
                saved = self._parts[i][level] - self._parts[i][below]
                gained = max(self._forecast.change(i, level, below), 0.0)
                ranked.append((-saved / (gained + 0.05), (*here.node[:i], below, *here.node[i + 1 :])))
        return [node for _, node in sorted(ranked)]

    def _levels_below(self, attribute: int) -> dict[int, int]:
        """For every level the one to step down to: the next, or past it where only a deeper one saves anything to speak of."""
        part = self._parts[attribute]
        low, high = self._state.lattice.bottom[attribute], self._state.lattice.top[attribute]
        least = STEP * (max(part[low : high + 1]) - min(part[low : high + 1]))
        below = {}
        for level in range(low + 1, high + 1):
            worth_it = (other for other in range(level - 1, low - 1, -1) if part[level] - part[other] >= least)
            below[level] = next(worth_it, level - 1)
        return below

    def _raise(self, level: list[int], log: float, goal: float) -> None:
        """Raise attributes, those that save most rows for their cost first, until the forecast falls below the goal."""
        top = self._state.lattice.top
        while True:
            free = [i for i in range(len(level)) if level[i] < top[i]]
            if not free:
                return
            i = max(free, key=lambda i: self._saving(i, level[i]) * self._random.uniform(0.5, 1.5))
            log -= max(self._forecast.change(i, level[i] + 1, level[i]), 0.01)
            level[i] += 1
            if log <= goal:
                return

    def _saving(self, attribute: int, level: int) -> float:
        part = self._parts[attribute]
        return max(self._forecast.change(attribute, level + 1, level), 0.0) / (part[level + 1] - part[level] + 1e-3)

    # judging

    def _level_cost(self, node: Node) -> float:
        return sum([part[level] for part, level in zip(self._parts, node, strict=True)])

    def _visit(self, verdicts: Iterable[Verdict]) -> None:
        for verdict in verdicts:
            if verdict.node not in self._visited:
                self._forecast.learn(verdict)
            self._visited[verdict.node] = verdict
            if not self._state.needs_score(verdict):
                roots = self._state.lattice.roots(verdict.node)
                self._keys[verdict.node] = best_first_key(self._state.objective, verdict, roots)

    def _known_best(self, limit: int) -> Verdict | None:
        """The best node within the limit whose loss is known."""
        within = [key for node, key in self._keys.items() if self._visited[node].suppressed <= limit]
        return self._visited[min(within)[2]] if within else None

    def _best_within(self, limit: int) -> Steps:
        """Score what was visited and may be the best within the limit."""
        yield from self._least(self._visited.values(), limit, self._known_best(limit))

    def _best_for_less(self, budget: int, limit: int) -> Steps:
        """Score what was visited and may be the best within the budget or any other one below the limit, those that suppress least
        first: so a larger of these budgets goes on where a smaller one ends."""
        ranked = sorted((verdict.suppressed, node) for node, verdict in self._visited.items() if node not in self._keys)
        ranked = [(suppressed, node) for suppressed, node in ranked if suppressed <= limit]
        while ranked and ranked[0][0] <= budget:
            batch, ranked = ranked[: AT_ONCE // 2], ranked[AT_ONCE // 2 :]
            yield from self._scored([node for suppressed, node in batch if self._may_be_best(node, suppressed)])

    def _may_be_best(self, node: Node, limit: int) -> bool:
        best = self._known_best(limit)
        return best is None or round(self._state.least_loss(self._visited[node]), 12) < self._keys[best.node][0]

    def _scored(self, nodes: Iterable[Node]) -> Steps:
        self._visit((yield from self._state.score(nodes)))

    def _least(self, verdicts: Iterable[Verdict], limit: int, best: Verdict | None) -> Landing:
        """The node of least loss among `best` and the verdicts within the limit; those that may be it are scored."""
        fits = [verdict for verdict in verdicts if verdict.suppressed <= limit]
        ranked = sorted((self._state.least_loss(verdict), verdict.node) for verdict in fits)
        while ranked:
            least = math.inf if best is None else self._keys[best.node][0]
            batch = [node for loss, node in ranked[: AT_ONCE // 2] if round(loss, 12) < least]
            ranked = ranked[len(batch) :] if batch else []
            yield from self._scored(batch)
            keys = [self._keys[node] for node in batch if node in self._keys]
            if keys and (best is None or min(keys) < self._keys[best.node]):
                best = self._visited[min(keys)[2]]
        return best
