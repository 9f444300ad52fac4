"""mondrian: cut the table in two, again and again (LeFevre et al. 2006; MultiDim of Xu et al. 2006, section 4.3).

`widest` cuts the attribute of the widest normalised range at its most even place, as the papers do; by default the cut is taken by
which the loss falls most. Strict cuts never part equal values, so that intervals do not overlap; relaxed ones may, and leave groups
of k to 2k - 1 rows.
"""

from __future__ import annotations

from kanon_sql.cluster.finish import cut_in_time, final_pass, split_groups
from kanon_sql.cluster.questions import CutOpen, Driver, Grouping
from kanon_sql.cluster.settings import ClusterSettings


def mondrian(settings: ClusterSettings) -> Driver:
    k = settings.k
    cut = CutOpen(2 * k - 1, k, settings.widest)
    if settings.relaxed:
        cut = CutOpen(2 * k - 1, (k + 1) // 2, settings.widest, multiple_of=k)
    rounds, in_time = yield from cut_in_time(cut)
    if settings.rounds and in_time:
        rounds += yield from split_groups(k)
        rounds += yield from final_pass(settings, settings.rounds)
    return Grouping("mondrian", rounds)
