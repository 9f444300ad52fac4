"""Roll-ups of the base frequency set: a node's classes are computed from the smallest table that still has its levels.

Counts add up under roll-up; distinct persons do not, so with them every check reads the whole base. A wide lattice is checked by thousands
of nodes: for them the codes stand side by side in words (kanon_sql.sql.words), in a table of their own and in what is rolled up from it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from kanon_sql.frozen import dataclass
from kanon_sql.model.lattice import LARGE_LATTICE, Node, is_generalization
from kanon_sql.sql import statements
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.relations import code_column
from kanon_sql.workbench.workbench import Workbench

if TYPE_CHECKING:
    from kanon_sql.sql.words import Words


WORTH_KEEPING = 0.5
"""A roll-up to a bottom is kept when it has at most this share of the rows of the table before."""
WORTH_MAKING = 0.25
"""A roll-up for a batch is made when it certainly has at most this share of the rows the batch would read."""
LARGE = 20_000
"""Below so many rows a check costs about what a statement costs anyway."""
FEW = 4
"""A roll-up pays from so many checks on."""
MOST = 24
"""More roll-ups than this are not made: work tables take room."""


@dataclass(frozen=True)
class RollUp:
    """A table that answers for every node at or above `bottom`; `words`: how its codes are packed, none where they have columns of their own."""

    bottom: Node
    table: Relation
    rows: int
    words: Words | None = None


class RollUps:
    """The base and what was rolled up from it, smallest first."""

    def __init__(self, bench: Workbench) -> None:
        self.bench = bench
        self.known = [RollUp(tuple(0 for _ in bench.attributes), bench.names.base, bench.combinations)]
        self._packed = bench.lattice.size <= LARGE_LATTICE or bench.counts_persons or bool(bench.sensitive)
        self._packed |= bench.job.privacy.population is not None

    def for_node(self, node: Node) -> RollUp:
        """The smallest table that has the node's levels."""
        return next(roll_up for roll_up in self.known if is_generalization(node, roll_up.bottom))

    def keys(self, node: Node) -> list[str]:
        """The key expressions of a node over its table."""
        words = self.for_node(node).words
        return self.bench.keys(node) if words is None else words.keys(node)

    def narrow(self, bottom: Node, mostly: bool = False) -> None:
        """Nothing below `bottom` will be asked for again; `mostly`: much will be that is not below it."""
        if self.bench.counts_persons or not any(bottom):
            return
        self._pack()
        source = self.for_node(bottom)
        if mostly and (source.rows < LARGE or source.bottom == bottom or len(self.known) > MOST):
            return
        made = self._made(bottom, source)
        if made.rows <= source.rows * WORTH_KEEPING:
            self._keep(made)

    def prepare_for(self, nodes: Sequence[Node]) -> None:
        """Before a batch: roll up to what its nodes have in common, where that certainly is much smaller."""
        bench = self.bench
        self._pack()
        if bench.counts_persons or bench.sensitive or len(nodes) < FEW or len(self.known) > MOST:
            return
        meet = tuple(min(levels) for levels in zip(*nodes, strict=True))
        source = self.for_node(meet)
        at_most = math.prod(bench.sizes[i][level] for i, level in enumerate(meet))
        if source.rows >= LARGE and at_most <= source.rows * WORTH_MAKING:
            self._keep(self._made(meet, source))

    def _pack(self) -> None:
        """Before the first of many checks: the base in words."""
        if self._packed:
            return
        from kanon_sql.sql.words import Words  # wide tables alone need it

        self._packed = True
        base, lattice = self.known[0], self.bench.lattice
        words = Words.of(lattice.bottom, lattice.star, self.bench.sizes)
        self._keep(self._made_of(lattice.bottom, base, words.columns(self.bench.dialect), words))

    def _made(self, bottom: Node, source: RollUp) -> RollUp:
        if source.words is not None:
            return self._made_of(bottom, source, source.words.from_bottom(bottom), source.words)
        kept = [
            code_column(i, level)
            for i, (low, attribute) in enumerate(zip(bottom, self.bench.attributes, strict=True))
            for level in range(low, attribute.star)
        ]
        kept += [f"s{i}" for i in range(len(self.bench.sensitive))]
        return self._made_of(bottom, source, [(name, name) for name in kept], None)

    def _made_of(self, bottom: Node, source: RollUp, columns: Sequence[tuple[str, str]], words: Words | None) -> RollUp:
        bench = self.bench
        number = len(bench.made)
        while ("table", bench.names.roll_up(number)) in bench.made:  # several searches may share a bench
            number += 1
        table = bench.names.roll_up(number)
        bench.make_table(
            table, statements.checks.narrowed_base(bench.dialect, table, source.table, columns, bench.rows)
        )
        rows = int(bench.backend.fetch_one(statements.checks.count_rows(bench.dialect, table)).combinations)
        return RollUp(bottom, table, rows, words)

    def _keep(self, roll_up: RollUp) -> None:
        self.bench.backend.analyze(roll_up.table)
        self.known.append(roll_up)
        self.known.sort(key=lambda known: (known.rows, known.words is None))
