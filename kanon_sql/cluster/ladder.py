"""Groups for one k after another, from the largest down: what was found for a larger k is cut on, unless a cut of the whole table loses less.

A larger k leaves its groups' borders behind, and where they are wrong for this k moves alone do not mend them: so both are measured, and
rounds of moves follow the cheaper. On a table where heat costs little a small k is searched for with it, as by anneal.
"""

from __future__ import annotations

from dataclasses import replace

from kanon_sql.cluster.anneal import FEW_ROUNDS, ROUND_CELLS, anneal
from kanon_sql.cluster.finish import FINAL_ROUNDS, Steps, cut_groups, cut_table, final_pass, split_groups
from kanon_sql.cluster.questions import CutOpen, Driver, Grouping, KeepGroups, MeasureGroups, RestoreGroups
from kanon_sql.cluster.settings import ClusterSettings

LARGE_K = 100
"""A round changes two rows of a group: larger groups gain little by it, and have many pairs of rows to look at."""
SMALL_K = 20
"""Heat looks at every pair of rows that meet, and more meet for a larger k."""
HEATED_SHARE = 4
"""A k of the ladder may look at one in so many of the cells that a search for its own sake may."""


def ladder_step(settings: ClusterSettings, first: bool) -> Driver:
    """Groups of this k, by the side of those of a larger one that stand in the assignment, unless they are the first."""
    if heated(settings):
        found = yield from anneal(replace(settings, rounds=FEW_ROUNDS))
        return Grouping("groups", found.rounds)
    done = yield from cheaper_start(settings, first)
    if settings.k <= LARGE_K:
        done += yield from final_pass(settings, FINAL_ROUNDS if settings.rounds is None else settings.rounds)
    return Grouping("groups", done)


def heated(settings: ClusterSettings) -> bool:
    """Whether a small k of a table that is not long gets rounds with heat, where the job does not say how many rounds there are."""
    cells = settings.rows * settings.attributes * FEW_ROUNDS
    cheap = settings.embedded and settings.k <= SMALL_K and cells * HEATED_SHARE <= ROUND_CELLS
    return cheap and settings.rounds is None and settings.time_limit is None


def cheaper_start(settings: ClusterSettings, first: bool) -> Steps:
    """The groups at hand cut on, or the whole table cut, whichever loses less; returns the rounds."""
    k, done, kept = settings.k, 0, None
    if not first:
        done += (yield from cut_groups(k, settings.widest)).rounds
        done += yield from split_groups(k)
        kept = (yield MeasureGroups()).loss
        yield KeepGroups()
    done += yield from cut_table(CutOpen(2 * k - 1, k, settings.widest))
    done += yield from split_groups(k)
    if kept is not None and kept <= (yield MeasureGroups()).loss:
        yield RestoreGroups()
    return done
