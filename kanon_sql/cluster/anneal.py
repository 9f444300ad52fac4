"""anneal: rows move and change places between groups that meet, at a falling temperature (simulated annealing, Kirkpatrick et al. 1983).

The start is a mondrian cut to groups of k; every round sorts the rows anew, so that other groups meet. While there is heat, groups may
fall under k at a penalty that rises: chains of moves pass through them. What is still small in the end is dissolved.
"""

from __future__ import annotations

from kanon_sql.cluster.finish import STRICT_ABOVE, cut_table, final_pass, homes, run_length, split_groups
from kanon_sql.cluster.questions import CutOpen, Driver, Grouping, Sweep
from kanon_sql.cluster.settings import ClusterSettings

ROUNDS = 60
ROUNDS_OF_MANY_ROWS = 20
MANY_ROWS = 500_000
COOLING = 0.85
"""The share of the rounds with heat."""
HEAT = 0.2
PENALTY = 0.06
RAMP = 10.0


def anneal(settings: ClusterSettings) -> Driver:
    k = settings.k
    rounds = settings.rounds or (ROUNDS if settings.rows < MANY_ROWS else ROUNDS_OF_MANY_ROWS)
    done = yield from cut_table(CutOpen(2 * k - 1, k, settings.widest, multiple_of=k, strict_above=STRICT_ABOVE * k))
    for turn in range(rounds):
        share = turn / (rounds * COOLING)
        heat = max(0.0, HEAT * k * (1 - share))
        penalty = PENALTY * k * (1 + RAMP * share**2) if heat else 1000.0
        question = Sweep(run_length(k), settings.seed * 1000 + turn, heat, penalty, plateau=settings.trees and heat > 0)
        counts = yield question
        done += 1
        if not counts.done and not heat:
            break
    done += yield from homes(k)
    done += yield from split_groups(k)
    done += yield from final_pass(settings, 2)
    return Grouping("anneal", done)
