"""The local recoding algorithms by the names a job file may give them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from kanon_sql.cluster.anneal import anneal
from kanon_sql.cluster.bottom_up import bottom_up
from kanon_sql.cluster.euclidean import euclidean
from kanon_sql.cluster.k_member import k_member
from kanon_sql.cluster.mondrian import mondrian
from kanon_sql.cluster.questions import Driver
from kanon_sql.cluster.settings import ClusterSettings
from kanon_sql.cluster.spatial_distance import spatial_distance
from kanon_sql.cluster.top_down import top_down
from kanon_sql.cluster.udrv import udrv
from kanon_sql.cluster.udrv_suppress import udrv_suppress


@dataclass(frozen=True)
class Clustering:
    """A driver and one line about it."""

    driver: Callable[[ClusterSettings], Driver]
    about: str


CLUSTERINGS: dict[str, Clustering] = {
    "anneal": Clustering(anneal, "moves and swaps between groups at a falling temperature (ours); the least loss"),
    "k-member": Clustering(k_member, "a far seed, then the rows that add least loss (Byun et al. 2007)"),
    "bottom-up": Clustering(bottom_up, "groups under k merge where the loss stays least (Xu et al. 2006)"),
    "spatial-distance": Clustering(spatial_distance, "the rows nearest to a centre, values by contingency tables"),
    "top-down": Clustering(top_down, "parted between two rows far apart, again and again (Xu et al. 2006)"),
    "udrv": Clustering(udrv, "clusters under k merge where the research value stays highest (thesis)"),
    "udrv-suppress": Clustering(udrv_suppress, "as udrv, and a merger may blank values of one side (thesis)"),
    "euclidean": Clustering(euclidean, "clusters under k merge by the sum of ranges (thesis)"),
    "mondrian": Clustering(mondrian, "cut in two again and again (LeFevre et al. 2006; Xu et al. 2006)"),
}
