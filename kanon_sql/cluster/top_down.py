"""top-down: a group is parted between two rows far apart, again and again (Xu et al. 2006, section 4.2 and figure 5).

The seeds are found by turns, each the row that costs most beside the other, three times; every other row goes to the seed to which it
adds less. A side under k rows borrows from the other those that lean to it most, as the paper's adjustment does.
"""

from __future__ import annotations

from kanon_sql.cluster.block_questions import HalveOpen, OpenRows
from kanon_sql.cluster.blocks import finished
from kanon_sql.cluster.finish import EVERYTHING, MOST_CUTS, Steps, cut_table
from kanon_sql.cluster.questions import CloseGroups, CutOpen, Driver, Grouping
from kanon_sql.cluster.settings import ClusterSettings

SEED_ROUNDS = 3
"""By three rounds the seeds have 97% of the greatest penalty (section 4.2)."""


def top_down(settings: ClusterSettings) -> Driver:
    rounds = yield from halved(settings)
    rounds += yield from finished(settings)
    return Grouping("top-down", rounds)


def halved(settings: ClusterSettings) -> Steps:
    """Groups of k rows or more; returns the rounds."""
    rounds, stop = 0, 2 * settings.k - 1
    if settings.rows <= stop:
        return (yield from cut_table(CutOpen(stop, settings.k)))
    before = (yield OpenRows()).seconds
    for _ in range(MOST_CUTS):
        rounds += 1
        counts = yield HalveOpen(stop, SEED_ROUNDS, settings.seed)
        if not counts.open or stop == EVERYTHING:
            break
        # Every open group has k rows: where there is time for one round more, its sides are the groups, cut from then on.
        if not settings.in_time(2 * (counts.seconds - before) + counts.seconds):
            stop = EVERYTHING
        before = counts.seconds
    yield CloseGroups()
    return rounds
