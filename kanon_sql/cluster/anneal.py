"""anneal: rows move and change places between groups that meet, at a falling temperature (simulated annealing, Kirkpatrick et al. 1983).

Nothing is set for one table: the heat and the penalty of a missing row come from what the first rounds of moves gain and from what a row
loses. Every round sorts the rows anew, so that other groups meet. While there is heat, groups may fall under k at a penalty that rises:
chains of moves pass through them. What is still small in the end is absorbed by others. The groups before the heat are kept, and are the
answer where the heat gained nothing. Where most rows have others like them, so are the groups that mergers and halving alone find, and on
a small table those of k-member, too.
"""

from __future__ import annotations

import math
from collections.abc import Generator

from kanon_sql.cluster.block_questions import MergeMeasure, Objective
from kanon_sql.cluster.bottom_up import merged
from kanon_sql.cluster.finish import (
    FINAL_ROUNDS,
    STRICT_ABOVE,
    Steps,
    absorb_small_groups,
    cut_instead,
    cut_on,
    cut_table,
    dissolve_costliest,
    final_pass,
    run_length,
    split_groups,
)
from kanon_sql.cluster.k_member import grown, grown_and_moved, moved_among_many
from kanon_sql.cluster.questions import (
    CloseGroups,
    Counts,
    CutOpen,
    Driver,
    Grouping,
    KeepGroups,
    MeasureGroups,
    OpenTable,
    Question,
    RestoreGroups,
    Sweep,
)
from kanon_sql.cluster.seed_classes import seed_classes
from kanon_sql.cluster.settings import ClusterSettings
from kanon_sql.cluster.top_down import halved

ROUNDS, ROUNDS_OF_TREES = (45, 2), (50, 4)
"""And per k: a round changes two rows of a group at most, so large groups need more of them; with levels they are the largest."""
MOST_ROUNDS = 200
ROUND_CELLS = 36_000_000
"""Cells (rows times attributes) that all rounds together look at: wide and long tables get fewer rounds, unless a limit says what is long."""
ROUNDS_OF_MANY_ROWS = 16
MANY_ROWS = 500_000
FEW_ROUNDS = 20
"""Fewer rounds have no time to cool: there is no heat in them."""
CUTS_PER_HALVING = 2
"""Rounds that the cut which heat begins with takes, by how often the rows must be halved; mondrian's own takes half of them, each for less."""
CUTTING_SHARE = 0.75
"""Where that cut would take more of a time limit, the table is cut as by mondrian instead, and moved."""
LEAST_ROUNDS = 6
"""So many rounds are worth heat where a limit cuts them short: eight lost less than moves alone in the same time."""
HOT = 1.4
"""A round with heat costs so many times one without, in which fewer rows move."""
FIRST_MOVES = 4
"""Rounds of moves before the heat, from which it is measured."""
SEEDED_NODES = 50_000
"""With more nodes the cheapest are too few of them to hold many rows."""
LARGE_K = 10
GROWN_ROWS = 100_000
"""Large groups, which few moves can mend, are grown row by row, in tables of fewer rows than this: it costs as much as many rounds."""
ROUNDS_OF_GROWN, FEWEST_OF_GROWN = 520, 28
"""Over k: the larger the groups, the more of what heat would find the moves after it find as well."""
COOLING, COOLING_OF_TREES = 0.95, 0.85
"""The share of the rounds with heat: with levels the moves after it go on to gain."""
MERGERS: tuple[tuple[MergeMeasure, Objective], ...] = (("loss", "gain"), ("ranges", "merged"))
"""Those of bottom-up and of euclidean."""
SMALL_TABLE = 1_000
"""In so many rows every algorithm costs next to nothing."""
MERGED_PER_SECOND = 35_000
"""Combinations that are merged in a second, about: where there is less time nobody begins to."""
ROUNDS_SHARE = 0.8
"""The share of the time left that rounds with heat may take: what comes after them has its own."""
NOTHING_GAINED_IN_TIME = 0.002
"""Moves of what is the best so far go on until a round gains no more than this share of what the first one did."""
MOVES_PER_DISSOLVING = 4
"""Rounds of moves that cost as much as to dissolve the costliest groups once."""
HEAT = 0.8
"""Heat, in what an operation of the first round of moves gains."""
PENALTY = 0.8
"""The penalty of a missing row, in what a row loses; it rises by RAMP."""
RAMP = 20.0
LENDING_ROOM = 6
"""With levels, or where rows repeat, groups grow to so many times k: equal rows stay together, and lend rows to others."""
LAST_MOVES = 6
"""Rounds of moves without heat at the end."""


