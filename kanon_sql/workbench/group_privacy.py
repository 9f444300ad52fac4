"""Groups against the job's privacy models: groups that violate merge with the neighbour that costs least, until none does."""

from __future__ import annotations

from dataclasses import dataclass

from kanon_sql.errors import NoSolution
from kanon_sql.sql import statements
from kanon_sql.sql.class_shape import ClassShape
from kanon_sql.sql.dialect import Relation
from kanon_sql.workbench.rounds import PASSES, Rounds

MOST_ROUNDS = 400
RUN_LENGTH = 512
PAIRED_ROUNDS = 6
"""Rounds in which only mergers are done that are best for both sides."""


@dataclass(frozen=True)
class GroupVerdict:
    """The groups under the shape: the smallest that is kept, how many, and the rows in violating ones."""

    k: int
    groups: int
    violating_rows: int


def judged(rounds: Rounds, shape: ClassShape) -> tuple[GroupVerdict, statements.checks.FrequencySource]:
    """Count the groups as a check counts classes: same shape, same models."""
    bench = rounds.bench
    units, assign = rounds.coded.units, rounds.tables["assign"]
    assigned = rounds.make(
        "assigned",
        lambda table: statements.cluster.publishing.assigned_units(bench.dialect, table, units, assign),
        analyze=True,
    )
    whole = bench.frequency_source
    source = statements.checks.FrequencySource(assigned, whole.sensitive_tables, whole.rows)
    found = bench.backend.fetch(statements.checks.frequency_sets(bench.dialect, source, [["g"]], shape))
    # Without a row there is no group: every row is suppressed.
    return (GroupVerdict(*(int(found[0][place]) for place in (5, 2, 3))) if found else GroupVerdict(0, 0, 0)), source


def repair(rounds: Rounds, shape: ClassShape) -> GroupVerdict:
    """Merge what violates. Fails closed: where one group is left and violates, there is no solution."""
    bench = rounds.bench
    length = RUN_LENGTH
    for turn in range(MOST_ROUNDS):
        verdict, source = judged(rounds, shape)
        if not verdict.violating_rows:
            return verdict
        if verdict.groups < 2:
            break
        small = rounds.make(
            "small",
            lambda table, source=source: statements.release.violating(bench.dialect, table, source, ["g"], shape),  # type: ignore[misc]
            analyze=True,
        )
        if not merge_round(rounds, small, length, turn) and turn != PAIRED_ROUNDS - 1:
            length *= 4
        rounds.drop_replaced()
    raise NoSolution(
        f"{bench.job.search.algorithm}: the whole table as one group does not satisfy the privacy models",
        "ask for less of the privacy models",
    )


def merge_round(rounds: Rounds, small: Relation, length: int, salt: int) -> int:
    """Each group named in `small` proposes the cheapest merger with a group it meets.

    In the first rounds those are done that are best for both sides. Then half of the groups, another half every round, join the
    group they propose if it does not leave itself: a good part of those that must grow is gone after each, however many they are.
    """
    bench, coded, dialect = rounds.bench, rounds.coded, rounds.dialect
    boxes = rounds.make_boxes()
    runs = rounds.sort_runs(length, 900 + salt)
    assign = rounds.tables["assign"]
    merges = rounds.make(
        "merges",
        lambda table: statements.cluster.merging.merge_candidates(
            dialect, table, assign, runs, boxes, small, coded.boxes, coded.trees
        ),
        analyze=True,
    )
    if salt < PAIRED_ROUNDS:
        taken = rounds.make(
            "taken", lambda table: statements.cluster.moving.chosen_moves(dialect, table, merges, PASSES), analyze=True
        )
    else:
        taken = rounds.make(
            "taken",
            lambda table: statements.cluster.merging.star_mergers(dialect, table, merges, small, salt),
            analyze=True,
        )
    rounds.make(
        "assign",
        lambda table: statements.cluster.merging.merged_assignment(dialect, table, assign, taken),
        analyze=True,
    )
    rounds.fresh = False
    return int(bench.backend.fetch_one(statements.cluster.moving.sweep_counts(dialect, taken, boxes, 0))[0])
