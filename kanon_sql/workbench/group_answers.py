"""Answers a local recoding driver: each question becomes set-based statements over the assignment, and only counts come back."""

from __future__ import annotations

import contextlib
import dataclasses
import time
from collections.abc import Callable
from typing import Concatenate, ParamSpec, Protocol

from kanon_sql.backends.rows import Row
from kanon_sql.cluster.block_questions import BlockQuestion
from kanon_sql.cluster.questions import (
    AbsorbSmallGroups,
    AssignClasses,
    CloseGroups,
    Counts,
    CutOpen,
    DissolveCostliest,
    Driver,
    EndClasses,
    Grouping,
    KeepGroups,
    MeasureGroups,
    OpenGroups,
    OpenTable,
    Question,
    RestoreGroups,
    StartClasses,
    SuppressOutliers,
    Sweep,
)
from kanon_sql.cluster.settings import REPEATED
from kanon_sql.sql import statements
from kanon_sql.sql.boxes import UNIT
from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.relations import GroupTable
from kanon_sql.sql.statement import Statement
from kanon_sql.workbench import moves, node_classes
from kanon_sql.workbench.coding import Coded
from kanon_sql.workbench.workbench import Workbench

PASSES = 3
"""Times that operations are chosen among those whose groups take part in none yet."""
READ_ONCE = {GroupTable.FINISHED_ROWS, GroupTable.SIDES, GroupTable.GROWN, GroupTable.NEW_ROW_CONTEXT}
"""Tables that grow after they are made, or are scanned once: statistics would not pay."""

P = ParamSpec("P")


class KeptModels(Protocol):
    """Which operations, and which sides of cuts, leave groups with the privacy models satisfied."""

    def allowed_operations(self, operations: Relation) -> Relation: ...

    def allowed_sides(self, sides: Relation, columns: list[str]) -> Relation: ...


