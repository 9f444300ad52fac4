"""Answers the questions of growing groups: a seed in every block, then row after row, all blocks in the same statements."""

from __future__ import annotations

from kanon_sql.cluster.block_questions import StartGrowing
from kanon_sql.cluster.questions import Counts
from kanon_sql.sql import statements
from kanon_sql.sql.boxes import Boxes
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.relations import GroupTable
from kanon_sql.workbench.group_answers import GroupAnswers

DEAD = 8
"""Free rows are written anew when one in so many has joined a group: deleted rows are read like others, and most rows join one by one."""


class Growing:
    """The free rows of the blocks and the groups as they grow. A turn is one group in every block."""

    def __init__(self, answers: GroupAnswers, question: StartGrowing) -> None:
        self.answers = answers
        self.boxes = answers.coded.boxes
        self.turn = 0
        self.left = -1
        self.begun = 0
        """The groups that grow in this turn."""
        self.dead, self.written = 0, answers.coded.count
        """Rows deleted from the free ones since they were written, and how many these were then."""
        self.free = free_rows(answers, answers.coded.boxes, question.whole)
        self.grown = self._first_boxes()

    def _first_boxes(self) -> Relation:
        point = self.boxes.of_row("free")
        return self.answers.make(GroupTable.GROWN, statements.cluster.growing.first_boxes, self.free, point)

    def grow(self) -> Counts:
        """One group more in every block that has the rows for it."""
        growing, answers, boxes = statements.cluster.growing, self.answers, self.boxes
        self.turn += 1
        answers.execute(growing.seeds, self.grown, self.free, boxes, self.turn, answers.k)
        self.begun, free = self._counts()
        if self.begun:
            self._remove_joined(GroupTable.FREE_ROWS, 1)
            for n in range(1, answers.k):
                answers.execute(growing.nearest, self.grown, self.free, boxes, self.turn, n)
                self._remove_joined(GroupTable.FREE_ROWS, n + 1)
        return Counts(done=self.begun, open=free)

    def place(self) -> Counts:
        """Free rows join the groups of their block, one row per group."""
        self.turn += 1
        self._place_leftovers()
        self._remove_joined(GroupTable.FREE_ROWS, None)
        # Where no row joined there is no group to join.
        before, self.left = self.left, self._counts()[1]
        return Counts(open=self.left if self.left != before else 0)

    def _place_leftovers(self) -> None:
        growing, box = statements.cluster.growing, self.boxes.with_row(self.boxes.of("nearby"), "free")
        cost, rows = growing.joining_cost(self.boxes), self.answers.coded.rows
        self.answers.execute(growing.leftovers, self.grown, self.free, rows, box, cost, self.turn)

    def end(self) -> Counts:
        self.answers.assign(statements.cluster.growing.grown_groups, self.grown, self.free)
        return Counts()

    def _remove_joined(self, name: GroupTable, n: int | None) -> Relation:
        """Take the rows that joined last out of a work table, which is made anew where the engine cannot delete or many are deleted."""
        growing, table = statements.cluster.growing, self.answers.tables[name]
        if self.answers.bench.backend.capabilities.update and not self._many_dead(name):
            self.answers.execute(growing.delete_joined, table, self.grown, self.turn, n)
        else:
            table = self.answers.make(name, growing.still_free, table, self.grown, self.turn, n)
        self.free = self.answers.tables[GroupTable.FREE_ROWS]
        return table

    def _many_dead(self, name: GroupTable) -> bool:
        if name is not GroupTable.FREE_ROWS:
            return False
        self.dead += self.begun
        if self.dead * DEAD < self.written:
            return False
        self.dead, self.written = 0, self.written - self.dead
        return True

    def _counts(self) -> tuple[int, int]:
        found = self.answers.count(statements.cluster.growing.growing_counts, self.grown, self.free, self.turn)
        return int(found.begun), int(found.free_rows)


def free_rows(answers: GroupAnswers, boxes: Boxes, whole: bool) -> Relation:
    """Every row is free, in its block: the groups of the assignment, or the whole table as one."""
    statement = statements.cluster.growing.free_rows
    blocks = None if whole else answers.assignment
    return answers.make(GroupTable.FREE_ROWS, statement, answers.coded.rows, blocks, boxes, answers.k)
