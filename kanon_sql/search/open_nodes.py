"""What best-first has still to look at: the open regions, the climbs under way, and what may be left out."""

from __future__ import annotations

import heapq
from collections.abc import Iterable

from kanon_sql.metrics.objective import SeparableObjective
from kanon_sql.model.lattice import LARGE_LATTICE, Node
from kanon_sql.model.verdict import Verdict
from kanon_sql.search.climb import Climb
from kanon_sql.search.failure_forecast import FailureForecast
from kanon_sql.search.group_bounds import GroupBounds, Known
from kanon_sql.search.node_borders import Border
from kanon_sql.search.open_regions import OpenRegions
from kanon_sql.search.search_state import SearchState

_SPLITS_BETWEEN_LOOKS_AT_THE_CLOCK = 200

Band = tuple[int, int]
"""Suppressed rows, from and to."""


class OpenNodes:
    """Open nodes, least bound first. A node leaves when a failure covers it, when it is evaluated, or when it cannot win.

    For a separable objective the order is that of the loss itself, so the first node that passes with nothing suppressed is the
    best. For another one the order is that of the levels, and every node is looked at that no failure, no better
    specialization and no floor (FlooredObjective) excludes.

    `band`: only nodes that suppress from so many to so many rows are looked for here, and others are sure to be looked for
    elsewhere. What suppresses more fails here, with all below it; and what the fewest rows of the band cost, every node pays.
    """

    def __init__(self, state: SearchState, band: Band | None = None) -> None:
        self.state = state
        lattice, objective = state.lattice, state.objective
        self.by_loss = isinstance(objective, SeparableObjective)
        self.band = band
        self.bound = float("-inf")
        self.failing = state.failing if band is None else Border(lattice.width, upwards=False)
        self.holding = state.holding if band is None else Border(lattice.width, upwards=True)
        self.parts: tuple[tuple[float, ...], ...]
        if isinstance(objective, SeparableObjective):
            self.parts = objective.parts if band is None else objective.parts_suppressing(band[0])
        else:
            self.parts = tuple(tuple(level / max(1, star) for level in range(star + 1)) for star in lattice.star)
        self.closed = Border(lattice.width, upwards=True)
        self.forecast = FailureForecast(lattice, state.settings.budget_rows if band is None else band[1])
        self.climbs: list[Climb] = []
        self.rebuilt = 0
        self._splits_before = 0
        self._regions = self._new_regions()
        self._built_at = self.failing.version
        self._floors: list[tuple[float, Node]] = []
        self.groups: GroupBounds | None = None

    def prove_by_groups(self) -> None:
        """Let groups of attributes raise the bound first: for a lattice so large that the proof as a whole will not end."""
        state = self.state
        if self.by_loss:
            forecast = FailureForecast(state.lattice, state.settings.budget_rows if self.band is None else self.band[1])
            known = Known(self.failing, self.holding, forecast, state.check_limits, state.settings.region_limit)
            self.groups = GroupBounds(state.lattice, self.parts, known)

    def group_probes(self, count: int) -> list[Node]:
        """What the groups ask for next; none where they have proven what they can."""
        if self.groups is None or not self.may_hold_the_best:
            return []
        wanted = self.groups.probes(count)
        self.bound = max(self.bound, self.groups.bound)
        return wanted

    def fresh_bottoms(self) -> list[Node]:
        """Where most of what the groups ask for next lies, as far as it was not said yet."""
        return [] if self.groups is None else self.groups.fresh_bottoms()

    def _new_regions(self) -> OpenRegions:
        state = self.state
        return OpenRegions(state.lattice, self.parts, self.failing, self.closed, state.settings.region_limit)

    @property
    def splits(self) -> int:
        """The regions split so far: the work done between questions."""
        return self._splits_before + self._regions.splits + (self.groups.splits if self.groups is not None else 0)

    @property
    def may_hold_the_best(self) -> bool:
        """Whether the bound leaves room for a node that is better than the best known, or ties with it."""
        best = self.state.best_key
        return not self.by_loss or best is None or self.bound <= best[0]

    def refill(self, count: int) -> None:
        """Drop the climbs that are settled and take up new ones, `count` in all; none is left where the search is over."""
        state = self.state
        self.climbs = [climb for climb in self.climbs if self._is_open(climb.start)]
        while len(self.climbs) < count:
            state.check_limits()
            best = state.best_key if self.by_loss else None
            found = self._regions.next_nodes(count - len(self.climbs), self, best, _SPLITS_BETWEEN_LOOKS_AT_THE_CLOCK)
            self.climbs += [self._climb(node) for node in found]
            spent = self._regions.spent
            if not found and not spent and not self._rebuild():
                break
            if self.climbs and spent:
                break
        self.note_bound()

    def settle(self, splits: int = 1000) -> None:
        """Raise the bound by what is known, in a bounded time and without asking."""
        found = self._regions.next_nodes(1, self, self.state.best_key, splits)
        self.climbs += [self._climb(node) for node in found]
        self.note_bound()

    def _climb(self, node: Node) -> Climb:
        lattice = self.state.lattice
        return Climb(lattice, self.parts, node, weights=self.forecast if lattice.size > LARGE_LATTICE else None)

    def __contains__(self, node: object) -> bool:
        """Whether a node needs no further look (what OpenRegions asks of a node it comes upon)."""
        return not self._is_open(node)  # type: ignore[arg-type]

    def _is_open(self, node: Node) -> bool:
        state = self.state
        known = state.verdicts.get(node)
        if known is not None and not (known.passes and state.needs_score(known)):
            return False
        return self._may_win(node) and not self.failing.covers(node) and not self.closed.covers(node)

    def _may_win(self, node: Node) -> bool:
        if self.band is None or self.state.best_key is None:
            return self.state.may_win(node)
        known = self.state.verdicts.get(node)
        least = self._least_in_band(node) if known is None else self.state.least_loss(known)
        return (round(least, 12), self.state.lattice.roots(node), node) <= self.state.best_key

    def _least_in_band(self, node: Node) -> float:
        return sum([part[level] for part, level in zip(self.parts, node, strict=True)])

    def _rebuild(self) -> bool:
        """Look again at regions given up for memory, under what was learnt since; False where that is no use."""
        given_up = self._regions.given_up
        best = self.state.best_key
        if given_up is None or (self.by_loss and best is not None and given_up > best):
            return False
        if self.climbs:
            return False
        if self._built_at == self.failing.version:
            self.state.incomplete = True
            return False
        self._built_at = self.failing.version
        self._splits_before += self._regions.splits
        self._regions = self._new_regions()
        self.rebuilt += 1
        return True

    def note_bound(self) -> None:
        """Raise the bound to the least of what is open."""
        if not self.by_loss:
            return
        key = self._regions.least_key()
        starts = [round(self._least_in_band(climb.start), 12) for climb in self.climbs]
        least = min(starts + ([key[0]] if key is not None else []), default=None)
        if least is None and self._regions.given_up is None:
            least = float("inf")
        if least is not None:
            self.bound = max(self.bound, least)

    def learn(self, verdicts: Iterable[Verdict]) -> None:
        """Take in verdicts that came since: the forecast, and what no generalization can better any more."""
        state = self.state
        floor = getattr(state.objective, "floor", None)
        for verdict in verdicts:
            fails = state.fails_below(verdict) or (self.band is not None and verdict.suppressed > self.band[1])
            self.forecast.learn(verdict, fails)
            if self.groups is not None:
                self.groups.learn(verdict, fails)
            if self.band is not None:
                (self.failing if fails else self.holding).add(verdict.node)
            if floor is not None:
                heapq.heappush(self._floors, (-floor(verdict), verdict.node))
        while state.best_key is not None and self._floors and round(-self._floors[0][0], 12) > state.best_key[0]:
            self.closed.add(heapq.heappop(self._floors)[1])

    def close_above(self, verdict: Verdict) -> None:
        if self.state.closes_above(verdict):
            self.closed.add(verdict.node)