def default_rounds(settings: ClusterSettings) -> int:
    if settings.rows >= MANY_ROWS:
        return ROUNDS_OF_MANY_ROWS
    if starts_grown(settings):
        return max(FEWEST_OF_GROWN, ROUNDS_OF_GROWN // settings.k)
    affordable = (
        ROUND_CELLS // max(1, settings.rows * settings.attributes) if settings.time_limit is None else MOST_ROUNDS
    )
    first, per_k = ROUNDS_OF_TREES if settings.trees else ROUNDS
    return max(ROUNDS_OF_MANY_ROWS, min(MOST_ROUNDS, first + per_k * settings.k, affordable))


def anneal(settings: ClusterSettings) -> Driver:
    k = settings.k
    rounds = settings.rounds or default_rounds(settings)
    if rounds < FEW_ROUNDS:
        return (yield from moved(settings, rounds))
    done, kept, in_time = yield from tried_and_kept(settings)
    if not in_time:
        yield RestoreGroups()
        done += yield from moves_in_time(settings)
        return _ended(settings, done, "what mergers or halving found was moved; there was no time for heat")
    done += yield from best_start(settings)
    if settings.time_limit is not None and (counts := (yield MeasureGroups())).late:
        if counts.loss >= kept:
            yield RestoreGroups()
        return _ended(settings, done, "there was time for a cut alone")
    first = begun = a_round = 0.0
    for turn in range(FIRST_MOVES):
        counts = yield Sweep(run_length(k), settings.seed * 1000 + turn, plateau=settings.lends)
        done += 1
        if counts.done and not first:
            first, begun = -counts.change / counts.done, counts.seconds
        a_round = (counts.seconds - begun) / turn if turn else 0.0
        if not counts.done or counts.late or not settings.in_time(counts.seconds + a_round):
            break
    counts = yield MeasureGroups()
    affordable = affordable_rounds(settings, counts.seconds, HOT * a_round)
    if not first or affordable < min(LEAST_ROUNDS, rounds):
        done += yield from moves_in_time(settings)
        if kept < math.inf and (yield MeasureGroups()).loss >= kept:
            yield RestoreGroups()
        return _ended(settings, done, "there was time for moves, not for heat")
    if counts.loss < kept:
        kept = counts.loss
        yield KeepGroups()
    room = (LENDING_ROOM if settings.lends else 2) * k - 1
    heat, penalty = HEAT * first, PENALTY * counts.loss / settings.rows
    cooling = int(rounds * (COOLING_OF_TREES if settings.trees else COOLING))
    hot_since, hot_for = counts.seconds, ROUNDS_SHARE * seconds_left(settings, counts.seconds)
    share, turn = 0.0, 0
    while share < 1:
        question = Sweep(
            run_length(k),
            settings.seed * 1000 + FIRST_MOVES + turn,
            heat * (1 - share),
            penalty * (1 + RAMP * share**2),
            plateau=settings.lends,
            room=room,
        )
        done += 1
        turn += 1
        counts = yield question
        if counts.late:
            yield RestoreGroups()
            return _ended(settings, done, "heat had no time to cool: the groups before it were taken")
        # By the clock where there is a limit: it cools in the time there is, however long a round takes.
        share = max(turn / cooling, (counts.seconds - hot_since) / hot_for)
    done += yield from absorb_small_groups(settings, room)
    done += yield from split_groups(k)
    if settings.in_time(counts.seconds + MOVES_PER_DISSOLVING * HOT * a_round):
        done += yield from dissolve_costliest(settings, 1)
    if starts_grown(settings):
        # In large groups most rows lie within the box: that one leaves gains its group nothing, and may spare another a wide one.
        done += yield from moved_among_many(settings, 500, lends=True)
    else:
        done += yield from final_pass(settings, max(LAST_MOVES, rounds - cooling), lends=settings.lends)
    counts = yield MeasureGroups()
    if counts.loss >= kept:
        yield RestoreGroups()
        done += yield from final_pass(settings, LAST_MOVES, salt=700, lends=settings.lends)
    return _ended(settings, done, f"heat cooled in {turn} rounds")


def moved(settings: ClusterSettings, rounds: int) -> Driver:
    """Moves alone: of what mergers found where rows repeat, else of a strict mondrian cut, which keeps equal rows together."""
    if merges_first(settings):
        done = yield from moved_on(settings, merged(settings, *MERGERS[0]), max(rounds, FINAL_ROUNDS))
        return Grouping("anneal", done)
    done = yield from cut_table(CutOpen(2 * settings.k - 1, settings.k, settings.widest))
    done += yield from split_groups(settings.k)
    done += yield from final_pass(settings, rounds)
    return Grouping("anneal", done)


def _ended(settings: ClusterSettings, done: int, how: str) -> Grouping:
    notes = () if settings.time_limit is None else (f"search.time_limit {settings.time_limit:g} s: {how}",)
    return Grouping("anneal", done, notes)


def moves_in_time(settings: ClusterSettings) -> Steps:
    """Moves without heat, as long as they gain anything and there is time."""
    return (yield from final_pass(settings, MOST_ROUNDS, lends=settings.lends, nothing=NOTHING_GAINED_IN_TIME))


def seconds_left(settings: ClusterSettings, seconds: float) -> float:
    return math.inf if settings.time_limit is None else max(settings.time_limit - seconds, 1e-6)


def affordable_rounds(settings: ClusterSettings, seconds: float, a_round: float) -> float:
    """The rounds with heat that the time allows; what comes after the last of them has its share."""
    return ROUNDS_SHARE * seconds_left(settings, seconds) / max(a_round, 1e-6)


def merges_first(settings: ClusterSettings) -> bool:
    """Where most rows have others like them, mergers of equal rows may lose less than any heat, and cost little."""
    in_time = settings.time_limit is None or settings.combinations <= MERGED_PER_SECOND * settings.time_limit
    return settings.repeated and in_time


def tried_and_kept(settings: ClusterSettings) -> Generator[Question, Counts, tuple[int, float, bool]]:
    """What other algorithms end with, whichever loses least, moved on and set aside; the rounds, what it loses, and whether there is time
    for heat.

    Where there is a limit, what took as long as the longest before must fit once more, or nothing else is begun.
    """
    done, least, before, longest = 0, math.inf, 0.0, 0.0
    small = settings.rows <= SMALL_TABLE
    tried: list[Steps] = []
    if small or merges_first(settings):
        by_loss, by_ranges = (merged(settings, *how) for how in MERGERS)
        tried = [moved_on(settings, steps, FINAL_ROUNDS) for steps in (by_loss, halved(settings), by_ranges)]
    if small:
        tried.append(grown_and_moved(settings))
    for steps in tried:
        done += yield from steps
        counts = yield MeasureGroups()
        if counts.loss < least:
            least = counts.loss
            yield KeepGroups()
        before, longest = counts.seconds, max(longest, counts.seconds - before)
        if not settings.in_time(counts.seconds + longest):
            return done, least, False
    if tried:
        yield RestoreGroups()
        done += yield from moves_in_time(settings)
        counts = yield MeasureGroups()
        yield KeepGroups()
        return done, counts.loss, settings.in_time(counts.seconds + longest)
    return done, least, True


def moved_on(settings: ClusterSettings, groups: Steps, rounds: int) -> Steps:
    """What another algorithm begins with, and moves of it."""
    done = yield from groups
    done += yield from absorb_small_groups(settings)
    done += yield from split_groups(settings.k)
    return done + (yield from final_pass(settings, rounds, lends=True))


def starts_grown(settings: ClusterSettings) -> bool:
    return settings.k >= LARGE_K and settings.rows < GROWN_ROWS and not settings.trees


def best_start(settings: ClusterSettings) -> Steps:
    """The classes of the cheapest nodes where there are levels and few nodes; large groups are grown; else a mondrian cut to groups of k
    rows, which parts equal rows where it must: as many groups as can be, for heat to work on."""
    k = settings.k
    if settings.trees and settings.nodes <= SEEDED_NODES:
        return (yield from seed_classes(settings, LENDING_ROOM * k - 1))
    if starts_grown(settings):
        return (yield from grown(settings, spatial=False))
    question = CutOpen(2 * k - 1, k, settings.widest, multiple_of=k, strict_above=STRICT_ABOVE * k)
    if settings.time_limit is None:
        return (yield from cut_table(question))
    before = (yield OpenTable()).seconds
    counts = yield question
    if not counts.open:
        yield CloseGroups()
        return 1
    halvings = math.log2(max(2.0, settings.rows / k))
    if not settings.in_time(before + CUTS_PER_HALVING * halvings * (counts.seconds - before) / CUTTING_SHARE):
        return 1 + (yield from cut_instead(settings))
    return 1 + (yield from cut_on(question))
