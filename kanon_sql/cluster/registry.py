"""The local recoding algorithms by the names a job file may give them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from kanon_sql.cluster.anneal import anneal
from kanon_sql.cluster.k_member import k_member
from kanon_sql.cluster.mondrian import mondrian
from kanon_sql.cluster.questions import Driver
from kanon_sql.cluster.settings import ClusterSettings


@dataclass(frozen=True)
class Clustering:
    """A driver and one line about it."""

    driver: Callable[[ClusterSettings], Driver]
    about: str


CLUSTERINGS: dict[str, Clustering] = {
    "anneal": Clustering(anneal, "moves and swaps between groups at a falling temperature (ours); the least loss"),
    "k-member": Clustering(k_member, "a far seed, then the rows that add least loss (Byun et al. 2007)"),
    "mondrian": Clustering(mondrian, "cut in two again and again (LeFevre et al. 2006; Xu et al. 2006)"),
}
