"""Groups against the job's privacy models: groups that violate merge with the neighbour that costs least, until none does."""

from __future__ import annotations

from dataclasses import dataclass

from kanon_sql.errors import NoSolution
from kanon_sql.sql import statements
from kanon_sql.sql.class_shape import ClassShape
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.relations import GroupTable
from kanon_sql.workbench.coding import with_stored_rows
from kanon_sql.workbench.group_answers import GroupAnswers

MOST_ROUNDS = 400
RUN_LENGTH = 512
PAIRED_ROUNDS = 6
"""Rounds in which only mergers are carried out that are best for both sides."""


@dataclass(frozen=True)
class GroupVerdict:
    """The groups under the shape: the smallest that is kept, how many, and the rows in violating ones."""

    k: int
    groups: int
    violating_rows: int


def judged(answers: GroupAnswers, shape: ClassShape) -> tuple[GroupVerdict, statements.checks.FrequencySource]:
    """Count the groups as a check counts classes: same shape, same models."""
    bench = answers.bench
    columns = [f"s{i}" for i in range(len(bench.sensitive))] + (["person"] if bench.counts_persons else [])
    assigned_units, units = statements.cluster.publishing.assigned_units, answers.coded.units
    assigned = answers.make(GroupTable.ASSIGNED_UNITS, assigned_units, units, answers.assignment, columns)
    whole = bench.frequency_source
    source = statements.checks.FrequencySource(assigned, whole.sensitive_tables, whole.rows)
    found = bench.backend.fetch(statements.checks.frequency_sets(bench.dialect, source, [["g"]], shape))
    if not found:
        return GroupVerdict(0, 0, 0), source  # every row is suppressed
    return GroupVerdict(int(found[0].k), int(found[0].classes), int(found[0].suppressed)), source


def repair(answers: GroupAnswers, shape: ClassShape) -> GroupVerdict:
    """Merge what violates. Fails closed: where one group is left and violates, there is no solution."""
    length = RUN_LENGTH
    for turn in range(MOST_ROUNDS):
        verdict, source = judged(answers, shape)
        if not verdict.violating_rows:
            return verdict
        if verdict.groups < 2:
            break
        answers.coded = with_stored_rows(answers.bench, answers.coded)
        violating = answers.make(GroupTable.VIOLATING_GROUPS, statements.release.violating, source, ["g"], shape)
        if not merge_round(answers, violating, length, turn) and turn != PAIRED_ROUNDS - 1:
            length *= 4
        answers.drop_replaced()
    raise NoSolution(
        f"{answers.bench.job.search.algorithm}: the whole table as one group does not satisfy the privacy models",
        "ask for less of the privacy models",
    )


def merge_round(answers: GroupAnswers, violating: Relation, length: int, salt: int) -> int:
    """Each violating group proposes the cheapest merger with a group of its runs.

    In the first rounds those are carried out that are best for both sides. Then half of the groups, another half every round, join the
    group they propose if it does not leave itself: a good part of the violating groups is gone after each, however many they are.
    """
    merging, coded = statements.cluster.merging, answers.coded
    boxes = answers.make_boxes()
    runs = answers.sort_runs(length, 900 + salt)
    candidates = answers.make(
        GroupTable.OPERATIONS,
        merging.merge_candidates,
        answers.assignment,
        runs,
        boxes,
        violating,
        coded.boxes,
        coded.trees,
    )
    if salt < PAIRED_ROUNDS:
        chosen = answers.chosen_moves(candidates)
    else:
        chosen = answers.make(GroupTable.CHOSEN_MOVES, merging.star_mergers, candidates, violating, salt)
    answers.assign(merging.merged_assignment, answers.assignment, chosen)
    return int(answers.count(statements.checks.table_rows, chosen).rows)
