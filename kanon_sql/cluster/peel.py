"""A start for attributes with levels: classes are peeled off node by node, the cheapest nodes first.

A node's classes of k rows or more, among the rows still free, become groups; a row that no class takes finds a home in the group that
it makes dearer by least. Groups may be large: identical rows stay together until the end, and lend rows to others.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator

from kanon_sql.cluster.finish import Steps, homes
from kanon_sql.cluster.questions import ClosePeel, OpenPeel, PeelNodes
from kanon_sql.cluster.settings import ClusterSettings

MOST_NODES = 1500
BATCH = 10
FREE_SHARE = 0.03
"""Peeling ends when no more than this share of the rows is free: dear nodes cost more than homes."""


def peel(settings: ClusterSettings, room: int) -> Steps:
    """Groups of classes, and homes for the rest; returns the rounds."""
    opened = yield OpenPeel()
    rounds = 0
    nodes = by_loss(opened.levels)
    left = settings.rows
    for _ in range(MOST_NODES // BATCH):
        batch = tuple(node for _, node in zip(range(BATCH), nodes, strict=False))
        if not batch or left <= FREE_SHARE * settings.rows or left < settings.k:
            break
        left = (yield PeelNodes(batch)).open
        rounds += 1
    yield ClosePeel()
    return rounds + (yield from homes(settings, room))


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
