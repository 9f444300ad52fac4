"""k-member: a row far from the last group is the seed, then the row that adds least loss, k times (Byun et al. 2007).

One group grows in every block at the same time. Rows that are left join the group whose loss they raise least.
"""

from __future__ import annotations

import itertools

from kanon_sql.cluster.block_questions import EndGrowing, GrowGroups, PlaceLeftovers, StartGrowing
from kanon_sql.cluster.blocks import block_rows, cut_blocks, is_whole
from kanon_sql.cluster.finish import (
    Steps,
    absorb_small_groups,
    cut_instead,
    dissolve_costliest,
    final_pass,
    run_length,
    split_groups,
)
from kanon_sql.cluster.questions import Driver, Grouping
from kanon_sql.cluster.settings import ClusterSettings

FINAL_ROUNDS, NOTHING_GAINED = 48, 0.002
"""Block borders cost more here than elsewhere: moves across them go on for longer, until a round gains next to nothing."""
MEETING = 3
"""And more rows meet, so many times as many."""
FINAL_ROUNDS_OF_TREES = 24
"""With levels a pair of a row and a group costs several times as much, and longer runs and more rounds gain little."""
DISSOLVINGS = 2
"""The groups that got what a block had left are dissolved, so many times, and rows move on, those too whose own group gains nothing by it."""


def k_member(settings: ClusterSettings) -> Driver:
    return Grouping("k-member", (yield from grown_and_moved(settings)))


def grown_and_moved(settings: ClusterSettings) -> Steps:
    """All of k-member; returns the rounds."""
    rounds = yield from grown(settings, spatial=False)
    rounds += yield from absorb_small_groups(settings)
    rounds += yield from split_groups(settings.k)
    rounds += yield from moved_among_many(settings, 500)
    if settings.rounds is None:
        rounds += yield from dissolve_costliest(settings, DISSOLVINGS)
        rounds += yield from moved_among_many(settings, 600, lends=True)
    return rounds


def moved_among_many(settings: ClusterSettings, salt: int, lends: bool | None = None) -> Steps:
    """Moves in longer runs, until they gain next to nothing."""
    if settings.trees:
        rounds = FINAL_ROUNDS_OF_TREES if settings.rounds is None else settings.rounds
        return (yield from final_pass(settings, rounds, salt, lends=lends))
    rounds = FINAL_ROUNDS if settings.rounds is None else settings.rounds
    length = MEETING * run_length(settings.k)
    return (yield from final_pass(settings, rounds, salt, lends=lends, nothing=NOTHING_GAINED, length=length))


def grown(settings: ClusterSettings, spatial: bool) -> Steps:
    """Groups of k rows or a few more in every block; returns the rounds. A turn costs what those before did, and a block has rows for so
    many: where they would not end in time the table is cut instead, at once."""
    rounds = yield from cut_blocks(settings)
    started = (yield StartGrowing(is_whole(settings), spatial)).seconds
    if not settings.in_time(2 * started):  # what is to come takes longer than the cut into blocks
        return rounds + (yield from cut_instead(settings))
    size = min(block_rows(settings), settings.rows)
    for turn in itertools.count(1):
        counts = yield GrowGroups()
        if not counts.done:
            break
        rounds += 1
        to_come = max(0, size // settings.k - turn) * (counts.seconds - started) / turn
        if counts.late or not settings.in_time(counts.seconds + to_come):
            yield EndGrowing()
            return rounds + (yield from cut_instead(settings))
    while (yield PlaceLeftovers()).open:
        rounds += 1
    yield EndGrowing()
    return rounds
