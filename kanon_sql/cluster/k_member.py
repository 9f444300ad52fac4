"""k-member: a row far from the last group is the seed, then the row that adds least loss, k times (Byun et al. 2007).

One group grows in every block at the same time. Rows that are left join the group whose loss they raise least.
"""

from __future__ import annotations

from kanon_sql.cluster.block_questions import EndGrowing, GrowGroups, PlaceLeftovers, StartGrowing
from kanon_sql.cluster.blocks import cut_blocks, finished, is_whole
from kanon_sql.cluster.finish import Steps, cut_instead
from kanon_sql.cluster.questions import Driver, Grouping
from kanon_sql.cluster.settings import ClusterSettings

FINAL_ROUNDS = 24
"""Block borders cost more here than elsewhere: moves across them go on for longer."""


def k_member(settings: ClusterSettings) -> Driver:
    rounds = yield from grown(settings, spatial=False)
    rounds += yield from finished(settings, FINAL_ROUNDS)
    return Grouping("k-member", rounds)


def grown(settings: ClusterSettings, spatial: bool) -> Steps:
    """Groups of k rows or a few more in every block, or a cut of the table where there is no time for them; returns the rounds."""
    rounds = yield from cut_blocks(settings)
    yield StartGrowing(is_whole(settings), spatial)
    while (counts := (yield GrowGroups())).done:
        rounds += 1
        if counts.late:
            yield EndGrowing()
            return rounds + (yield from cut_instead(settings))
    while (yield PlaceLeftovers()).open:
        rounds += 1
    yield EndGrowing()
    return rounds
