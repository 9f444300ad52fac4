"""glm, the general loss metric (Iyengar 2002; POkA section 6): mean over all cells of the share of the domain a label covers.

A cell costs (values of A under its label - 1) / (|A| - 1), a numeric without a hierarchy (hi - lo) / (max - min), where hi and lo are
values that occur; a suppressed row costs 1 per cell. The domain A is the set of values that occur in the source, NULL being one.
Splits into a sum over attributes. Monotone while nothing is suppressed, not with suppression: a generalization may save rows.
"""

from __future__ import annotations

from kanon_sql.metrics.covered import Cover
from kanon_sql.metrics.measure import CellMeasure


def covered(cover: Cover) -> str:
    if cover.attribute.numeric and not cover.attribute.lookup:
        return cover.span
    more = cover.dialect.cast(f"{cover.values} - 1", "double")
    return f"coalesce({more} / nullif({cover.domain} - 1, 0), 0)"


def whole_domain(cover: Cover) -> str:
    """At `*` all is lost, where there is anything to lose."""
    return f"case when {cover.domain} > 1 then 1 else 0 end"


MEASURE = CellMeasure(covered, whole_domain)
