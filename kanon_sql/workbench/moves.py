"""Carries out chosen moves, and computes the groups that they touched anew.

Where moves are few the tables are changed in place: a round then costs what it changes. Where they are many, or many were before, the
tables are written anew, so that they never hold more dead rows than living ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kanon_sql.cluster.questions import Counts
from kanon_sql.sql import statements
from kanon_sql.sql.boxes import UNIT
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.relations import GroupTable

if TYPE_CHECKING:
    from kanon_sql.workbench.group_answers import GroupAnswers

FEW = 20
"""One row in so many is few."""
DEAD = 2
"""Tables are written anew before one row in so many is dead."""


def apply(answers: GroupAnswers, chosen: Relation) -> Counts:
    moving, coded, rows = statements.cluster.moving, answers.coded, answers.coded.count
    counted = answers.count(moving.sweep_counts, chosen)
    done = int(counted.operations)
    if done:
        answers.ends_are_current = False
        touched = answers.make(GroupTable.TOUCHED_GROUPS, moving.touched_groups, chosen)
        moved = answers.make(GroupTable.MOVED_ROWS, moving.moved_rows, chosen)
        changed = 2 * done * 2 * answers.k
        answers.changed_in_place += changed
        few = changed * FEW <= rows and DEAD * answers.changed_in_place <= rows
        in_place = few and answers.bench.backend.capabilities.update
        if not in_place:
            answers.changed_in_place = 0
        _replace(answers, GroupTable.ASSIGNMENT, moved, moved, in_place)
        assignment = answers.assignment
        boxes = answers.make(
            GroupTable.NEW_BOXES, moving.box_table, assignment, coded.rows, coded.boxes, coded.trees, touched
        )
        context = answers.make(
            GroupTable.NEW_ROW_CONTEXT,
            moving.row_context,
            assignment,
            coded.rows,
            boxes,
            coded.boxes,
            coded.trees,
            touched,
        )
        _replace(answers, GroupTable.BOXES, touched, boxes, in_place)
        _replace(answers, GroupTable.ROW_CONTEXT, touched, context, in_place)
    answers.small = int(answers.count(moving.small_groups, answers.tables[GroupTable.BOXES], answers.k).small)
    return Counts(done=done, small=answers.small, change=int(counted.change) / UNIT)


def _replace(answers: GroupAnswers, table: GroupTable, named: Relation, fresh: Relation, in_place: bool) -> None:
    """Replace what a table holds of the named groups (or, in the assignment, of the named rows) by the fresh rows."""
    moving, old = statements.cluster.moving, answers.tables[table]
    column = "rid" if table == GroupTable.ASSIGNMENT else "g"
    if in_place:
        answers.execute(moving.delete_rows, old, named, column)
        answers.execute(moving.insert_rows, old, fresh)
    else:
        answers.make(table, moving.replaced_rows, old, fresh, named, column)
