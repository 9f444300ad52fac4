"""What a label covers, as window expressions over the rows of a dictionary (one row per value that occurs, n rows each)."""

from __future__ import annotations

from kanon_sql.model.attribute import Attribute
from kanon_sql.sql.dialect import Dialect

FINEST_SHARE = 1e-9
"""A double's resolution is at least this share of its range: two values that differ by a rounding error are one."""


def group_of(index: int, level: int, star: bool = False) -> str:
    """The window of a value's group at a level; at `*` all values are one group."""
    return "over ()" if star else f"over (partition by q{index}_{level})"


def domain_size() -> str:
    """|A|: the number of values that occur, NULL being one."""
    return "count(*) over ()"


def covered_values(index: int, level: int) -> str:
    """How many values of A share the row's label at a level."""
    return f"count(*) {group_of(index, level)}"


def numeric_share(dialect: Dialect, attribute: Attribute, index: int, level: int) -> str:
    """(hi - lo) / (max - min) of the values under a label; what is neither NULL nor finite spans nothing."""
    value, group = finite_value(dialect, attribute), group_of(index, level)
    covered = f"(max({value}) {group} - min({value}) {group})"
    whole = f"(max({value}) over () - min({value}) over ())"
    return f"coalesce({covered} / nullif({whole}, 0), 0)"


def finite_value(dialect: Dialect, attribute: Attribute, expression: str = "value") -> str:
    """The value as a double, NULL where it is NaN or infinite."""
    value = dialect.cast(expression, "double")
    if attribute.kind != "double" and not (attribute.kind == "decimal" and dialect.decimal_nan):
        return value
    infinity = dialect.cast("'Infinity'", "double")
    return f"case when {dialect.is_nan(value)} or {value} in ({infinity}, -{infinity}) then null else {value} end"


def type_resolution(attribute: Attribute) -> float | None:
    """The unit in which spans count values: 1 for integers, the last place of decimals; None where only the data tell."""
    if attribute.kind == "integer":
        return 1.0
    if attribute.kind == "decimal":
        return float(10.0**-attribute.scale)
    return None
