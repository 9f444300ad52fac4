"""Answers the questions of halving groups between seeds: all open groups in the same statements."""

from __future__ import annotations

from kanon_sql.cluster.block_questions import HalveOpen
from kanon_sql.cluster.questions import Counts
from kanon_sql.sql import statements
from kanon_sql.sql.relations import GroupTable
from kanon_sql.workbench.group_answers import GroupAnswers


def halve(answers: GroupAnswers, question: HalveOpen) -> Counts:
    """Seeds by turns, each the row furthest from the other; then sides; then what is finished leaves."""
    halving, boxes = statements.cluster.halving, answers.coded.boxes
    opened = answers.tables[GroupTable.OPEN_ROWS]
    left = right = answers.make(GroupTable.LEFT_SEEDS, halving.first_seeds, opened, boxes, question.salt)
    for turn in range(question.seed_rounds):
        if turn % 2 == 0:
            right = answers.make(GroupTable.RIGHT_SEEDS, halving.far_seeds, opened, left, boxes)
        else:
            left = answers.make(GroupTable.LEFT_SEEDS, halving.far_seeds, opened, right, boxes)
    sides = answers.make(GroupTable.SIDES, halving.halves, opened, left, right, boxes, answers.k)
    return answers.close_sides(sides, question.stop, boxes.row_columns)
