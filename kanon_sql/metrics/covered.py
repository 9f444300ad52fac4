"""What a label covers, as SQL: over the rows of a dictionary (one row per value that occurs, n rows each) or the labels of a release."""

from __future__ import annotations

from kanon_sql.frozen import dataclass
from kanon_sql.model.attribute import Attribute
from kanon_sql.sql.dialect import Dialect

FINEST_SHARE = 1e-9
"""A double's resolution is at least this share of its range: two values that differ by a rounding error are one."""


@dataclass(frozen=True)
class Cover:
    """What the label of a cell covers of its attribute A: expressions that a cell measure is made of.

    `values`: how many values of A lie under the label, `domain`: |A|, NULL being a value in both. `span`: for a numeric the share of
    A's range between the least and the largest value under it. `rows`: the source's rows under it.
    """

    dialect: Dialect
    attribute: Attribute
    values: str
    domain: str
    span: str
    rows: str


def dictionary_cover(dialect: Dialect, attribute: Attribute, index: int, level: int) -> Cover:
    """The cover of a dictionary row's label at a level, as window expressions."""
    group = group_of(index, level, level == attribute.star)
    return Cover(
        dialect,
        attribute,
        values=f"count(*) {group}",
        domain="count(*) over ()",
        span=_span(dialect, attribute, group) if attribute.numeric else "",
        rows=f"sum(n) {group}",
    )


LARGEST = "8e307"
"""What is larger is as good as infinite: the difference of two such numbers is beyond a double."""


def group_of(index: int, level: int, star: bool = False) -> str:
    """The window of a value's group at a level; at `*` all values are one group."""
    return "over ()" if star else f"over (partition by q{index}_{level})"


def _span(dialect: Dialect, attribute: Attribute, group: str) -> str:
    """(hi - lo) / (max - min) of the values under a label; what is neither NULL nor finite spans nothing."""
    value = finite_value(dialect, attribute)
    covered = f"(max({value}) {group} - min({value}) {group})"
    whole = f"(max({value}) over () - min({value}) over ())"
    return f"coalesce({covered} / nullif({whole}, 0), 0)"


def finite_value(dialect: Dialect, attribute: Attribute, expression: str = "value") -> str:
    """The value as a double, NULL where it is NaN or infinite."""
    value = dialect.cast(expression, "double")
    if attribute.kind != "double" and not (attribute.kind == "decimal" and dialect.decimal_nan):
        return value
    return f"case when {dialect.is_nan(value)} or abs({value}) > {LARGEST} then null else {value} end"


def type_resolution(attribute: Attribute) -> float | None:
    """The unit in which spans count values: 1 for integers, the last place of decimals; None where only the data tell."""
    if attribute.kind == "integer":
        return 1.0
    if attribute.kind == "decimal":
        return float(10.0**-attribute.scale)
    return None
