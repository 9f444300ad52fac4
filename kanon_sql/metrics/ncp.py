"""ncp, the normalized certainty penalty (Xu et al. 2006, section 3.2; SpatialDistance, equations 2 and 3).

A numeric cell costs (hi - lo) / (max - min) of the values under its label. A categorical cell costs size(u) / |A|, where u is the
published label (with a hierarchy: the closest common ancestor; without: the set of values) and size(u) the number of values of A
under it; a label that covers one value costs 0: nothing is uncertain. The table's ncp is the mean over all cells, weighted by the
attributes' weights; a suppressed row costs 1 per cell.
Splits into a sum over attributes. Monotone while nothing is suppressed, not with suppression: a generalization may save rows.
"""

from __future__ import annotations

from kanon_sql.metrics.covered import covered_values, domain_size, numeric_share
from kanon_sql.model.attribute import Attribute
from kanon_sql.sql.dialect import Dialect


def cell_loss(dialect: Dialect, attribute: Attribute, index: int, level: int) -> str:
    """The loss of a dictionary row's value at a level."""
    if level == attribute.star:
        return f"case when {domain_size()} > 1 then 1 else 0 end"
    if attribute.numeric:
        return numeric_share(dialect, attribute, index, level)
    covered = covered_values(index, level)
    return f"case when {covered} = 1 then 0 else {dialect.cast(covered, 'double')} / {domain_size()} end"
