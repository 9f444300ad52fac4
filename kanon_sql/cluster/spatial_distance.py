"""spatial-distance: rows as points; the first row in the order of the attribute of most values and the k - 1 nearest are a class.

SpatialDistance, section 4 and figure 3: values of a categorical are the nearer to the seed's, the more alike their frequencies are beside it
(contingency tables, counted anew for every class); a centre is the mean of numerics and the set of values of categoricals; what is left
joins the nearest centre.
"""

from __future__ import annotations

from kanon_sql.cluster.blocks import finished
from kanon_sql.cluster.k_member import grown
from kanon_sql.cluster.questions import Driver, Grouping
from kanon_sql.cluster.settings import ClusterSettings


def spatial_distance(settings: ClusterSettings) -> Driver:
    rounds = yield from grown(settings, spatial=True)
    rounds += yield from finished(settings)
    return Grouping("spatial-distance", rounds)
