"""entropy, the non-uniform entropy (Gionis and Tassa 2009; de Waal and Willenborg 1999): the share of the information that is lost.

A cell with value v under label u loses -log2 P(v | u) = log2(rows of the source under u) - log2(rows with v) bits; a suppressed row
loses what it would at `*`. The table's loss is the sum over all cells, divided by what `*` everywhere loses: 0 is the table as stored,
1 is nothing left.
Splits into a sum over attributes. Monotone while nothing is suppressed, not with suppression: a generalization may save rows.
"""

from __future__ import annotations

from kanon_sql.metrics.covered import Cover
from kanon_sql.metrics.measure import CellMeasure
from kanon_sql.sql.dialect import Dialect


def covered(cover: Cover) -> str:
    return bits(cover.dialect, cover.rows)


def own(dialect: Dialect) -> str:
    return bits(dialect, "n")


def bits(dialect: Dialect, count: str) -> str:
    """log2 of a count. Written with ln, which every engine has for doubles."""
    return f"ln({dialect.cast(count, 'double')}) / ln({dialect.literal(2.0)})"


MEASURE = CellMeasure(covered, own=own, suppressed=None, together="share")
