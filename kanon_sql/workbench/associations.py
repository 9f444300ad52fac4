"""How the quasi-identifiers go together, and the weights that follow (thesis, "Utility Metric": the correlation matrix).

Pearson's correlation for two numerics, the correlation ratio for a numeric and a categorical, Cramér's V for two categoricals: all
between 0 and 1, all from the base frequency set. NULL is a category of its own and no number. An attribute that goes with no other is
independent and weighs more: weight proportional to 1 - mean association with the others.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from kanon_sql.frozen import dataclass
from kanon_sql.metrics.covered import finite_value
from kanon_sql.sql import statements
from kanon_sql.sql.dialect import Relation
from kanon_sql.workbench.workbench import Workbench

HIGH = 0.8
"""Two attributes that go together this much say nearly the same."""
PAIRS_PER_STATEMENT = 12


@dataclass(frozen=True)
class Associations:
    """`matrix[i][j]` between attributes i and j, 1 on the diagonal; `kinds[i][j]` how it was measured."""

    names: tuple[str, ...]
    matrix: tuple[tuple[float, ...], ...]
    kinds: tuple[tuple[str, ...], ...]

    def mean(self, attribute: int) -> float:
        """The mean association with the others."""
        others = [value for other, value in enumerate(self.matrix[attribute]) if other != attribute]
        return sum(others) / len(others) if others else 0.0

    @property
    def weights(self) -> tuple[float, ...]:
        """They sum to 1; equal where everything goes with everything."""
        free = [max(0.0, 1.0 - self.mean(attribute)) for attribute in range(len(self.names))]
        whole = sum(free)
        return tuple(value / whole if whole > 0 else 1 / len(free) for value in free)

    @property
    def to_drop(self) -> list[dict[str, object]]:
        """Pairs that go together highly, strongest first; of each the one more associated with the rest is the candidate to drop."""
        found: list[tuple[float, int, int]] = []
        for i in range(len(self.names)):
            for j in range(i + 1, len(self.names)):
                if self.matrix[i][j] >= HIGH:
                    keep, drop = (i, j) if self.mean(j) >= self.mean(i) else (j, i)
                    found.append((-self.matrix[i][j], drop, keep))
        return [
            {"drop": self.names[drop], "keep": self.names[keep], "association": -value}
            for value, drop, keep in sorted(found)
        ]

    def to_dict(self) -> dict[str, object]:
        return {
            "columns": list(self.names),
            "matrix": [list(row) for row in self.matrix],
            "weights": dict(zip(self.names, self.weights, strict=True)),
            "candidates_to_drop": self.to_drop,
        }


def associations(bench: Workbench) -> Associations:
    """The matrix, by at most one pass over the base for each pair."""
    width = len(bench.attributes)
    matrix = [[1.0 if i == j else 0.0 for j in range(width)] for i in range(width)]
    kinds = [[""] * width for _ in range(width)]
    pairs = [_pair(bench, i, j) for i in range(width) for j in range(i + 1, width)]
    for start in range(0, len(pairs), PAIRS_PER_STATEMENT):
        batch = pairs[start : start + PAIRS_PER_STATEMENT]
        for row in bench.backend.fetch(statements.metrics.associations(bench.dialect, bench.names.base, batch)):
            i, j = int(row[0]), int(row[1])
            kind = next(pair[2] for pair in batch if pair[:2] == (i, j))
            matrix[i][j] = matrix[j][i] = association(kind, [float(figure) for figure in row[2:]])
            kinds[i][j] = kinds[j][i] = kind
    names = tuple(attribute.name for attribute in bench.attributes)
    return Associations(names, tuple(map(tuple, matrix)), tuple(map(tuple, kinds)))


def association(kind: str, figures: Sequence[float]) -> float:
    """The last step of each coefficient, from its sums; 0 where an attribute does not vary."""
    if kind == "pearson":
        rows, x, y, xx, yy, xy = figures
        if rows == 0:
            return 0.0
        spread = max(0.0, xx - x * x / rows) * max(0.0, yy - y * y / rows)
        value = abs(xy - x * y / rows) / math.sqrt(spread) if spread > 0 else 0.0
    elif kind == "ratio":
        rows, x, xx, between = figures[:4]
        whole = xx - x * x / rows if rows else 0.0
        value = math.sqrt(max(0.0, between - x * x / rows) / whole) if whole > 0 else 0.0
    else:
        rows, ratio, first, second = figures[:4]
        smaller = min(first, second) - 1
        value = math.sqrt(max(0.0, ratio - 1) / smaller) if smaller > 0 else 0.0
    return min(1.0, value)


def _pair(bench: Workbench, i: int, j: int) -> tuple[int, int, str, Relation, Relation, str, str]:
    """The pair as the statement wants it: a numeric before a categorical."""
    one, other = bench.attributes[i], bench.attributes[j]
    if not one.numeric and other.numeric:
        return _pair_of(bench, j, i, "ratio")
    return _pair_of(bench, i, j, "pearson" if other.numeric else "ratio" if one.numeric else "cramer")


def _pair_of(bench: Workbench, i: int, j: int, kind: str) -> tuple[int, int, str, Relation, Relation, str, str]:
    values = [finite_value(bench.dialect, a) if a.numeric else "" for a in (bench.attributes[i], bench.attributes[j])]
    return (i, j, kind, bench.names.dictionary(i), bench.names.dictionary(j), values[0], values[1])
