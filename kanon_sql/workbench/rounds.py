"""The one who answers a local recoding driver: rounds become set-based statements over the assignment table, and only counts come back."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

from kanon_sql.cluster.block_questions import BlockQuestion
from kanon_sql.cluster.questions import (
    CloseGroups,
    Counts,
    CutOpen,
    Driver,
    FindHomes,
    Grouping,
    Measure,
    OpenGroups,
    OpenTable,
    Question,
    Sweep,
)
from kanon_sql.sql import cut_statements, sweep_statements
from kanon_sql.sql.boxes import UNIT
from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.statement import Statement
from kanon_sql.workbench.coding import Coded
from kanon_sql.workbench.workbench import Workbench

PASSES = 3
"""Times that operations are chosen among those whose groups are still free."""


class Rounds:
    """Holds the assignment and its boxes. `progress` hears the number of rounds."""

    def __init__(self, bench: Workbench, coded: Coded, k: int) -> None:
        self.bench = bench
        self.dialect: Dialect = bench.dialect
        self.coded = coded
        self.k = k
        self.tables: dict[str, Relation] = {}
        self.versions: dict[str, int] = {}
        self.rounds = 0
        self.numbered = 0
        self.stop = 0
        self.fresh = False
        self.progress: Callable[[int], None] | None = None
        self.blocks: Callable[[BlockQuestion], Counts] | None = None

    def run(self, driver: Driver) -> Grouping:
        """Drive an algorithm to its end."""
        answer: Counts | None = None
        with contextlib.closing(driver):
            while True:
                try:
                    question = driver.send(answer)  # type: ignore[arg-type]
                except StopIteration as end:
                    result: Grouping = end.value
                    return result
                answer = self.answer(question)
                self.rounds += 1
                if self.progress is not None:
                    self.progress(self.rounds)

    def answer(self, question: Question) -> Counts:
        if isinstance(question, OpenTable):
            return self._open(None, 0)
        if isinstance(question, OpenGroups):
            return self._open(self.tables["assign"], question.stop)
        if isinstance(question, CutOpen):
            return self._cut(question)
        if isinstance(question, CloseGroups):
            return self._close()
        if isinstance(question, Sweep):
            return self._sweep(question)
        if isinstance(question, FindHomes):
            return self._find_homes()
        if isinstance(question, Measure):
            return self.measure()
        assert self.blocks is not None
        return self.blocks(question)

    # -- work tables that are made anew

    def make(self, what: str, statement: Callable[[Relation], Statement], analyze: bool = False) -> Relation:
        """Make a work table anew under another name than the one it replaces, which the statement may read, and drop that."""
        self.versions[what] = self.versions.get(what, 0) + 1
        name = f"{what}_{self.versions[what] % 2}"
        table = self.bench.names.work(name)
        old = self.tables.get(what)
        self.bench.backend.drop_work([("table", table)])
        if ("table", table) in self.bench.made:
            self.bench.backend.execute(statement(table))
        else:
            self.bench.make_table(name, statement(table))
        self.tables[what] = table
        if old is not None:
            self.bench.backend.drop_work([("table", old)])
        if analyze:
            self.bench.backend.analyze(table)
        return table

    # -- cutting

    def _open(self, assign: Relation | None, stop: int) -> Counts:
        coded = self.coded
        self.make("closed", lambda table: cut_statements.no_groups(self.dialect, table))
        opened = self.make(
            "open",
            lambda table: cut_statements.open_groups(self.dialect, table, coded.rows, assign, coded.boxes, stop),
            analyze=True,
        )
        self.numbered, self.stop = 0, stop
        found = self.bench.backend.fetch_one(cut_statements.cut_counts(self.dialect, opened, opened))
        return Counts(open=int(found[0]))

    def _cut(self, question: CutOpen) -> Counts:
        dialect, boxes = self.dialect, self.coded.boxes
        opened = self.tables["open"]
        cuts = self.make(
            "cuts",
            lambda table: cut_statements.cuts(
                dialect,
                table,
                opened,
                boxes,
                self.coded.trees,
                widest=question.widest,
                least=question.least,
                multiple_of=question.multiple_of,
                strict_above=question.strict_above,
                k=self.k,
            ),
            analyze=True,
        )
        sides = self.make(
            "sides", lambda table: cut_statements.sides(dialect, table, opened, cuts, boxes, question.multiple_of)
        )
        sizes = self.make("sizes", lambda table: cut_statements.side_sizes(dialect, table, sides), analyze=True)
        self.bench.backend.execute(
            cut_statements.closed(dialect, self.tables["closed"], sides, sizes, self.numbered, question.stop)
        )
        opened = self.make(
            "open",
            lambda table: cut_statements.still_open(dialect, table, sides, sizes, boxes, question.stop),
            analyze=True,
        )
        found = self.bench.backend.fetch_one(cut_statements.cut_counts(dialect, opened, sizes))
        self.numbered += int(found[1])
        return Counts(open=int(found[0]))

    def _close(self) -> Counts:
        assign = self.tables.get("assign") if self.stop else None
        closed = self.tables["closed"]
        self.make(
            "assign",
            lambda table: cut_statements.assignment(self.dialect, table, closed, assign, self.stop),
            analyze=True,
        )
        self.fresh = False
        return Counts()

    # -- moving rows between groups

    def stand(self) -> None:
        """The boxes of all groups, and every row beside its group, unless they are there."""
        if self.fresh:
            return
        dialect, coded, assign = self.dialect, self.coded, self.tables["assign"]
        boxes = self.make(
            "boxes",
            lambda table: sweep_statements.box_table(dialect, table, assign, coded.rows, coded.boxes, coded.trees),
            analyze=True,
        )
        self.make(
            "standing",
            lambda table: sweep_statements.standing(
                dialect, table, assign, coded.rows, boxes, coded.boxes, coded.trees
            ),
            analyze=True,
        )
        self.fresh = True

    def measure(self) -> Counts:
        self.stand()
        statement = sweep_statements.group_counts(self.dialect, self.tables["boxes"], self.k)
        groups, small, _, loss = self.bench.backend.fetch_one(statement)
        return Counts(groups=int(groups), small=int(small), loss=int(loss) / UNIT)

    def sort_runs(self, length: int, salt: int) -> Relation:
        """Blocks of rows that are alike, another order for every salt."""
        coded = self.coded
        return self.make(
            "runs",
            lambda table: sweep_statements.sort_runs(self.dialect, table, coded.rows, coded.sizes, length, str(salt)),
            analyze=True,
        )

    def _sweep(self, question: Sweep) -> Counts:
        self.stand()
        dialect, boxes = self.dialect, self.coded.boxes
        runs = self.sort_runs(question.length, question.salt)
        standing, groups = self.tables["standing"], self.tables["boxes"]
        heat, penalty = int(question.heat * UNIT), int(question.penalty * UNIT)
        candidates = self.make(
            "candidates",
            lambda table: sweep_statements.candidates(
                dialect,
                table,
                standing,
                runs,
                groups,
                boxes,
                k=self.k,
                heat=heat,
                penalty=penalty,
                plateau=question.plateau,
                most=question.targets,
            ),
            analyze=True,
        )
        operations = self.make(
            "operations",
            lambda table: sweep_statements.operations(
                dialect,
                table,
                candidates,
                standing,
                boxes,
                k=self.k,
                heat=heat,
                penalty=penalty,
                room=question.room or 2 * self.k - 1,
                salt=question.salt,
            ),
            analyze=True,
        )
        taken = self.make("taken", lambda table: sweep_statements.taken(dialect, table, operations, PASSES), True)
        return self.apply(taken)

    def _find_homes(self) -> Counts:
        self.stand()
        standing, groups = self.tables["standing"], self.tables["boxes"]
        taken = self.make(
            "taken",
            lambda table: sweep_statements.homes(
                self.dialect, table, standing, groups, self.coded.boxes, k=self.k, room=2 * self.k - 1
            ),
            analyze=True,
        )
        moved = self.apply(taken)
        counts = self.measure()
        return Counts(done=moved.done, small=counts.small, groups=counts.groups)

    def apply(self, taken: Relation) -> Counts:
        """Move the rows of the operations taken, and make the touched groups anew."""
        dialect, coded = self.dialect, self.coded
        touched = self.make("touched", lambda table: sweep_statements.touched(dialect, table, taken), analyze=True)
        before = self.tables["assign"]
        assign = self.make("assign", lambda table: sweep_statements.moved(dialect, table, before, taken), analyze=True)
        fresh_boxes = self.make(
            "fresh_boxes",
            lambda table: sweep_statements.box_table(
                dialect, table, assign, coded.rows, coded.boxes, coded.trees, touched
            ),
            analyze=True,
        )
        fresh = self.make(
            "fresh_standing",
            lambda table: sweep_statements.standing(
                dialect, table, assign, coded.rows, fresh_boxes, coded.boxes, coded.trees, touched
            ),
        )
        old_boxes, old = self.tables["boxes"], self.tables["standing"]
        boxes = self.make(
            "boxes",
            lambda table: sweep_statements.replaced(dialect, table, old_boxes, fresh_boxes, touched),
            analyze=True,
        )
        self.make(
            "standing", lambda table: sweep_statements.replaced(dialect, table, old, fresh, touched), analyze=True
        )
        operations, small = self.bench.backend.fetch_one(sweep_statements.sweep_counts(dialect, taken, boxes, self.k))
        return Counts(done=int(operations), small=int(small))
