"""rv_by_rows: the research value of every published cell, summed over attributes and averaged over the source's rows.

Where rv looks at whole levels (and so needs a node), this looks at each label for itself: a numeric cell has the granularity of its
own interval, a categorical one 1 / (values under its label). It compares local and global recodings. A suppressed row is worth
nothing. Not searched for.
"""

from __future__ import annotations

from kanon_sql.metrics.covered import Cover
from kanon_sql.metrics.measure import RowMeasure
from kanon_sql.metrics.research_value import RowValue


def value(cover: Cover, worth: RowValue) -> str:
    """What a cell is worth: columns level, low, high and broken_<rule> are those of a release's label."""
    dialect = cover.dialect
    literal = dialect.literal
    if cover.attribute.numeric:
        granularity = f"1 / (coalesce((high - low) / {literal(worth.resolution)}, 0) + 1)"
    else:
        granularity = f"{dialect.cast('1', 'double')} / {cover.values}"
    whole = worth.base + sum(worth.importances)
    kept = "".join(f" + {literal(i)} * (1 - broken_{place})" for place, i in enumerate(worth.importances))
    rules = f"({literal(worth.base)}{kept}) / {literal(whole)}" if whole > 0 else "1"
    product = (
        f"{literal(worth.weight)} * power({granularity}, {literal(worth.granularity_power)}) "
        f"* power({rules}, {literal(worth.rules_power)})"
    )
    if not worth.expert:
        return product
    given = " ".join(f"when level = {level} then {literal(value)}" for level, value in enumerate(worth.expert))
    return f"case {given} else {product} end"


def at_star(cover: Cover, worth: RowValue) -> str:
    """Nothing, unless an expert gave `*` a value."""
    return cover.dialect.literal(worth.expert[-1]) if worth.expert else "0"


MEASURE = RowMeasure(value, at_star)
