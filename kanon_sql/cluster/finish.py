"""The passes that algorithms share: cutting groups, moving rows between them, absorbing groups under k."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

from kanon_sql.cluster.questions import (
    AbsorbSmallGroups,
    CloseGroups,
    Counts,
    CutOpen,
    DissolveCostliest,
    Driver,
    Grouping,
    MeasureGroups,
    OpenGroups,
    OpenTable,
    Question,
    SuppressOutliers,
    Sweep,
)
from kanon_sql.cluster.settings import ClusterSettings

MOST_CUTS = 200
"""GroupAnswers of cutting; each halves the groups or nearly so, and large groups are cut evenly."""
STRICT_ABOVE = 40
"""A start for moves is cut strictly down to this many times k rows: what does not divide by k gives the moves room."""
EVERYTHING = 1 << 60
"""Above the rows of every group."""
FINAL_ROUNDS = 12
MOST_ABSORBING = 40
PATIENT_ROUNDS = 8
"""In so many rounds a group takes one row; then twice as many in every round: they stay few, however many rows want a group."""
MOST_SUPPRESSING = 20
PAIRS = 12_000_000
"""Rows times groups that are looked at pair by pair."""
NOTHING_GAINED = 0.02
"""A round of moves that gains no more than this share of what the first one did is the last."""
COSTLIEST_SHARE = 20
"""One in so many groups counts among the costliest."""

Steps = Generator[Question, Counts, int]


def run_length(k: int) -> int:
    """Rows that meet: about so many groups, few enough for every pair to be looked at."""
    return 30 + 6 * k


def cut_table(question: CutOpen) -> Steps:
    """Cut the whole table; returns the rounds."""
    return (yield from cut_in_time(question))[0]


def cut_on(question: CutOpen) -> Steps:
    """Cut what is open to its end; returns the rounds."""
    return (yield from _cut(question))[0]


def cut_in_time(question: CutOpen) -> Generator[Question, Counts, tuple[int, bool]]:
    """Cut the whole table; returns the rounds, and whether there is time for more than that."""
    yield OpenTable(strictly=question.multiple_of is None)
    return (yield from _cut(question))


def split_groups(k: int) -> Steps:
    """Groups of 2k rows or more are cut into groups of k to 2k - 1, identical rows too."""
    counts = yield OpenGroups(2 * k - 1)
    if not counts.open:
        return 0
    return (yield from _cut(CutOpen(2 * k - 1, (k + 1) // 2, multiple_of=k)))[0]


def cut_groups(k: int, widest: bool = False) -> Driver:
    """Groups of 2k rows or more are cut as a table is; equal values are never parted."""
    counts = yield OpenGroups(2 * k - 1)
    rounds = (yield from _cut(CutOpen(2 * k - 1, k, widest)))[0] if counts.open else 0
    return Grouping("cut", rounds)


def cut_instead(settings: ClusterSettings) -> Steps:
    """Where there is no time for groups of another kind: the whole table cut to the end, however late it is, for that takes little."""
    yield OpenTable(strictly=True)
    return (yield from _cut(CutOpen(2 * settings.k - 1, settings.k), in_time=False))[0]


def _cut(question: CutOpen, *, in_time: bool = True) -> Generator[Question, Counts, tuple[int, bool]]:
    rounds = 0
    for _ in range(MOST_CUTS):
        rounds += 1
        counts = yield question
        if not counts.open:
            break
        if in_time and counts.late:  # every open group has k rows: closed as it is, it is a group
            yield replace(question, stop=EVERYTHING)
            break
    return rounds, not (yield CloseGroups()).late


def final_pass(
    settings: ClusterSettings,
    rounds: int,
    salt: int = 500,
    *,
    lends: bool | None = None,
    nothing: float = NOTHING_GAINED,
    length: int | None = None,
) -> Steps:
    """Moves and swaps that lower the loss, without heat: ends early when there are none, or no time for one more round. `lends`: rows
    may move that their own group does not gain by, as where there are levels unless said otherwise. `nothing`: the share of what the
    first round gained that is nothing. `length`: of the runs in which rows meet, if they are to be longer than usual."""
    done, least, before = 0, 0.0, 0.0
    if rounds and settings.time_limit is not None and (yield MeasureGroups()).late:
        return 0
    for turn in range(rounds):
        done += 1
        plateau = settings.trees if lends is None else lends
        question = Sweep(length or run_length(settings.k), settings.seed * 1000 + salt + turn, plateau=plateau)
        counts = yield question
        least = least or -counts.change * nothing
        took, before = counts.seconds - before if turn else 0.0, counts.seconds
        if -counts.change <= least or counts.late or not settings.in_time(counts.seconds + took):
            break
    return done


def absorb_small_groups(settings: ClusterSettings, room: int | None = None) -> Steps:
    """No group stays under k rows while another has k: its rows join those, the nearest of all, or of those met where all are too many."""
    rounds = 0
    counts = yield MeasureGroups()
    while counts.small and counts.small < counts.groups and rounds < MOST_ABSORBING:
        rounds += 1
        most = 1 << max(0, rounds - PATIENT_ROUNDS)
        counts = yield AbsorbSmallGroups(length_for(settings.k, counts), settings.seed * 1000 + rounds, room, most)
    return rounds


def length_for(k: int, counts: Counts, rows: int | None = None) -> int | None:
    """Runs to look in where so many rows have too many groups to look at; None: all."""
    return None if (rows or counts.open) * counts.groups <= PAIRS else 4 * run_length(k)


def dissolve_costliest(settings: ClusterSettings, turns: int, room: int | None = None) -> Steps:
    """The costliest groups are dissolved where their rows cost less elsewhere; other groups are the costliest in the next turn."""
    rounds = 0
    for turn in range(turns):
        counts = yield MeasureGroups()
        most = max(10, counts.groups // COSTLIEST_SHARE)
        length = length_for(settings.k, counts, most * settings.k)
        rounds += 1
        if counts.late or not (yield DissolveCostliest(most, length, settings.seed * 1000 + turn)).done:
            break
        rounds += yield from absorb_small_groups(settings, room)
    return rounds


def suppress_outliers(settings: ClusterSettings) -> Driver:
    """Outliers are suppressed within the budget: from groups with rows to spare, and by dissolving the costliest groups."""
    rounds = 0
    for _ in range(MOST_SUPPRESSING):
        rounds += 1
        if not (yield SuppressOutliers()).done:
            break
    rounds += yield from dissolve_costliest(settings, 2)
    return Grouping("suppress", rounds)
