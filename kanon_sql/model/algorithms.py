"""Every algorithm a job file may name under `search.algorithm`: the one place to add one.

An algorithm is one driver file in search/ (a lattice search) or cluster/ (a local recoding) and one line here. The job file's
schema, its errors, `kanon compare`, `kanon doctor` and the searches themselves read these tables.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from kanon_sql.frozen import dataclass


@dataclass(frozen=True)
class Algorithm:
    """A driver by the module that holds it: a function with the module's own name, imported when it is wanted.

    A lattice search is called with (lattice, objective, settings), see search/questions.py; a local recoding with (settings), see
    cluster/questions.py. `exact`: it returns the optimum when it runs to its end. `lists`: it holds the whole lattice in memory.
    """

    module: str
    about: str
    exact: bool = False
    lists: bool = False

    @property
    def driver(self) -> Callable[..., Any]:
        """The driver function. A plan imports one algorithm, not eighteen."""
        driver: Callable[..., Any] = getattr(import_module(self.module), self.module.rpartition(".")[2])
        return driver


_SEARCH, _CLUSTER = "kanon_sql.search.", "kanon_sql.cluster."

LATTICE_SEARCHES: dict[str, Algorithm] = {
    "global": Algorithm(
        _SEARCH + "global_bisection", "bisection over all strings by utility (thesis, figure 4)", exact=True, lists=True
    ),
    "local": Algorithm(_SEARCH + "local_bisection", "one bisection per attribute, all together (thesis, figure 5)"),
    "hybrid": Algorithm(
        _SEARCH + "hybrid", "local first, then global on what is left (thesis)", exact=True, lists=True
    ),
    "partitioned": Algorithm(
        _SEARCH + "partitioned", "subsets of attributes, passing substrings combined (thesis)", exact=True
    ),
    "best-first": Algorithm(
        _SEARCH + "best_first", "lazily by utility bound, cuts from high up; anytime (ours)", exact=True
    ),
    "incognito": Algorithm(
        _SEARCH + "incognito", "all passing nodes, subset by subset (LeFevre et al. 2005)", exact=True, lists=True
    ),
    "samarati": Algorithm(
        _SEARCH + "samarati", "least height by bisection; exact for the height alone (Samarati 2001)"
    ),
    "datafly": Algorithm(_SEARCH + "datafly", "the attribute with most values, until it passes (Sweeney 2002)"),
    "exhaustive": Algorithm(_SEARCH + "exhaustive", "every node is checked", exact=True),
}

LOCAL_RECODINGS: dict[str, Algorithm] = {
    "auto": Algorithm(
        _CLUSTER + "auto", "anneal, or mondrian and moves: what suits the table, the engine and the time"
    ),
    "anneal": Algorithm(
        _CLUSTER + "anneal", "moves and swaps between groups at a falling temperature (ours); the least loss"
    ),
    "udrv": Algorithm(_CLUSTER + "udrv", "clusters under k merge where the research value stays highest (thesis)"),
    "udrv-suppress": Algorithm(
        _CLUSTER + "udrv_suppress", "as udrv, and a merger may blank values of one side (thesis)"
    ),
    "bottom-up": Algorithm(_CLUSTER + "bottom_up", "groups under k merge where the loss stays least (Xu et al. 2006)"),
    "top-down": Algorithm(_CLUSTER + "top_down", "parted between two rows far apart, again and again (Xu et al. 2006)"),
    "mondrian": Algorithm(_CLUSTER + "mondrian", "cut in two again and again (LeFevre et al. 2006; Xu et al. 2006)"),
    "spatial-distance": Algorithm(
        _CLUSTER + "spatial_distance", "the rows nearest to a centre, values by contingency tables"
    ),
    "k-member": Algorithm(_CLUSTER + "k_member", "a far seed, then the rows that add least loss (Byun et al. 2007)"),
    "euclidean": Algorithm(_CLUSTER + "euclidean", "clusters under k merge by the sum of ranges (thesis)"),
}


def algorithm_names() -> list[str]:
    """What `search.algorithm` may say: lattice searches, then local recodings."""
    return [*LATTICE_SEARCHES, *LOCAL_RECODINGS]
