"""The lattice searches by the names a job file may give them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import cast

from kanon_sql.metrics.objective import Objective
from kanon_sql.model.lattice import Lattice
from kanon_sql.search.questions import Driver
from kanon_sql.search.settings import SearchSettings

SearchDriver = Callable[[Lattice, Objective, SearchSettings], Driver]


@dataclass(frozen=True)
class Search:
    """A driver by its home, and whether it is exact when it runs to its end. `lists`: it holds the whole lattice in memory."""

    home: str
    exact: bool
    lists: bool
    about: str

    @property
    def driver(self) -> SearchDriver:
        """The driver, imported when it is wanted: a plan imports one search, not nine."""
        return cast(SearchDriver, getattr(import_module(f"kanon_sql.search.{self.home}"), self.home))


SEARCHES: dict[str, Search] = {
    "exhaustive": Search("exhaustive", True, False, "every node is checked"),
    "global": Search("global_bisection", True, True, "bisection over all strings by utility (thesis, figure 4)"),
    "local": Search("local_bisection", False, False, "one bisection per attribute, all together (thesis, figure 5)"),
    "hybrid": Search("hybrid", True, True, "local first, then global on what is left (thesis)"),
    "best-first": Search("best_first", True, False, "lazily by utility bound, cuts from high up; anytime (ours)"),
    "partitioned": Search("partitioned", True, False, "subsets of attributes, passing substrings combined (thesis)"),
    "incognito": Search("incognito", True, True, "all passing nodes, subset by subset (LeFevre et al. 2005)"),
    "samarati": Search(
        "samarati", False, False, "least height by bisection; exact for the height alone (Samarati 2001)"
    ),
    "datafly": Search("datafly", False, False, "the attribute with most values, until it passes (Sweeney 2002)"),
}
