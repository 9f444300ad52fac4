"""height: the sum of levels (Samarati 2001).

Splits into a sum over attributes. Monotone, with suppression as well: it is blind to suppressed rows.
"""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.metrics.objective import SeparableObjective
from kanon_sql.model.attribute import Attribute


def height_objective(attributes: Sequence[Attribute], rows: int) -> SeparableObjective:
    parts = tuple(tuple(float(level) for level in range(len(attribute.levels))) for attribute in attributes)
    return SeparableObjective("height", parts, rows, exact_from_counts=True)
