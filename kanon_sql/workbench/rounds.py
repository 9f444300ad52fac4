"""The one who answers a local recoding driver: rounds become set-based statements over the assignment table, and only counts come back."""

from __future__ import annotations

import contextlib
import dataclasses
import time
from collections.abc import Callable

from kanon_sql.cluster.block_questions import BlockQuestion
from kanon_sql.cluster.questions import (
    CloseGroups,
    ClosePeel,
    Counts,
    CutOpen,
    DissolveDear,
    Driver,
    DropFar,
    FindHomes,
    Grouping,
    KeepGroups,
    Measure,
    OpenGroups,
    OpenPeel,
    OpenTable,
    PeelNodes,
    Question,
    RestoreGroups,
    Sweep,
)
from kanon_sql.sql import statements
from kanon_sql.sql.boxes import UNIT
from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.statement import Statement
from kanon_sql.workbench import moves
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
        self.replaced: list[tuple[str, Relation]] = []
        self.begun = time.monotonic()
        self.rounds = 0
        self.numbered = 0
        self.stop = 0
        self.together = False
        self.fresh = False
        self.dead = 0
        self.levels: list[list[statements.cluster.seed_classes.ClassLevel]] = []
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
                self.drop_replaced()
                seconds = time.monotonic() - self.begun
                limit = self.bench.job.search.time_limit
                answer = dataclasses.replace(answer, seconds=seconds, late=limit is not None and seconds >= limit)
                self.rounds += 1
                if self.progress is not None:
                    self.progress(self.rounds)

    def drop_replaced(self) -> None:
        """Drop what was made anew since the last time."""
        if self.replaced:
            self.bench.backend.drop_work(self.replaced)
            self.replaced.clear()

    def answer(self, question: Question) -> Counts:
        if isinstance(question, OpenTable):
            return self._open(None, 0, question.strictly)
        if isinstance(question, OpenGroups):
            return self._open(self.tables["assign"], question.stop)
        if isinstance(question, CutOpen):
            return self._cut(question)
        if isinstance(question, CloseGroups):
            return self._close()
        if isinstance(question, Sweep):
            return self._sweep(question)
        if isinstance(question, OpenPeel):
            return self._open_peel()
        if isinstance(question, PeelNodes):
            return self._peel(question)
        if isinstance(question, ClosePeel):
            return self._close_peel()
        if isinstance(question, FindHomes):
            return self._find_homes(question)
        if isinstance(question, DissolveDear):
            return self._dissolve(question)
        if isinstance(question, KeepGroups):
            return self._copied("assign", "kept")
        if isinstance(question, RestoreGroups):
            self.fresh = False
            return self._copied("kept", "assign")
        if isinstance(question, DropFar):
            return self._drop_far()
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
        if ("table", table) in self.replaced:
            self.drop_replaced()
        old = self.tables.get(what)
        if ("table", table) in self.bench.made:
            self.bench.backend.execute(statement(table))
        else:
            self.bench.make_table(name, statement(table))
        self.tables[what] = table
        if old is not None:
            self.replaced.append(("table", old))
        if analyze:
            self.bench.backend.analyze(table, often=False)
        return table

    # -- cutting

    def _open(self, assign: Relation | None, stop: int, strictly: bool = False) -> Counts:
        coded = self.coded
        self.together = strictly and coded.contiguous
        self.make("closed", lambda table: statements.cluster.cutting.empty_assignment(self.dialect, table))
        opened = self.make(
            "open",
            lambda table: (
                statements.cluster.cutting.open_combinations(self.dialect, table, coded.rows, coded.boxes)
                if self.together
                else statements.cluster.cutting.open_rows(self.dialect, table, coded.rows, assign, coded.boxes, stop)
            ),
            analyze=True,
        )
        self.numbered, self.stop = 0, stop
        found = self.bench.backend.fetch_one(statements.cluster.cutting.cut_counts(self.dialect, opened, opened))
        return Counts(open=int(found[0]))

    def _cut(self, question: CutOpen) -> Counts:
        dialect, boxes, together = self.dialect, self.coded.boxes, self.together
        assert not together or question.multiple_of is None
        opened = self.tables["open"]
        cuts = self.make(
            "cuts",
            lambda table: statements.cluster.cutting.cuts(
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
                together=together,
            ),
            analyze=True,
        )
        sides = self.make(
            "sides",
            lambda table: statements.cluster.cutting.sides(
                dialect, table, opened, cuts, boxes, question.multiple_of, together
            ),
        )
        sizes = self.make(
            "sizes", lambda table: statements.cluster.cutting.side_sizes(dialect, table, sides, together), analyze=True
        )
        close = statements.cluster.cutting.close_combinations if together else statements.cluster.cutting.close_sides
        self.bench.backend.execute(close(dialect, self.tables["closed"], sides, sizes, self.numbered, question.stop))
        opened = self.make(
            "open",
            lambda table: statements.cluster.cutting.still_open(
                dialect, table, sides, sizes, boxes, question.stop, together
            ),
            analyze=True,
        )
        found = self.bench.backend.fetch_one(statements.cluster.cutting.cut_counts(dialect, opened, sizes))
        self.numbered += int(found[1])
        return Counts(open=int(found[0]))

    def _copied(self, what: str, to: str) -> Counts:
        source = self.tables[what]
        self.make(to, lambda table: statements.cluster.moving.copied_groups(self.dialect, table, source), analyze=True)
        return Counts()

    def _close(self) -> Counts:
        assign = self.tables.get("assign") if self.stop else None
        closed = self.tables["closed"]
        self.make(
            "assign",
            lambda table: statements.cluster.cutting.assignment(self.dialect, table, closed, assign, self.stop),
            analyze=True,
        )
        self.fresh = False
        return Counts()

    # -- peeling classes off

    def _open_peel(self) -> Counts:
        coded, dialect = self.coded, self.dialect
        self.levels = statements.cluster.seed_classes.class_levels(dialect, coded.boxes.asking(), dict(coded.sizes))
        losses = [[0.0] * len(of) for of in self.levels]
        statement = statements.cluster.seed_classes.level_losses(dialect, coded.rows, self.levels)
        for attribute, level, loss in self.bench.backend.fetch(statement):
            losses[int(attribute)][int(level)] = float(loss) / UNIT / self.coded.count
        self.make("closed", lambda table: statements.cluster.cutting.empty_assignment(dialect, table))
        self.make(
            "free",
            lambda table: statements.cluster.seed_classes.unassigned_rows(
                dialect, table, coded.rows, coded.boxes.asking(), None
            ),
            True,
        )
        self.numbered, self.stop = 0, 0
        return Counts(open=self.coded.count, levels=tuple(map(tuple, losses)))

    def _peel(self, question: PeelNodes) -> Counts:
        dialect, boxes, before = self.dialect, self.coded.boxes.asking(), self.tables["free"]
        peeled = self.make(
            "peeled",
            lambda table: statements.cluster.seed_classes.assign_classes(
                dialect, table, before, self.levels, question.nodes, self.k, self.numbered
            ),
            analyze=True,
        )
        self.bench.backend.execute(
            statements.cluster.seed_classes.append_classes(dialect, self.tables["closed"], peeled)
        )
        free = self.make(
            "free",
            lambda table: statements.cluster.seed_classes.unassigned_rows(dialect, table, before, boxes, peeled),
            True,
        )
        left, groups, last = (
            int(value)
            for value in self.bench.backend.fetch_one(
                statements.cluster.seed_classes.class_counts(dialect, free, peeled)
            )
        )
        self.numbered = max(self.numbered, last)
        return Counts(open=left, done=groups)

    def _close_peel(self) -> Counts:
        self.bench.backend.execute(
            statements.cluster.seed_classes.append_singletons(
                self.dialect, self.tables["closed"], self.tables["free"], self.numbered
            )
        )
        return self._close()

    # -- moving rows between groups

    def stand(self) -> None:
        """The boxes of all groups, and every row beside its group, unless they are there."""
        if self.fresh:
            return
        dialect, coded, assign = self.dialect, self.coded, self.tables["assign"]
        boxes = self.make_boxes()
        self.make(
            "standing",
            lambda table: statements.cluster.moving.row_context(
                dialect, table, assign, coded.rows, boxes, coded.boxes, coded.trees
            ),
            analyze=True,
        )
        self.fresh, self.dead = True, 0

    def make_boxes(self) -> Relation:
        """The boxes of all groups."""
        dialect, coded, assign = self.dialect, self.coded, self.tables["assign"]
        return self.make(
            "boxes",
            lambda table: statements.cluster.moving.box_table(
                dialect, table, assign, coded.rows, coded.boxes, coded.trees
            ),
            analyze=True,
        )

    def measure(self) -> Counts:
        self.stand()
        statement = statements.cluster.moving.group_counts(self.dialect, self.tables["boxes"], self.k)
        groups, small, rows, loss, last = (int(value) for value in self.bench.backend.fetch_one(statement))
        self.numbered = max(self.numbered, last)
        return Counts(groups=groups, small=small, open=rows, loss=loss / UNIT)

    def sort_runs(self, length: int, salt: int) -> Relation:
        """Blocks of rows that are alike, another order for every salt."""
        coded = self.coded
        return self.make(
            "runs",
            lambda table: statements.cluster.moving.sort_runs(
                self.dialect, table, coded.rows, coded.sizes, length, str(salt)
            ),
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
            lambda table: statements.cluster.moving.candidates(
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
            lambda table: statements.cluster.moving.operations(
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
        taken = self.make(
            "taken", lambda table: statements.cluster.moving.chosen_moves(dialect, table, operations, PASSES), True
        )
        return self.apply(taken)

    def _find_homes(self, question: FindHomes) -> Counts:
        self.measure()
        runs = self.sort_runs(question.length, question.salt) if question.length else None
        standing, groups = self.tables["standing"], self.tables["boxes"]
        taken = self.make(
            "taken",
            lambda table: statements.cluster.absorbing.absorb_small_groups(
                self.dialect,
                table,
                standing,
                groups,
                self.coded.boxes,
                runs,
                k=self.k,
                room=question.room or 2 * self.k - 1,
                budget=self._budget_left(),
                last=self.numbered,
                most=question.most,
            ),
            analyze=True,
        )
        moved = self.apply(taken)
        return dataclasses.replace(self.measure(), done=moved.done)

    def _dissolve(self, question: DissolveDear) -> Counts:
        self.measure()
        runs = self.sort_runs(question.length, question.salt) if question.length else None
        standing, groups, assign = self.tables["standing"], self.tables["boxes"], self.tables["assign"]
        dear = self.make(
            "small",
            lambda table: statements.cluster.absorbing.costliest_groups(
                self.dialect,
                table,
                standing,
                groups,
                self.coded.boxes,
                runs,
                k=self.k,
                most=question.most,
                budget=self._budget_left(),
            ),
            analyze=True,
        )
        done = int(self.bench.backend.fetch_one(statements.checks.table_rows(self.dialect, dear))[0])
        if done:
            first = self.numbered
            self.make(
                "assign",
                lambda table: statements.cluster.absorbing.dissolved_groups(self.dialect, table, assign, dear, first),
                analyze=True,
            )
            self.numbered += self.coded.count
            self.fresh = False
        return dataclasses.replace(self.measure(), done=done)

    def _drop_far(self) -> Counts:
        budget = self._budget_left()
        if not budget:
            return Counts()
        self.stand()
        standing, boxes = self.tables["standing"], self.coded.boxes
        taken = self.make(
            "taken",
            lambda table: statements.cluster.absorbing.outliers(self.dialect, table, standing, boxes, self.k, budget),
            analyze=True,
        )
        return self.apply(taken)

    def _budget_left(self) -> int:
        """The rows that may still be suppressed."""
        if not self.coded.budget:
            return 0
        statement = statements.cluster.absorbing.suppressed_rows(self.dialect, self.tables["assign"])
        return max(0, self.coded.budget - int(self.bench.backend.fetch_one(statement)[0]))

    def apply(self, taken: Relation) -> Counts:
        """Move the rows of the operations taken."""
        return moves.apply(self, taken)
