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
    moving, rows = statements.cluster.moving, answers.coded.count
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
        (_change if in_place else _write_anew)(answers, touched, moved)
    answers.small = int(answers.count(moving.small_groups, answers.tables[GroupTable.BOXES], answers.k).small)
    return Counts(done=done, small=answers.small, change=int(counted.change) / UNIT)


def _change(answers: GroupAnswers, touched: Relation, moved: Relation) -> None:
    """Change the tables in place: what they hold of the moved rows and of the touched groups goes, and comes again."""
    moving, coded, tables = statements.cluster.moving, answers.coded, answers.tables
    answers.execute(moving.delete_rows, tables[GroupTable.ASSIGNMENT], moved, "rid")
    answers.execute(moving.insert_rows, tables[GroupTable.ASSIGNMENT], moved)
    told = (answers.assignment, coded.rows)
    boxes = answers.make(GroupTable.NEW_BOXES, moving.box_table, *told, coded.boxes, coded.trees, touched)
    context = answers.make(
        GroupTable.NEW_ROW_CONTEXT, moving.row_context, *told, boxes, coded.boxes, coded.trees, touched
    )
    for table, fresh in ((GroupTable.BOXES, boxes), (GroupTable.ROW_CONTEXT, context)):
        answers.execute(moving.delete_rows, tables[table], touched, "g")
        answers.execute(moving.insert_rows, tables[table], fresh)


def _write_anew(answers: GroupAnswers, touched: Relation, moved: Relation) -> None:
    """Write the tables anew: what they hold of other rows and groups is taken over as the rest is made."""
    moving, coded, tables = statements.cluster.moving, answers.coded, answers.tables
    answers.make(GroupTable.ASSIGNMENT, moving.replaced_rows, answers.assignment, moved)
    told = (answers.assignment, coded.rows)
    boxes = answers.make(
        GroupTable.BOXES, moving.box_table, *told, coded.boxes, coded.trees, touched, tables[GroupTable.BOXES]
    )
    old = tables[GroupTable.ROW_CONTEXT]
    answers.make(GroupTable.ROW_CONTEXT, moving.row_context, *told, boxes, coded.boxes, coded.trees, touched, old)
