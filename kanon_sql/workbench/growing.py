"""Answers the questions of growing groups: a seed in every block, then row after row, all blocks in the same statements."""

from __future__ import annotations

from kanon_sql.cluster.block_questions import StartGrowing
from kanon_sql.cluster.questions import Counts
from kanon_sql.sql import statements
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.statement import Statement
from kanon_sql.workbench.rounds import Rounds


class Growing:
    """The free rows of the blocks and the groups as they grow. A turn is one group in every block."""

    def __init__(self, rounds: Rounds, question: StartGrowing) -> None:
        self.rounds = rounds
        self.dialect = rounds.dialect
        self.backend = rounds.bench.backend
        self.boxes = rounds.coded.boxes
        self.turn = 0
        self.left = -1
        rows, blocks = rounds.coded.rows, None if question.whole else rounds.tables["assign"]
        self.free = rounds.make(
            "free",
            lambda table: statements.cluster.growing.free_rows(self.dialect, table, rows, blocks, self.boxes, rounds.k),
            analyze=True,
        )
        self.grown = rounds.make("grown", self._first)

    def _first(self, table: Relation) -> Statement:
        return statements.cluster.growing.first_boxes(self.dialect, table, self.free, self.boxes)

    def grow(self) -> Counts:
        """One group more in every block that has the rows for it."""
        dialect, boxes, k = self.dialect, self.boxes, self.rounds.k
        self.turn += 1
        self.backend.execute(statements.cluster.growing.seeds(dialect, self.grown, self.free, boxes, self.turn, k))
        begun, free = self._counts()
        if begun:
            self._taken(1)
            for n in range(1, k):
                self.backend.execute(
                    statements.cluster.growing.nearest(dialect, self.grown, self.free, boxes, self.turn, n)
                )
                self._taken(n + 1)
        return Counts(done=begun, open=free)

    def place(self) -> Counts:
        """One round of homes for the rows that are left."""
        self.turn += 1
        rows = self.rounds.coded.rows
        self.backend.execute(
            statements.cluster.growing.leftovers(self.dialect, self.grown, self.free, rows, self.boxes, self.turn)
        )
        self._taken(None)
        return self._left()

    def end(self) -> Counts:
        self.rounds.make(
            "assign",
            lambda table: statements.cluster.growing.grown_groups(self.dialect, table, self.grown, self.free),
            analyze=True,
        )
        self.rounds.fresh = False
        return Counts()

    def _taken(self, n: int | None) -> None:
        self.free = self._without_taken("free", n)

    def _without_taken(self, what: str, n: int | None) -> Relation:
        """A work table without the rows that joined last: made anew where the engine cannot delete them."""
        table, dialect, grown, turn = self.rounds.tables[what], self.dialect, self.grown, self.turn
        if not self.backend.capabilities.update:
            return self.rounds.make(
                what,
                lambda fresh: statements.cluster.growing.still_free(dialect, fresh, table, grown, turn, n),
                analyze=True,
            )
        self.backend.execute(statements.cluster.growing.delete_joined(dialect, table, grown, turn, n))
        return table

    def _left(self) -> Counts:
        """Free rows after a round of homes; where none found one there is no group to join."""
        before, self.left = self.left, self._counts()[1]
        return Counts(open=self.left if self.left != before else 0)

    def _counts(self) -> tuple[int, int]:
        statement = statements.cluster.growing.growing_counts(self.dialect, self.grown, self.free, self.turn)
        begun, free = self.backend.fetch_one(statement)
        return int(begun), int(free)
