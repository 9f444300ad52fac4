"""First groups from the classes of nodes: what a level of each attribute costs, classes of k rows or more, and the rows left over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kanon_sql.cluster.questions import AssignClasses, Counts
from kanon_sql.sql import statements
from kanon_sql.sql.boxes import UNIT
from kanon_sql.sql.relations import GroupTable

if TYPE_CHECKING:
    from kanon_sql.workbench.group_answers import GroupAnswers


def start(answers: GroupAnswers) -> Counts:
    coded, seed_classes = answers.coded, statements.cluster.seed_classes
    answers.levels = seed_classes.class_levels(answers.dialect, coded.boxes.asking(), dict(coded.sizes))
    losses = [[0.0] * len(of) for of in answers.levels]
    statement = seed_classes.level_losses(answers.dialect, coded.rows, answers.levels)
    for row in answers.bench.backend.fetch(statement):
        losses[int(row.attribute)][int(row.level)] = float(row.loss) / UNIT / answers.coded.count
    answers.make(GroupTable.FINISHED_ROWS, statements.cluster.cutting.empty_assignment)
    answers.make(GroupTable.UNASSIGNED_ROWS, seed_classes.unassigned_rows, coded.rows, coded.boxes.asking(), None)
    answers.last_group, answers.stop = 0, 0
    return Counts(open=answers.coded.count, levels=tuple(map(tuple, losses)))


def assign(answers: GroupAnswers, question: AssignClasses) -> Counts:
    seed_classes, before = statements.cluster.seed_classes, answers.tables[GroupTable.UNASSIGNED_ROWS]
    classes = answers.make(
        GroupTable.NEW_CLASSES,
        seed_classes.assign_classes,
        before,
        answers.levels,
        question.nodes,
        answers.k,
        answers.last_group,
    )
    answers.execute(statements.cluster.moving.insert_rows, answers.tables[GroupTable.FINISHED_ROWS], classes)
    left = answers.make(
        GroupTable.UNASSIGNED_ROWS, seed_classes.unassigned_rows, before, answers.coded.boxes.asking(), classes
    )
    counts = answers.count(seed_classes.class_counts, left, classes)
    answers.last_group = max(answers.last_group, int(counts.last_group))
    return Counts(open=int(counts.unassigned_rows), done=int(counts.groups))


def end(answers: GroupAnswers) -> None:
    finished, left = answers.tables[GroupTable.FINISHED_ROWS], answers.tables[GroupTable.UNASSIGNED_ROWS]
    answers.execute(statements.cluster.seed_classes.append_singletons, finished, left, answers.last_group)
