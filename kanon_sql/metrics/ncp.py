"""ncp, the normalized certainty penalty (Xu et al. 2006, section 3.2; SpatialDistance, equations 2 and 3).

A numeric cell costs (hi - lo) / (max - min) of the values under its label. A categorical cell costs size(u) / |A|, where u is the
published label (with a hierarchy: the closest common ancestor; without: the set of values) and size(u) the number of values of A
under it; a label that covers one value costs 0: nothing is uncertain. The table's ncp is the mean over all cells, weighted by the
attributes' weights; a suppressed row costs 1 per cell.
Splits into a sum over attributes. Monotone while nothing is suppressed, not with suppression: a generalization may save rows.
"""

from __future__ import annotations

from kanon_sql.metrics.covered import Cover
from kanon_sql.metrics.glm import whole_domain
from kanon_sql.metrics.measure import CellMeasure


def covered(cover: Cover) -> str:
    if cover.attribute.numeric:
        return cover.span
    return f"case when {cover.values} = 1 then 0 else {cover.dialect.cast(cover.values, 'double')} / {cover.domain} end"


MEASURE = CellMeasure(covered, whole_domain, searched_together="weighted")
