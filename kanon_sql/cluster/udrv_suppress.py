"""udrv-suppress: utility-driven clustering where a merger may blank attribute values on one of its sides (thesis, suppression variant).

Of the three research values of a merger (nothing blanked, values of the one side blanked, of the other) the greatest counts. A blank is
a value of its own in the release: where the blanked rows of a cluster are fewer than k, the attribute is blanked for the whole cluster,
so that every class of the published table has k rows. Rows blanked alike stay together: there is no pass of moves at the end.
"""

from __future__ import annotations

from kanon_sql.cluster.block_questions import MergePairs, SettleBlanks, StartMerging
from kanon_sql.cluster.blocks import cut_blocks, is_whole
from kanon_sql.cluster.finish import split_groups
from kanon_sql.cluster.questions import Driver, Grouping
from kanon_sql.cluster.settings import ClusterSettings


def udrv_suppress(settings: ClusterSettings) -> Driver:
    rounds = yield from cut_blocks(settings)
    yield StartMerging(is_whole(settings), "research_value", suppress=True)
    while (yield MergePairs(settings.objective)).done:
        rounds += 1
    yield SettleBlanks()
    rounds += yield from split_groups(settings.k)
    return Grouping("udrv-suppress", rounds)
