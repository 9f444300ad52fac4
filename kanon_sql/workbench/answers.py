"""The one who answers a lattice driver: questions become set-based statements, and only counts come back."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Generator, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from kanon_sql.backends.rows import Row
from kanon_sql.errors import Stopped
from kanon_sql.metrics.objective import Objective
from kanon_sql.model.lattice import Node
from kanon_sql.model.verdict import Verdict
from kanon_sql.search.questions import (
    Answer,
    BoundK,
    CheckNodes,
    Driver,
    MeasureNodes,
    Narrow,
    Outcome,
    Question,
    ScoreNodes,
    StopSearch,
)
from kanon_sql.sql import statements
from kanon_sql.sql.class_shape import ClassColumn, ClassShape
from kanon_sql.sql.dialect import Relation
from kanon_sql.workbench.cells import Cells
from kanon_sql.workbench.roll_ups import RollUps
from kanon_sql.workbench.workbench import Workbench

if TYPE_CHECKING:
    from kanon_sql.workbench.small_classes import SmallClasses

Item = TypeVar("Item")
Result = TypeVar("Result")


class Answers:
    """Answers questions over the base frequency set. `checked` counts the nodes the database grouped by."""

    def __init__(self, bench: Workbench, objective: Objective, cells: Cells | None, shape: ClassShape) -> None:
        self.bench = bench
        self.objective = objective
        self.cells = cells
        self.shape = shape
        self.roll_ups = RollUps(bench)
        self.checked = 0
        self.memo: dict[Node, Verdict] = {}
        self.small: SmallClasses | None = None
        self.progress: Callable[[int], None] | None = None
        self.anytime = False

    def run(self, driver: Driver) -> Outcome:
        """Drive a search to its end."""
        return dataclasses.replace(drive(driver, self.answer, self.anytime), checks=self.checked)

    def measure_l(self, sensitive: int) -> None:
        """Let measured nodes carry l as well: the fewest distinct values of a sensitive column in a kept class."""
        column = ClassColumn("measured_l", sensitive, "count(*)")
        self.shape = dataclasses.replace(self.shape, columns=(*self.shape.columns, column), least=("measured_l",))

    def tried(self, most: int = 400) -> list[dict[str, Any]]:
        """The nodes checked, in order, with what each costs at least; every so-many-th where there are more than `most`."""
        step = -(-len(self.memo) // most) or 1
        return [
            {
                "check": place + 1,
                "node": list(verdict.node),
                "passes": verdict.passes,
                "k": verdict.k,
                "suppressed": verdict.suppressed,
                "loss": self.objective.bound(verdict.node) if verdict.loss is None else verdict.loss,
            }
            for place, verdict in enumerate(self.memo.values())
            if place % step == 0
        ]

    def scored(self, verdicts: list[Verdict]) -> list[Verdict]:
        """Verdicts of this search with their exact loss."""
        return self._scored(verdicts, own_k=False)

    def answer(self, question: Question) -> Answer:
        if isinstance(question, Narrow):
            self.roll_ups.narrow(question.bottom, question.mostly)
            return []
        if isinstance(question, CheckNodes):
            return self._checked(question.nodes)
        if isinstance(question, ScoreNodes):
            return self._scored(self._checked(question.nodes), own_k=False)
        if isinstance(question, BoundK):
            return self.small.bounded(question.bounds, self.bench.budget) if self.small is not None else []
        assert isinstance(question, MeasureNodes)
        return self._measured(question.nodes, question.remembered)

    def _checked(self, nodes: Sequence[Node]) -> list[Verdict]:
        unknown = [node for node in dict.fromkeys(nodes) if node not in self.memo]
        self.roll_ups.prepare_for(unknown)
        source = self.bench.frequency_source
        for batch, keys, tables in self._batches(unknown):
            statement = statements.checks.frequency_sets(self.bench.dialect, source, keys, self.shape, tables)
            for row in self.bench.backend.fetch(statement):
                node, suppressed = batch[int(row.node)], int(row.suppressed)
                self.memo[node] = Verdict(
                    node=node,
                    passes=suppressed <= self.bench.budget,
                    min_class=int(row.min_class),
                    classes=int(row.classes),
                    suppressed=suppressed,
                    k=int(row.k),
                    kept_classes=int(row.kept_classes),
                    sums=self._sums(row),
                    k_passes=int(row.below_k) <= self.bench.budget,
                )
            self._count(len(batch))
        return [self.memo[node] for node in nodes]

    def _measured(self, nodes: Sequence[Node], remembered: bool) -> list[Verdict]:
        measured: dict[Node, Verdict] = {}
        tables: dict[Node, Relation] = {}
        self.roll_ups.prepare_for(nodes)
        source, base = self.bench.frequency_source, self.bench.names.base
        for batch, keys, read in self._batches(nodes):
            # Small classes are met in the base by its own keys, which a table of words does not have.
            tables |= {node: base if (found := self.roll_ups.for_node(node)).words else found.table for node in batch}
            statement = statements.checks.measured_nodes(
                self.bench.dialect, source, keys, self.shape, self.bench.budget, read
            )
            for row in self.bench.backend.fetch(statement):
                node = batch[int(row.node)]
                measured[node] = Verdict(
                    node=node,
                    passes=True,
                    min_class=int(row.min_class),
                    classes=int(row.classes),
                    suppressed=int(row.suppressed),
                    k=int(row.k),
                    kept_classes=int(row.kept_classes),
                    sums=self._sums(row),
                    l=int(getattr(row, self.shape.least[-1])) if self.shape.least else None,
                )
            self._count(len(batch))
        verdicts = [measured[node] for node in nodes]
        if remembered and self._may_remember():
            verdicts = self._remembered(verdicts, tables)
        return self._scored(verdicts, own_k=True)

    def _may_remember(self) -> bool:
        """Whether small classes are kept: elsewhere than on the embedded engine that costs more than it spares."""
        if self.cells is None or self.objective.exact_from_counts or not self.bench.backend.capabilities.embedded:
            return False
        if self.small is None:
            from kanon_sql.workbench.small_classes import SmallClasses  # frontiers alone need it

            self.small = SmallClasses(self.bench, self.shape, self.cells)
        return not self.small.full

    def _remembered(self, verdicts: list[Verdict], tables: dict[Node, Relation]) -> list[Verdict]:
        """The verdicts with their loss, once their small classes are kept."""
        assert self.small is not None
        lost: dict[Node, float] = {}
        for batch in _batches(verdicts, self.bench.backend.capabilities.nodes_per_statement):
            lost |= self.small.add(batch, tables)
        return [
            dataclasses.replace(
                verdict, loss=self.objective.bound(verdict.node) + lost.get(verdict.node, 0.0) / self.bench.rows
            )
            for verdict in verdicts
        ]

    def _sums(self, row: Row) -> dict[str, float]:
        return {name: float(getattr(row, name)) for name, _ in self.shape.sums}

    def _scored(self, verdicts: list[Verdict], own_k: bool) -> list[Verdict]:
        """The exact loss of each verdict; `own_k`: a class violates when it is smaller than the node's own k, and only then."""
        if self.cells is None or self.objective.exact_from_counts:
            return [dataclasses.replace(verdict, loss=self.objective.loss(verdict)) for verdict in verdicts]
        bench, cells = self.bench, self.cells
        extra: dict[int, float] = {}
        places = [place for place, verdict in enumerate(verdicts) if verdict.suppressed > 0 and verdict.loss is None]
        for batch in _batches(places, bench.backend.capabilities.nodes_per_statement):
            nodes = [
                (
                    bench.keys(verdicts[place].node),
                    dataclasses.replace(self.shape, k=verdicts[place].k, conditions=()) if own_k else self.shape,
                    verdicts[place].node,
                )
                for place in batch
            ]
            # The narrowed base has lost level 0, which the cells are keyed by.
            statement = statements.checks.suppressed_loss(
                bench.dialect, bench.frequency_source, nodes, cells.tables, cells.weights
            )
            for row in bench.backend.fetch(statement):
                extra[batch[int(row.node)]] = float(row.extra)
        return [
            dataclasses.replace(verdict, loss=self.objective.bound(verdict.node) + extra.get(place, 0.0) / bench.rows)
            if verdict.loss is None
            else verdict
            for place, verdict in enumerate(verdicts)
        ]

    def _batches(self, nodes: Sequence[Node]) -> Iterator[tuple[Sequence[Node], list[list[str]], list[Relation]]]:
        """Nodes, their keys and what each reads, a statement's worth at a time: a statement costs more than another table in it."""
        for batch in _batches(nodes, self.bench.backend.capabilities.nodes_per_statement):
            read = [self.roll_ups.for_node(node) for node in batch]
            yield batch, [self.roll_ups.keys(node) for node in batch], [roll_up.table for roll_up in read]

    def _count(self, nodes: int) -> None:
        self.checked += nodes
        if self.progress is not None:
            self.progress(self.checked)


def drive(
    driver: Generator[Question, Answer, Result], answer: Callable[[Question], Answer], anytime: bool = False
) -> Result:
    """Ask and answer until the driver returns. `anytime`: an interrupt makes it return the best found, and what is proven."""
    try:
        question = next(driver)
        while True:
            try:
                reply = answer(question)
            except KeyboardInterrupt as stop:
                if not anytime or (isinstance(stop, Stopped) and stop.ends_all):
                    raise
                question = driver.throw(StopSearch("interrupted"))
            else:
                question = driver.send(reply)
    except StopIteration as end:
        result: Result = end.value
        return result


def _batches(items: Sequence[Item], size: int) -> Iterator[Sequence[Item]]:
    return (items[start : start + size] for start in range(0, len(items), size))
