"""c_avg, the normalized average equivalence class size (LeFevre et al. 2006): (released rows / classes) / k. 1 is the best there is.

Does not split over attributes. Monotone while nothing is suppressed, not monotone with suppression; bound and figure are those of
average_class_size, divided by k.
"""

from __future__ import annotations

from kanon_sql.metrics.average_class_size import AverageClassSizeObjective, average_class_size
from kanon_sql.metrics.measure import ClassMeasure, ClassTotals


def c_avg(totals: ClassTotals) -> float:
    return average_class_size(totals.released, totals.classes) / totals.k


MEASURE = ClassMeasure(c_avg, lambda counts, k: AverageClassSizeObjective(counts, "c_avg", k))
