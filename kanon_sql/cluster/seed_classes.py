"""A start for attributes with levels: classes are classes off node by node, the cheapest nodes first.

A node's classes of k rows or more, among the rows still free, become groups; a row in no such class joins the group whose
loss it raises least. Groups may be large: identical rows stay together until the end, and lend rows to others.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from itertools import islice

from kanon_sql.cluster.finish import Steps, absorb_small_groups, cut_instead
from kanon_sql.cluster.questions import AssignClasses, EndClasses, StartClasses
from kanon_sql.cluster.settings import ClusterSettings

MOST_NODES = 6000
PAIRS = 300_000
"""Free rows times nodes of a statement."""
LARGEST_BATCH = 100
FREE_SHARE = 0.005
"""It ends when no more than this share of the rows is free."""
SEEDING_SHARE = 0.3
"""A start that takes more of a time limit than this leaves no time for what follows: the table is cut instead."""


def seed_classes(settings: ClusterSettings, room: int) -> Steps:
    """Groups of classes, and small groups absorbed; returns the rounds."""
    opened = yield StartClasses()
    rounds = asked = 0
    nodes = by_loss(opened.levels)
    left = settings.rows
    while asked < MOST_NODES and left > FREE_SHARE * settings.rows and left >= settings.k:
        batch = tuple(islice(nodes, max(8, min(LARGEST_BATCH, PAIRS // left))))
        if not batch:
            break
        counts = yield AssignClasses(batch)
        left = counts.open
        if not settings.in_time(counts.seconds / SEEDING_SHARE):
            return rounds + (yield from cut_instead(settings))
        asked += len(batch)
        rounds += 1
    yield EndClasses()
    return rounds + (yield from absorb_small_groups(settings, room))


def by_loss(levels: tuple[tuple[float, ...], ...]) -> Iterator[tuple[int, ...]]:
    """The nodes in ascending mean loss, lazily."""
    start = tuple(0 for _ in levels)
    heap: list[tuple[float, tuple[int, ...]]] = [(sum(of[0] for of in levels), start)]
    seen = {start}
    while heap:
        _, node = heapq.heappop(heap)
        yield node
        for i, level in enumerate(node):
            if level + 1 < len(levels[i]):
                above = node[:i] + (level + 1,) + node[i + 1 :]
                if above not in seen:
                    seen.add(above)
                    heapq.heappush(heap, (round(sum(of[j] for of, j in zip(levels, above, strict=True)), 9), above))
