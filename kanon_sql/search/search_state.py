"""What a search has asked and learnt: verdicts, the borders of failure and success, the best node, the count of checks."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Generator, Iterable, Sequence

from kanon_sql.errors import Stopped
from kanon_sql.metrics.objective import Objective, SeparableObjective, best_first_key
from kanon_sql.model.lattice import Lattice, Node
from kanon_sql.model.verdict import Verdict
from kanon_sql.search.node_borders import Border
from kanon_sql.search.progress import Timeline
from kanon_sql.search.questions import (
    Answer,
    CheckNodes,
    Driver,
    NothingPasses,
    Outcome,
    Question,
    ScoreNodes,
    StopSearch,
)
from kanon_sql.search.settings import SearchSettings

Key = tuple[float, int, Node]
Asking = Generator[Question, Answer, list[Verdict]]
Steps = Generator[Question, Answer, None]

PROJECTION_WIDTH = 3
"""A node with at most so many attributes below `*` is counted as a cut: its grouping is small and cheap."""


class SearchState:
    """Everything one search knows. Every node is asked for once; every verdict moves the borders.

    `failing` holds maximal nodes known to fail in a way that all their specializations share (subset and generalization
    property); `holding` minimal nodes that do not, nor do their generalizations: for a monotone model they pass, for another
    one they pass by k alone.
    """

    def __init__(self, lattice: Lattice, objective: Objective, settings: SearchSettings) -> None:
        self.lattice = lattice
        self.objective = objective
        self.settings = settings
        self.failing = Border(lattice.width, upwards=False)
        self.holding = Border(lattice.width, upwards=True)
        self.verdicts: dict[Node, Verdict] = {}
        self.best: Verdict | None = None
        self.best_key: Key | None = None
        self._answer: tuple[Verdict, Key] | None = None
        self.seen: dict[Node, Verdict] = {}
        self.checks = 0
        self.cuts = 0
        self.scores = 0
        self.statements = 0
        self.interrupted = False
        self.incomplete = False
        self.impossible = ""
        self.figures: dict[str, object] = {}
        self.notes: list[str] = []
        self.lower_bound = float("-inf")
        self.timeline = Timeline(settings.time_limit)
        self._started = time.monotonic()
        self._keys: dict[Node, Key] = {}
        self._fresh: list[Verdict] = []
        self._fresh_verdicts: list[Verdict] = []

    # asking

    def check(self, nodes: Iterable[Node]) -> Asking:
        """The verdicts of `nodes`; those not known yet are asked for, a batch a statement."""
        wanted = list(nodes)
        yield from self._ask(CheckNodes, [node for node in dict.fromkeys(wanted) if node not in self.verdicts])
        return [self.verdicts[node] for node in wanted]

    def score(self, nodes: Iterable[Node]) -> Asking:
        """As check, with the exact loss of each."""
        wanted = list(nodes)
        missing = [n for n in dict.fromkeys(wanted) if self._lacks_loss(n)]
        yield from self._ask(ScoreNodes, missing)
        return [self.verdicts[node] for node in wanted]

    def evaluate_in_order(self, nodes: Iterable[Node]) -> Steps:
        """Evaluate the nodes that may be the best, least bound first, until no other can be."""
        closed = Border(self.lattice.width, upwards=True)
        waiting = sorted((self.least_key(node) for node in nodes), reverse=True)
        while waiting:
            batch: list[Node] = []
            while waiting and len(batch) < max(1, self.settings.batch):
                key = waiting.pop()
                if self.best_key is not None and key > self.best_key:
                    waiting.clear()
                elif not closed.covers(key[2]):
                    batch.append(key[2])
            for verdict in (yield from self.evaluate(batch)):
                if verdict.passes and self.closes_above(verdict):
                    closed.add(verdict.node)

    def closes_above(self, verdict: Verdict) -> bool:
        """Whether no generalization of this passing, evaluated node can be better: nothing suppressed, all monotone."""
        return verdict.suppressed == 0 and self.objective.monotone and self.settings.model_monotone

    def evaluate(self, nodes: Iterable[Node]) -> Asking:
        """Check nodes of the lattice, score those that pass and could still win, and keep the best of them."""
        verdicts = yield from self.check(nodes)
        passed = [verdict for verdict in verdicts if verdict.passes]
        yield from self.score(v.node for v in passed if self.needs_score(v) and self.may_win(v.node))
        return [self.verdicts[verdict.node] for verdict in verdicts]

    def _ask(self, question: type[CheckNodes | ScoreNodes], nodes: Sequence[Node]) -> Steps:
        size = max(1, self.settings.batch)
        for start in range(0, len(nodes), size):
            batch = tuple(nodes[start : start + size])
            self.check_limits()
            answer = yield question(batch)
            self.statements += 1
            # To score a node that was checked is to look at it again, not to check another.
            self.checks += sum(node not in self.verdicts for node in batch)
            self.scores += len(batch) if question is ScoreNodes else 0
            for node, verdict in zip(batch, answer, strict=True):
                self.cuts += self.is_projection(node)
                self._learn(verdict)
            self._note_progress()

    def _note_progress(self) -> None:
        key = self.best_key if self._answer is None else self._answer[1]
        loss = None if key is None else key[0]
        now = self.timeline.note(self.checks, time.monotonic() - self._started, loss, self.lower_bound)
        if self.settings.heard is not None:
            self.settings.heard(now)

    def check_limits(self) -> None:
        limit = self.settings.time_limit
        if limit is not None and time.monotonic() - self._started >= limit:
            raise StopSearch("the time limit is reached")
        if self.settings.check_limit is not None and self.checks >= self.settings.check_limit:
            raise StopSearch("the limit of checks is reached")

    def _learn(self, verdict: Verdict) -> None:
        if verdict.node not in self.verdicts:
            self._fresh_verdicts.append(verdict)
        self.verdicts[verdict.node] = verdict
        if self.fails_below(verdict):
            self.failing.add(verdict.node)
        else:
            self.holding.add(verdict.node)
        if verdict.passes and not self.needs_score(verdict):
            self.consider(verdict)

    # what is known

    def fails_below(self, verdict: Verdict) -> bool:
        """Whether every specialization of this node fails as well."""
        if self.settings.model_monotone:
            return not verdict.passes
        return verdict.k_passes is False

    def is_projection(self, node: Node) -> bool:
        return self.lattice.width - self.lattice.roots(node) <= min(PROJECTION_WIDTH, self.lattice.width - 1)

    def settled(self, node: Node) -> bool | None:
        """True where the node is known to pass, False where it is known to fail, None where it must be asked."""
        known = self.verdicts.get(node)
        if known is not None:
            return known.passes
        if self.failing.covers(node):
            return False
        return True if self.settings.model_monotone and self.holding.covers(node) else None

    def needs_score(self, verdict: Verdict) -> bool:
        """Whether the exact loss of a passing node is not to be had from this verdict."""
        objective = self.objective
        if verdict.loss is not None or objective.exact_from_counts:
            return False
        return verdict.suppressed > 0 or not objective.separable

    def _lacks_loss(self, node: Node) -> bool:
        known = self.verdicts.get(node)
        return known is None or self.needs_score(known)

    def least_key(self, node: Node) -> Key:
        """No key of this node can come before this one."""
        return (round(self.objective.bound(node), 12), self.lattice.roots(node), node)

    def key(self, node: Node) -> Key:
        """The key of a node in `seen`."""
        return self._keys[node]

    def least_loss(self, verdict: Verdict) -> float:
        """What the node loses, its suppressed rows counted; where it is not scored yet, what it loses at least."""
        objective = self.objective
        if verdict.loss is not None or objective.exact_from_counts:
            return objective.loss(verdict)
        if isinstance(objective, SeparableObjective):
            return objective.bound_suppressing(verdict.node, verdict.suppressed)
        return objective.bound(verdict.node)

    def may_win(self, node: Node) -> bool:
        return self.best_key is None or self.least_key(node) <= self.best_key

    def consider(self, verdict: Verdict) -> None:
        """Take a passing node of the lattice, its loss known, into the list of successes; keep it if it is the best."""
        if verdict.node not in self.lattice:
            return
        key = best_first_key(self.objective, verdict, self.lattice.roots(verdict.node))
        self.seen[verdict.node] = verdict
        self._fresh.append(verdict)
        self._keys[verdict.node] = key
        if self.best_key is None or key < self.best_key:
            self.best, self.best_key = verdict, key

    def settle_answer(self) -> None:
        """From here on what is found counts only where the search comes to its end; until then it serves as a bound."""
        if self.best is not None and self.best_key is not None:
            self._answer = (self.best, self.best_key)

    def raise_bound(self, bound: float) -> None:
        """No node can lose less than this; where that is more than the best does, the best is what none can fall below."""
        if self.best_key is not None:
            bound = min(bound, self.best_key[0])
        if bound < float("inf"):
            self.lower_bound = max(self.lower_bound, bound)

    def keep_successes(self, wanted: Callable[[Node], bool]) -> None:
        """Forget the successes a search does not look for; the best of those it does is the best."""
        self.seen = {node: verdict for node, verdict in self.seen.items() if wanted(node)}
        self._fresh = [verdict for verdict in self._fresh if wanted(verdict.node)]
        self.best_key = min((self._keys[node] for node in self.seen), default=None)
        self.best = self.seen[self.best_key[2]] if self.best_key is not None else None

    def note_least_bound(self) -> None:
        """Before any node is looked at: what no node of the lattice can fall below. What has a floor never loses less than its bottom
        does, whatever is suppressed."""
        lattice, objective = self.lattice, self.objective
        if isinstance(objective, SeparableObjective):
            runs = zip(objective.parts, lattice.bottom, lattice.top, strict=True)
            self.lower_bound = sum(min(part[lo : hi + 1]) for part, lo, hi in runs)
        elif (objective.monotone and self.settings.budget_rows == 0) or hasattr(objective, "floor"):
            self.lower_bound = objective.bound(lattice.bottom)

    def fresh_verdicts(self) -> list[Verdict]:
        """The verdicts since this was last asked for."""
        fresh, self._fresh_verdicts = self._fresh_verdicts, []
        return fresh

    def fresh_successes(self) -> list[Verdict]:
        """The successes since this was last asked for."""
        fresh, self._fresh = self._fresh, []
        return fresh

    # the answer

    def outcome(self, algorithm: str, exact: bool, reason: str = "") -> Outcome:
        """What was found. A search cut short claims no more than the bound it has proven."""
        exact = exact and not self.interrupted and not self.incomplete
        if self._answer is not None and not exact:
            settled = self._answer[1]
            self.keep_successes(lambda node: self._keys[node] >= settled)
        self._answer = None
        successes = tuple(sorted(self.seen.values(), key=lambda verdict: self._keys[verdict.node]))
        gap = 0.0
        if not exact:
            gap = float("inf") if self.best_key is None else max(0.0, self.best_key[0] - self.lower_bound)
        if self.best is None and not reason:
            reason = self.impossible or (
                "the search was cut short before it found a node that passes" if self.interrupted else NothingPasses
            )
        losses = [self._keys[verdict.node][0] for verdict in successes]
        if exact and self.best_key is not None:
            self.lower_bound = self.best_key[0]
        self._note_progress()
        figures: dict[str, object] = {
            "checks": self.checks,
            "cuts": self.cuts,
            "scores": self.scores,
            "statements": self.statements,
            "nodes": self.lattice.size,
            "lower_bound": self.lower_bound if math.isfinite(self.lower_bound) else None,
            "timeline": [moment.to_dict() for moment in self.timeline.moments],
            "success_least_loss": losses[0] if losses else None,
            "success_greatest_loss": losses[-1] if losses else None,
            "root_counts": {str(v.node): self.lattice.roots(v.node) for v in successes[:100]},
            **self.figures,
        }
        return Outcome(
            algorithm=algorithm,
            best=self.best,
            exact=exact,
            gap=gap,
            seen=successes,
            checks=self.checks,
            reason=reason,
            notes=tuple(self.notes),
            figures=figures,
        )


def run_steps(
    algorithm: str, state: SearchState, steps: Steps, exact: bool, reason: Callable[[], str] | None = None
) -> Driver:
    """Run the steps of a search to their end or to a StopSearch, and state the outcome."""
    try:
        yield from steps
    except (StopSearch, KeyboardInterrupt) as stop:
        if isinstance(stop, KeyboardInterrupt) and not state.settings.anytime:
            raise
        if isinstance(stop, Stopped) and stop.ends_all:
            raise
        state.interrupted = True
        state.notes.append(f"stopped early: {stop}" if str(stop) else "stopped early")
    return state.outcome(algorithm, exact, reason() if reason and state.best is None else "")
