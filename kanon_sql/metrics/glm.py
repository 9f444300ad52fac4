"""glm, the general loss metric (Iyengar 2002; POkA section 6): mean over all cells of the share of the domain a label covers.

A cell costs (values of A under its label - 1) / (|A| - 1), a numeric without a hierarchy (hi - lo) / (max - min), where hi and lo are
values that occur; a suppressed row costs 1 per cell. The domain A is the set of values that occur in the source, NULL being one.
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
    if attribute.numeric and not attribute.lookup:
        return numeric_share(dialect, attribute, index, level)
    covered = dialect.cast(f"{covered_values(index, level)} - 1", "double")
    return f"coalesce({covered} / nullif({domain_size()} - 1, 0), 0)"
