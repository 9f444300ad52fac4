"""euclidean: the two clusters with the least sum of ranges when merged are merged (thesis, table 10).

Ranges are those of the whole attribute's range, weighted; different values of a categorical without levels are as far apart as can be.
"""

from __future__ import annotations

from kanon_sql.cluster.blocks import finished
from kanon_sql.cluster.bottom_up import merged
from kanon_sql.cluster.questions import Driver, Grouping
from kanon_sql.cluster.settings import ClusterSettings


def euclidean(settings: ClusterSettings) -> Driver:
    rounds = yield from merged(settings, "ranges", "merged")
    rounds += yield from finished(settings)
    return Grouping("euclidean", rounds)
