"""Groups for one k after another, from the largest down: what was found for a larger k is cut and moved on, not begun anew."""

from __future__ import annotations

from kanon_sql.cluster.finish import cut_table, final_pass, split_groups
from kanon_sql.cluster.questions import CutOpen, Driver, Grouping
from kanon_sql.cluster.settings import ClusterSettings

ROUNDS = 8
LARGE_K = 100
"""A round changes two rows of a group: larger groups gain little by it, and have many pairs of rows to look at."""


def ladder_step(settings: ClusterSettings, first: bool) -> Driver:
    """Groups of this k, from those of a larger one that stand in the assignment, unless they are the first."""
    k = settings.k
    done = 0
    if first:
        done += yield from cut_table(CutOpen(2 * k - 1, k, settings.widest))
    done += yield from split_groups(k)
    if k <= LARGE_K:
        done += yield from final_pass(settings, ROUNDS if settings.rounds is None else settings.rounds)
    return Grouping("groups", done)
