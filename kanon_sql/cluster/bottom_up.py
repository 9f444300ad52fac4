"""bottom-up: every group under k merges with the group that makes the loss least, until none is under k (Xu et al. 2006, figure 4).

In a round every group under k of every block chooses, and a merger is done when it is the best for both its groups. By `gain`, the
default, a merger costs what it adds to the table's loss; by `merged`, as the figure says, what the merged group loses. Identical rows
begin as one group, which is what the figure comes to first. Groups of 2k rows are split.
"""

from __future__ import annotations

from kanon_sql.cluster.block_questions import MergeMeasure, MergePairs, Objective, StartMerging
from kanon_sql.cluster.blocks import cut_blocks, finished, is_whole
from kanon_sql.cluster.finish import Steps, cut_instead
from kanon_sql.cluster.questions import Driver, Grouping
from kanon_sql.cluster.settings import ClusterSettings

MERGING_TO_COME = 1.5
"""Mergers halve the groups under k, so that all rounds to come take about so many times what the last one took."""


def bottom_up(settings: ClusterSettings) -> Driver:
    rounds = yield from merged(settings, "loss", settings.objective)
    rounds += yield from finished(settings)
    return Grouping("bottom-up", rounds)


def merged(settings: ClusterSettings, measure: MergeMeasure, objective: Objective) -> Steps:
    """Clusters of k rows or more in every block, or a cut of the table where they would not be had in time; returns the rounds."""
    rounds = yield from cut_blocks(settings)
    counts = yield StartMerging(is_whole(settings), measure)
    before, to_come = counts.seconds, counts.seconds  # the first mergers cost no less than the cut into blocks
    while settings.in_time(before + to_come):
        counts = yield MergePairs(objective)
        if not (counts.done and counts.small):
            return rounds + 1
        rounds += 1
        before, to_come = counts.seconds, MERGING_TO_COME * (counts.seconds - before)
    return rounds + (yield from cut_instead(settings))
