"""c_avg, the normalized average equivalence class size (LeFevre et al. 2006): (released rows / classes) / k. 1 is the best there is.

Does not split over attributes. Monotone while nothing is suppressed, not monotone with suppression; bound and figure are those of
average_class_size, divided by k.
"""

from __future__ import annotations

from kanon_sql.metrics.average_class_size import AverageClassSizeObjective, average_class_size
from kanon_sql.metrics.class_counts import ClassCounts


def c_avg_objective(counts: ClassCounts, k: int) -> AverageClassSizeObjective:
    return AverageClassSizeObjective(counts, "c_avg", k)


def c_avg(released: int, classes: int, k: int) -> float:
    return average_class_size(released, classes) / k
