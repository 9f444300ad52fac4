"""height: the sum of levels (Samarati 2001).

Splits into a sum over attributes. Monotone, with suppression as well: it is blind to suppressed rows.
"""

from __future__ import annotations

from kanon_sql.metrics.measure import Levels, NodeMeasure
from kanon_sql.metrics.objective import SeparableObjective


def height_objective(levels: Levels) -> SeparableObjective:
    parts = tuple(tuple(float(level) for level in range(len(attribute.levels))) for attribute in levels.attributes)
    return SeparableObjective("height", parts, levels.rows, exact_from_counts=True)


MEASURE = NodeMeasure(height_objective)
