"""Blocks: a first mondrian pass cuts the table into blocks of rows that are alike, inside which a quadratic step is cheap.

A block as large as the table is the paper's own algorithm.
"""

from __future__ import annotations

from kanon_sql.cluster.finish import (
    FINAL_ROUNDS,
    Steps,
    absorb_small_groups,
    cut_table,
    final_pass,
    split_groups,
)
from kanon_sql.cluster.questions import CutOpen
from kanon_sql.cluster.settings import ClusterSettings

GROUPS_PER_BLOCK = 8
"""A block holds at least so many groups: in fewer there is nothing to choose from."""


def block_rows(settings: ClusterSettings) -> int:
    return max(settings.block, GROUPS_PER_BLOCK * settings.k)


def is_whole(settings: ClusterSettings) -> bool:
    """Whether the whole table is one block."""
    return settings.rows <= block_rows(settings)


def cut_blocks(settings: ClusterSettings) -> Steps:
    """Cut the table into blocks, unless it is one; the blocks are the assignment."""
    if is_whole(settings):
        return 0
    size = block_rows(settings)
    # The rows beyond a rule's border may be few: they are kept together, however small their block.
    least = settings.k if settings.ruled else max(size // 4, settings.k)
    return (yield from cut_table(CutOpen(size, least)))


def finished(settings: ClusterSettings, rounds: int = FINAL_ROUNDS) -> Steps:
    """What every algorithm ends with: no group under k, none of 2k or more, and moves that lower the loss."""
    done = yield from absorb_small_groups(settings)
    done += yield from split_groups(settings.k)
    done += yield from final_pass(settings, rounds if settings.rounds is None else settings.rounds)
    return done
