"""entropy, the non-uniform entropy (Gionis and Tassa 2009; de Waal and Willenborg 1999): the share of the information that is lost.

A cell with value v under label u loses -log2 P(v | u) = log2(rows of the source under u) - log2(rows with v) bits; a suppressed row
loses what it would at `*`. The table's loss is the sum over all cells, divided by what `*` everywhere loses: 0 is the table as stored,
1 is nothing left.
Splits into a sum over attributes. Monotone while nothing is suppressed, not with suppression: a generalization may save rows.
"""

from __future__ import annotations

from kanon_sql.metrics.covered import group_of
from kanon_sql.model.attribute import Attribute
from kanon_sql.sql.dialect import Dialect


def cell_loss(dialect: Dialect, attribute: Attribute, index: int, level: int) -> str:
    """The bits a dictionary row's value loses at a level."""
    return bits(dialect, f"sum(n) {group_of(index, level, level == attribute.star)}") + " - " + bits(dialect, "n")


def suppressed_loss(dialect: Dialect, attribute: Attribute, index: int) -> str:
    """The bits it loses when its row is suppressed."""
    return cell_loss(dialect, attribute, index, attribute.star)


def bits(dialect: Dialect, count: str) -> str:
    """log2 of a count. Written with ln, which every engine has for doubles."""
    return f"ln({dialect.cast(count, 'double')}) / ln({dialect.literal(2.0)})"
