"""glm, the general loss metric (Iyengar 2002; POkA section 6): mean over all cells of the share of the domain a label covers.

A cell costs (values of A under its label - 1) / (|A| - 1), a numeric without a hierarchy (hi - lo) / (max - min); a suppressed row
costs 1 per cell. The domain A is the set of values that occur in the source, NULL being one of them.
Splits into a sum over attributes; monotone.
"""

from __future__ import annotations

from kanon_sql.model.attribute import Attribute
from kanon_sql.sql.dialect import Dialect


def cell_loss(dialect: Dialect, attribute: Attribute, index: int, level: int) -> str:
    """The loss of a dictionary row's value at a level."""
    if level == attribute.star:
        return "case when count(*) over () > 1 then 1 else 0 end"
    part = f"over (partition by q{index}_{level})"
    if attribute.numeric and not attribute.lookup:
        value = finite_value(dialect, attribute)
        covered = f"(max({value}) {part} - min({value}) {part})"
        whole = f"(max({value}) over () - min({value}) over ())"
        return f"coalesce({covered} / nullif({whole}, 0), 0)"
    double = dialect.types["double"]
    return f"coalesce(cast(count(*) {part} - 1 as {double}) / nullif(count(*) over () - 1, 0), 0)"


def finite_value(dialect: Dialect, attribute: Attribute) -> str:
    """The value as a double, NULL where it is NaN or infinite: those span nothing."""
    value = dialect.cast("value", "double")
    if attribute.kind != "double" and not (attribute.kind == "decimal" and dialect.decimal_nan):
        return value
    infinity = dialect.cast("'Infinity'", "double")
    return f"case when {dialect.is_nan(value)} or {value} in ({infinity}, -{infinity}) then null else {value} end"
