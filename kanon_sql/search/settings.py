"""What a lattice search needs to know of the job besides the lattice and the objective."""

from __future__ import annotations

from collections.abc import Callable

from kanon_sql.frozen import dataclass
from kanon_sql.search.progress import SearchProgress

LIST_LIMIT = 2_000_000
"""Nodes: a search that lists the lattice refuses a larger one."""


@dataclass(frozen=True)
class SearchSettings:
    """The job's figures and limits.

    `rows` is N (persons, where the job names a person key), `budget_rows` the rows that may be suppressed.
    `model_monotone`: what satisfies the privacy model within this budget still does when generalized. Where it is False a
    search prunes by k alone, which is always monotone, and the verdicts carry `k_passes`.
    `subset_width`: how many attributes partitioned searches at a time.
    `side_by_side`: how many open nodes best-first follows at once: more means fewer statements and more checks.
    `anytime`: an interrupt ends the search with the best found so far; without it the interrupt goes on to the caller.
    `heard` is told how the search gets on, after every statement.
    `list_limit`: the searches that list the lattice refuse a larger one. `region_limit` bounds what best-first keeps in memory.
    """

    rows: int
    k: int
    budget_rows: int = 0
    batch: int = 32
    model_monotone: bool = True
    time_limit: float | None = None
    check_limit: int | None = None
    subset_width: int = 3
    side_by_side: int = 8
    seed: int = 1
    anytime: bool = True
    list_limit: int = LIST_LIMIT
    region_limit: int = 100_000
    heard: Callable[[SearchProgress], None] | None = None

    @property
    def limited(self) -> bool:
        """Whether a search may be cut short."""
        return self.time_limit is not None or self.check_limit is not None
