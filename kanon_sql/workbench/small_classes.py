"""The small classes of measured nodes, kept in one work table: what their suppressed rows lose, and what they say of other nodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kanon_sql.model.lattice import Node
from kanon_sql.model.verdict import Verdict
from kanon_sql.search.questions import KBound
from kanon_sql.sql import statements
from kanon_sql.sql.class_shape import ClassShape
from kanon_sql.sql.dialect import Relation
from kanon_sql.workbench.cells import Cells
from kanon_sql.workbench.workbench import Workbench

MOST_ROWS = 20_000_000
"""More rows than this are not kept: nodes measured from then on say nothing of others together."""


class SmallClasses:
    """For each measured node: its combinations in classes of at most k rows, k being the node's own.

    A smaller k than its own is all that is ever asked of a specialization, so larger classes need not be kept.
    """

    def __init__(self, bench: Workbench, shape: ClassShape, cells: Cells) -> None:
        self.bench = bench
        self.shape = shape
        self.cells = cells
        self.numbers: dict[Node, int] = {}
        self.rows = 0
        self.combination = bench.keys(tuple(0 for _ in bench.attributes))

    @property
    def full(self) -> bool:
        return self.rows > MOST_ROWS

    def add(self, measured: Sequence[Verdict], sources: Mapping[Node, Relation]) -> dict[Node, float]:
        """Keep the small classes of these nodes; what the suppressed rows of each lose beyond what they would if kept."""
        bench = self.bench
        first = not self.numbers
        for verdict in measured:
            self.numbers[verdict.node] = len(self.numbers)
        statement = statements.checks.small_classes(
            bench.dialect,
            bench.names.small_classes,
            bench.names.base,
            self.combination,
            [
                (self.numbers[verdict.node], bench.keys(verdict.node), verdict.k, verdict.node, sources[verdict.node])
                for verdict in measured
            ],
            self.shape,
            self.cells.tables,
            self.cells.weights,
            first=first,
            repeated=bool(bench.sensitive) or bench.counts_persons,
        )
        if first:
            bench.make_table(bench.names.small_classes, statement)
        else:
            bench.backend.execute(statement)
        statement = statements.checks.small_classes_loss(
            bench.dialect,
            bench.names.small_classes,
            [(self.numbers[verdict.node], verdict.k) for verdict in measured],
        )
        nodes = {self.numbers[verdict.node]: verdict.node for verdict in measured}
        lost = {}
        for row in bench.backend.fetch(statement):
            self.rows += int(row.kept)
            lost[nodes[int(row.measured)]] = float(row.extra)
        return lost

    def bounded(self, bounds: Sequence[KBound], budget: int) -> list[Verdict]:
        """Whether the rows that are known to be in small classes prove each bound."""
        asked = [
            (place, self.numbers[general], bound.most)
            for place, bound in enumerate(bounds)
            for general in bound.generalizations
            if general in self.numbers
        ]
        known: dict[int, int] = {}
        if asked:
            statement = statements.checks.rows_in_small_classes(
                self.bench.dialect, self.bench.names.small_classes, asked, len(self.combination)
            )
            known = {int(row.place): int(row.n) for row in self.bench.backend.fetch(statement)}
        return [
            Verdict(bound.node, known.get(place, 0) <= budget, 0, 0, known.get(place, 0), bound.most)
            for place, bound in enumerate(bounds)
        ]