class GroupAnswers:
    """Holds the assignment and its boxes. `progress` hears the number of rounds."""

    def __init__(self, bench: Workbench, coded: Coded, k: int, search: str = "") -> None:
        self.search = search
        """Tells the tables of two searches on one workbench apart."""
        self.bench = bench
        self.dialect: Dialect = bench.dialect
        self.coded = coded
        self.k = k
        self.tables: dict[GroupTable, Relation] = {}
        self.versions: dict[GroupTable, int] = {}
        self.replaced: list[tuple[str, Relation]] = []
        self.begun = time.monotonic()
        self.together = False
        """Whether an open row stands for all rows that are alike."""
        self.rounds = 0
        self.last_group = 0
        """The greatest number given to a group, since the table was opened last."""
        self.stop = 0
        self.boxes_are_current = False
        self.ends_are_current = False
        self.greatest: int | None = None
        """The greatest number of a group that has a box, where that is known."""
        self.small: int | None = None
        """The groups under k rows, where that is known."""
        self.changed_in_place = 0
        """Rows changed in place since the boxes were last written anew."""
        self.levels: list[list[statements.cluster.seed_classes.ClassLevel]] = []
        self.progress: Callable[[int], None] | None = None
        self.blocks: Callable[[BlockQuestion], Counts] | None = None
        self.models: KeptModels | None = None
        """What keeps the privacy models, once they are satisfied: moves and cuts that would violate one are left out."""

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

    def answer(self, question: Question) -> Counts:
        if isinstance(question, OpenTable):
            return self._open_table(question)
        if isinstance(question, OpenGroups):
            columns = statements.cluster.cutting.cut_columns(self.coded.boxes)
            return self.open_rows(self.assignment, question.stop, columns)
        if isinstance(question, CutOpen):
            return self._cut(question)
        if isinstance(question, CloseGroups):
            return self._close()
        if isinstance(question, Sweep):
            return self._sweep(question)
        if isinstance(question, StartClasses):
            return node_classes.start(self)
        if isinstance(question, AssignClasses):
            return node_classes.assign(self, question)
        if isinstance(question, EndClasses):
            node_classes.end(self)
            return self._close()
        if isinstance(question, AbsorbSmallGroups):
            return self._absorb_small_groups(question)
        if isinstance(question, DissolveCostliest):
            return self._dissolve_costliest(question)
        if isinstance(question, KeepGroups):
            self.make(GroupTable.KEPT_ASSIGNMENT, statements.cluster.moving.copied_groups, self.assignment)
            return Counts()
        if isinstance(question, RestoreGroups):
            self.assign(statements.cluster.moving.copied_groups, self.tables[GroupTable.KEPT_ASSIGNMENT])
            return Counts()
        if isinstance(question, SuppressOutliers):
            return self._suppress_outliers()
        if isinstance(question, MeasureGroups):
            return self.measure()
        assert self.blocks is not None
        return self.blocks(question)

    # -- statements

    def make(
        self,
        name: GroupTable,
        statement: Callable[Concatenate[Dialect, Relation, P], Statement],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> Relation:
        """Make a work table under the other of its two names, so that the statement may read the old one, and drop that."""
        self.versions[name] = self.versions.get(name, 0) + 1
        table = self.bench.names.group_table(name, self.versions[name] % 2, self.search)
        if ("table", table) in self.replaced:
            self.drop_replaced()
        old = self.tables.get(name)
        made = statement(self.dialect, table, *args, **kwargs)
        if ("table", table) in self.bench.made:
            self.bench.backend.execute(made)
        else:
            self.bench.make_table(table, made)
        self.tables[name] = table
        if old is not None:
            self.replaced.append(("table", old))
        if name not in READ_ONCE:
            self.bench.backend.analyze(table, often=False)
        return table

    def drop_replaced(self) -> None:
        """Drop what was made anew since the last time, all at once."""
        if self.replaced:
            self.bench.backend.drop_work(self.replaced)
            self.replaced.clear()

    def execute(
        self, statement: Callable[Concatenate[Dialect, P], Statement], *args: P.args, **kwargs: P.kwargs
    ) -> None:
        self.bench.backend.execute(statement(self.dialect, *args, **kwargs))

    def count(self, statement: Callable[Concatenate[Dialect, P], Statement], *args: P.args, **kwargs: P.kwargs) -> Row:
        """The one row of a statement that counts."""
        return self.bench.backend.fetch_one(statement(self.dialect, *args, **kwargs))

    @property
    def assignment(self) -> Relation:
        return self.tables[GroupTable.ASSIGNMENT]

    @property
    def ends(self) -> Relation | None:
        """What tells the labels of the groups, where a search elsewhere brought it along and no row has moved since."""
        return self.tables[GroupTable.GROUP_ENDS] if self.ends_are_current else None

    # -- cutting

    def open_rows(self, assignment: Relation | None, stop: int, columns: list[str]) -> Counts:
        """Open the whole table, or the groups of the assignment with more than `stop` rows; `columns`: what is read of a row."""
        cutting = statements.cluster.cutting
        self.together = False
        self.make(GroupTable.FINISHED_ROWS, cutting.empty_assignment)
        opened = self.make(GroupTable.OPEN_ROWS, cutting.open_rows, self.coded.rows, assignment, columns, stop)
        self.last_group, self.stop = 0, stop
        return Counts(open=int(self.count(cutting.cut_counts, opened, opened).open_rows))

    def _open_table(self, question: OpenTable) -> Counts:
        cutting, boxes = statements.cluster.cutting, self.coded.boxes
        if not question.strictly or not self.coded.contiguous:
            return self.open_rows(None, 0, cutting.cut_columns(boxes))
        self.together = True
        self.make(GroupTable.FINISHED_ROWS, cutting.empty_assignment)
        self.make(GroupTable.OPEN_ROWS, cutting.open_combinations, self.coded.rows, boxes)
        self.last_group, self.stop = 0, 0
        return Counts(open=self.coded.count)

    def close_sides(self, sides: Relation, stop: int, columns: list[str]) -> Counts:
        """Number the sides; those of no more than `stop` rows are finished, the others are open."""
        cutting = statements.cluster.cutting
        sizes = self.make(GroupTable.SIDE_SIZES, cutting.side_sizes, sides, self.together)
        finished = self.tables[GroupTable.FINISHED_ROWS]
        close = cutting.close_combinations if self.together else cutting.close_sides
        self.execute(close, finished, sides, sizes, self.last_group, stop)
        opened = self.make(GroupTable.OPEN_ROWS, cutting.still_open, sides, sizes, columns, stop)
        counts = self.count(cutting.cut_counts, opened, sizes)
        self.last_group += int(counts.sides)
        return Counts(open=int(counts.open_rows))

    def _cut(self, question: CutOpen) -> Counts:
        cutting, boxes = statements.cluster.cutting, self.coded.boxes
        opened = self.tables[GroupTable.OPEN_ROWS]
        cuts = self.make(
            GroupTable.CUTS,
            cutting.cuts,
            opened,
            boxes,
            self.coded.trees,
            widest=question.widest,
            least=question.least,
            multiple_of=question.multiple_of,
            strict_above=question.strict_above,
            k=self.k,
            together=self.together,
        )
        assert not self.together or question.multiple_of is None
        columns = cutting.cut_columns(boxes, self.together)
        sides = self.make(GroupTable.SIDES, cutting.sides, opened, cuts, boxes, columns, question.multiple_of)
        if self.models is not None:
            sides = self.models.allowed_sides(sides, columns)
        return self.close_sides(sides, question.stop, columns)

    def _close(self) -> Counts:
        before = self.tables.get(GroupTable.ASSIGNMENT) if self.stop else None
        finished = self.tables[GroupTable.FINISHED_ROWS]
        self.assign(statements.cluster.cutting.assignment, finished, before, self.stop)
        return Counts()

    def assign(
        self, statement: Callable[Concatenate[Dialect, Relation, P], Statement], *args: P.args, **kwargs: P.kwargs
    ) -> None:
        """Replace the assignment: boxes are out of date from now on."""
        self.make(GroupTable.ASSIGNMENT, statement, *args, **kwargs)
        self.boxes_are_current = self.ends_are_current = False
        self.small = None

    # -- moving rows between groups

    def refresh_boxes(self) -> None:
        """Compute the boxes of all groups, and every row's context, unless they are current."""
        if self.boxes_are_current:
            return
        coded, moving = self.coded, statements.cluster.moving
        boxes = self.make_boxes()
        self.make(
            GroupTable.ROW_CONTEXT, moving.row_context, self.assignment, coded.rows, boxes, coded.boxes, coded.trees
        )
        self.boxes_are_current, self.greatest, self.changed_in_place = True, None, 0

    def make_boxes(self) -> Relation:
        """The boxes of all groups, without their rows' context."""
        coded, box_table = self.coded, statements.cluster.moving.box_table
        return self.make(GroupTable.BOXES, box_table, self.assignment, coded.rows, coded.boxes, coded.trees)

    def measure(self) -> Counts:
        self.refresh_boxes()
        found = self.count(statements.cluster.moving.group_counts, self.tables[GroupTable.BOXES], self.k)
        self.greatest, self.small = int(found.last_group), int(found.small)
        self.last_group = max(self.last_group, self.greatest)
        return Counts(
            groups=int(found.groups), small=self.small, open=int(found.small_rows), loss=int(found.loss) / UNIT
        )

    def sort_runs(self, length: int, salt: int) -> Relation:
        """Runs of rows that are alike, in another order for every salt."""
        sort_runs, coded = statements.cluster.moving.sort_runs, self.coded
        combinations = self._combinations()
        return self.make(
            GroupTable.RUNS,
            sort_runs,
            coded.rows,
            coded.sizes,
            coded.boxes,
            length,
            str(salt),
            coded.count,
            combinations,
        )

    def _combinations(self) -> Relation | None:
        """What rows that are alike have in common and how many they are, where there are few of them, each many times."""
        if not self.coded.contiguous or self.bench.combinations * REPEATED > self.coded.count:
            return None
        if GroupTable.COMBINATIONS not in self.tables:
            open_combinations = statements.cluster.cutting.open_combinations
            self.make(GroupTable.COMBINATIONS, open_combinations, self.coded.rows, self.coded.boxes)
        return self.tables[GroupTable.COMBINATIONS]

    def _sweep(self, question: Sweep) -> Counts:
        if not self.boxes_are_current or self.greatest is None:
            self.measure()
        assert self.greatest is not None
        moving, boxes = statements.cluster.moving, self.coded.boxes
        runs = self.sort_runs(question.length, question.salt)
        row_context = self.tables[GroupTable.ROW_CONTEXT]
        heat, penalty = int(question.heat * UNIT), int(question.penalty * UNIT)
        candidates = self.make(
            GroupTable.CANDIDATES,
            moving.candidates,
            row_context,
            runs,
            self.tables[GroupTable.BOXES],
            boxes,
            k=self.k,
            heat=heat,
            penalty=penalty,
            plateau=question.plateau,
            most=question.targets,
            small=self.small != 0,
            last=self.greatest,
            # With heat, every row has a chance of its own.
            alike=not heat and self._combinations() is not None,
        )
        operations = self.make(
            GroupTable.OPERATIONS,
            moving.operations,
            candidates,
            row_context,
            boxes,
            k=self.k,
            heat=heat,
            penalty=penalty,
            room=question.room or 2 * self.k - 1,
            salt=question.salt,
        )
        if self.models is not None:
            operations = self.models.allowed_operations(operations)
        return moves.apply(self, self.chosen_moves(operations))

    def chosen_moves(self, operations: Relation) -> Relation:
        """The operations that are carried out together: no group takes part in two."""
        return self.make(GroupTable.CHOSEN_MOVES, statements.cluster.moving.chosen_moves, operations, PASSES)

    def _absorb_small_groups(self, question: AbsorbSmallGroups) -> Counts:
        self.measure()
        runs = self.sort_runs(question.length, question.salt) if question.length else None
        chosen = self.make(
            GroupTable.CHOSEN_MOVES,
            statements.cluster.absorbing.absorb_small_groups,
            self.tables[GroupTable.ROW_CONTEXT],
            self.tables[GroupTable.BOXES],
            self.coded.boxes,
            runs,
            k=self.k,
            room=question.room or 2 * self.k - 1,
            budget=self._budget_left(),
            last=self.last_group,
            most=question.most,
        )
        moved = moves.apply(self, chosen)
        return dataclasses.replace(self.measure(), done=moved.done)

    def _dissolve_costliest(self, question: DissolveCostliest) -> Counts:
        self.measure()
        absorbing = statements.cluster.absorbing
        runs = self.sort_runs(question.length, question.salt) if question.length else None
        costliest = self.make(
            GroupTable.COSTLIEST_GROUPS,
            absorbing.costliest_groups,
            self.tables[GroupTable.ROW_CONTEXT],
            self.tables[GroupTable.BOXES],
            self.coded.boxes,
            runs,
            k=self.k,
            most=question.most,
            budget=self._budget_left(),
        )
        done = int(self.count(statements.checks.table_rows, costliest).rows)
        if done:
            self.assign(absorbing.dissolved_groups, self.assignment, costliest, self.last_group)
            self.last_group += self.coded.count
        return dataclasses.replace(self.measure(), done=done)

    def _suppress_outliers(self) -> Counts:
        budget = self._budget_left()
        if not budget:
            return Counts()
        self.refresh_boxes()
        row_context, outliers = self.tables[GroupTable.ROW_CONTEXT], statements.cluster.absorbing.outliers
        chosen = self.make(GroupTable.CHOSEN_MOVES, outliers, row_context, self.coded.boxes, self.k, budget)
        self.greatest = None
        return moves.apply(self, chosen)

    def _budget_left(self) -> int:
        """The rows that may still be suppressed."""
        if not self.coded.budget:
            return 0
        suppressed = self.count(statements.cluster.absorbing.suppressed_rows, self.assignment).rows
        return max(0, self.coded.budget - int(suppressed))
