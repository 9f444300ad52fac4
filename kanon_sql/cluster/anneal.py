"""anneal: rows move and change places between groups that meet, at a falling temperature (simulated annealing, Kirkpatrick et al. 1983).

The start is a mondrian cut to groups of k; for large groups, which few moves can mend, those of k-member, unless the table is long;
with levels the classes of the cheapest nodes. Every round sorts the rows anew, so that
other groups meet. While there is heat, groups may fall under k at a penalty that rises: chains of moves pass through them. What is
still small in the end is dissolved.
"""

from __future__ import annotations

from dataclasses import dataclass

from kanon_sql.cluster.finish import (
    STRICT_ABOVE,
    absorb_small_groups,
    cut_table,
    dissolve_costliest,
    final_pass,
    run_length,
    split_groups,
)
from kanon_sql.cluster.k_member import grown
from kanon_sql.cluster.questions import CutOpen, Driver, Grouping, Sweep
from kanon_sql.cluster.seed_classes import seed_classes
from kanon_sql.cluster.settings import ClusterSettings

ROUNDS = 60
ROUNDS_PER_K = 4
"""A round changes two rows of a group at most, so large groups need more of them."""
MOST_ROUNDS = 200
ROUNDS_OF_MANY_ROWS = 20
MANY_ROWS = 500_000
LARGE_K = 10
GROWN_ROWS = 100_000
"""Groups are grown row by row in tables of fewer rows only: it costs more than many rounds of moves."""
COOLING = 0.85
"""The share of the rounds with heat."""


@dataclass(frozen=True)
class Schedule:
    """Heat and the penalty of a missing row, in cells per k; the penalty rises by `ramp`; groups grow to `room` times k."""

    heat: float
    penalty: float
    ramp: float
    room: float


PLAIN = Schedule(0.2, 0.06, 10.0, 2.0)
LEVELS = Schedule(0.3, 0.12, 10.0, 6.0)


def default_rounds(settings: ClusterSettings) -> int:
    if settings.rows >= MANY_ROWS:
        return ROUNDS_OF_MANY_ROWS
    if starts_grown(settings):
        return ROUNDS
    return min(MOST_ROUNDS, ROUNDS + ROUNDS_PER_K * settings.k)


def starts_grown(settings: ClusterSettings) -> bool:
    return settings.k >= LARGE_K and settings.rows < GROWN_ROWS and not settings.trees


def anneal(settings: ClusterSettings) -> Driver:
    k = settings.k
    rounds = settings.rounds or default_rounds(settings)
    schedule = LEVELS if settings.trees else PLAIN
    room = max(2 * k - 1, int(schedule.room * k) - 1)
    if settings.trees:
        done = yield from seed_classes(settings, room)
    elif starts_grown(settings):
        done = yield from grown(settings, spatial=False)
    else:
        done = yield from cut_table(
            CutOpen(2 * k - 1, k, settings.widest, multiple_of=k, strict_above=STRICT_ABOVE * k)
        )
    for turn in range(rounds):
        share = turn / (rounds * COOLING)
        heat = max(0.0, schedule.heat * k * (1 - share))
        penalty = schedule.penalty * k * (1 + schedule.ramp * share**2) if heat else 1000.0
        salt = settings.seed * 1000 + turn
        counts = yield Sweep(run_length(k), salt, heat, penalty, plateau=settings.trees, room=room)
        done += 1
        if not counts.done and not heat:
            break
    done += yield from absorb_small_groups(settings, room)
    done += yield from dissolve_costliest(settings, 3, room)
    done += yield from final_pass(settings, 2)
    done += yield from split_groups(k)
    return Grouping("anneal", done)
