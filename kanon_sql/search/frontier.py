"""What best-first has still to look at: the open boxes, the climbs under way, and what may be left out."""

from __future__ import annotations

import heapq

from kanon_sql.metrics.objective import SeparableObjective
from kanon_sql.model.lattice import Node
from kanon_sql.model.verdict import Verdict
from kanon_sql.search.boxes import Boxes
from kanon_sql.search.climb import Climb
from kanon_sql.search.guess import Guess
from kanon_sql.search.ledger import Ledger
from kanon_sql.search.order import Border, Packing

_SPLITS_BETWEEN_LOOKS_AT_THE_CLOCK = 200


class Frontier:
    """Open nodes, least bound first. A node leaves when a failure covers it, when it is evaluated, or when it cannot win.

    For a separable objective the order is that of the loss itself, so the first node that passes with nothing suppressed is the
    best. For another one the order is that of the levels, and every node is looked at that no failure, no better
    specialization and no floor (FlooredObjective) excludes.
    """

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        lattice, objective = ledger.lattice, ledger.objective
        self.by_loss = isinstance(objective, SeparableObjective)
        self.parts: tuple[tuple[float, ...], ...]
        if isinstance(objective, SeparableObjective):
            self.parts = objective.parts
        else:
            self.parts = tuple(tuple(level / max(1, star) for level in range(star + 1)) for star in lattice.star)
        self.closed = Border(Packing(lattice.width), upwards=True)
        self.guess = Guess(lattice, ledger.settings.budget_rows)
        self.climbs: list[Climb] = []
        self.rebuilt = 0
        self._splits_before = 0
        self._boxes = self._new_boxes()
        self._built_at = ledger.failing.version
        self._floors: list[tuple[float, Node]] = []

    def _new_boxes(self) -> Boxes:
        ledger = self.ledger
        return Boxes(ledger.lattice, self.parts, ledger.failing, self.closed, ledger.settings.box_limit)

    @property
    def splits(self) -> int:
        """The boxes split so far: the work done between questions."""
        return self._splits_before + self._boxes.splits

    def refill(self, count: int) -> None:
        """Drop the climbs that are settled and take up new ones, `count` in all; none is left where the search is over."""
        ledger = self.ledger
        self.climbs = [climb for climb in self.climbs if self._is_open(climb.start)]
        while len(self.climbs) < count:
            ledger.mind_the_limits()
            best = ledger.best_key if self.by_loss else None
            before = self._boxes.splits
            found = self._boxes.next_nodes(count - len(self.climbs), self, best, _SPLITS_BETWEEN_LOOKS_AT_THE_CLOCK)
            self.climbs += [Climb(ledger.lattice, self.parts, node) for node in found]
            if not found and self._boxes.splits - before < _SPLITS_BETWEEN_LOOKS_AT_THE_CLOCK and not self._rebuild():
                break
            if self.climbs and self._boxes.splits - before >= _SPLITS_BETWEEN_LOOKS_AT_THE_CLOCK:
                break
        self._note_bound()

    def __contains__(self, node: object) -> bool:
        """Whether a node needs no further look (what Boxes asks of a node it comes upon)."""
        return not self._is_open(node)  # type: ignore[arg-type]

    def _is_open(self, node: Node) -> bool:
        ledger = self.ledger
        known = ledger.verdicts.get(node)
        if known is not None and not (known.passes and ledger.needs_score(known)):
            return False
        return ledger.may_win(node) and not ledger.failing.covers(node) and not self.closed.covers(node)

    def _rebuild(self) -> bool:
        """Boxes that were given up for memory are looked at again under what was learnt since; False where that is no use."""
        given_up = self._boxes.given_up
        best = self.ledger.best_key
        if given_up is None or (self.by_loss and best is not None and given_up > best):
            return False
        if self.climbs:
            return False
        if self._built_at == self.ledger.failing.version:
            self.ledger.incomplete = True
            return False
        self._built_at = self.ledger.failing.version
        self._splits_before += self._boxes.splits
        self._boxes = self._new_boxes()
        self.rebuilt += 1
        return True

    def _note_bound(self) -> None:
        if not self.by_loss:
            return
        keys = [self.ledger.least_key(climb.start) for climb in self.climbs]
        key = self._boxes.least_key()
        least = min([k[0] for k in keys] + ([key[0]] if key is not None else []), default=None)
        if least is not None:
            self.ledger.lower_bound = max(self.ledger.lower_bound, least)

    def learn(self) -> None:
        """Take in the verdicts that came since: the guess, and what no generalization can better any more."""
        ledger = self.ledger
        floor = getattr(ledger.objective, "floor", None)
        for verdict in ledger.fresh_verdicts():
            self.guess.learn(verdict, ledger.fails_below(verdict))
            if floor is not None:
                heapq.heappush(self._floors, (-floor(verdict), verdict.node))
        while ledger.best_key is not None and self._floors and round(-self._floors[0][0], 12) > ledger.best_key[0]:
            self.closed.add(heapq.heappop(self._floors)[1])

    def close_above(self, verdict: Verdict) -> None:
        if self.ledger.closes_above(verdict):
            self.closed.add(verdict.node)
