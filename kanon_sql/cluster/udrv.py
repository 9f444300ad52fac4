"""udrv, utility-driven clustering: a cluster under k merges where the research value stays highest (thesis, figures 13 and 14).

`merged` is the thesis: the research value of the merged cluster; `gain`, the default, takes the merger that costs the table's research
value least.
"""

from __future__ import annotations

from kanon_sql.cluster.blocks import finished
from kanon_sql.cluster.bottom_up import merged
from kanon_sql.cluster.questions import Driver, Grouping
from kanon_sql.cluster.settings import ClusterSettings


def udrv(settings: ClusterSettings) -> Driver:
    rounds = yield from merged(settings, "research_value", settings.objective)
    rounds += yield from finished(settings)
    return Grouping("udrv", rounds)
