"""What is known of every node's classes before any check: the ground of the bounds of the measures that count classes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field

from kanon_sql.frozen import dataclass
from kanon_sql.model.lattice import Node


@dataclass(frozen=True)
class ClassCounts:
    """`sizes[attribute][level]`: groups of the attribute alone; `squares[attribute][level]`: the sum of their squared rows.

    `rows` is N, `budget` the rows that may be suppressed. `bottom_classes` and `bottom`, the measure's own sums, speak of
    the lattice's bottom with nothing suppressed: every node is a generalization of it.
    """

    rows: int
    budget: int
    sizes: tuple[tuple[int, ...], ...]
    squares: tuple[tuple[float, ...], ...] = ()
    bottom_classes: int = 1
    bottom: Mapping[str, float] = field(default_factory=dict)

    def most_classes(self, node: Node) -> int:
        """No more classes than combinations of groups, and none that the bottom does not have."""
        return min(self.bottom_classes, math.prod(size[level] for size, level in zip(self.sizes, node, strict=True)))

    def least_squares(self, node: Node) -> float:
        """The least sum of squared class sizes. Within a group g of one attribute lie at most as many classes as the others have
        combinations, and g rows in m classes have squares of g²/m at least (Cauchy and Schwarz)."""
        combinations = math.prod(size[level] for size, level in zip(self.sizes, node, strict=True))
        spread = max(
            squares[level] * size[level] / combinations
            for squares, size, level in zip(self.squares, self.sizes, node, strict=True)
        )
        return max(self.bottom["squares"], spread)
