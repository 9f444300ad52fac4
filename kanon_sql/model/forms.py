"""How the values of a column read: whether two that the engine takes for equal also print the same.

A class is what a reader can tell apart. 1.0 and 1.00, 0 and -0, 1 day and 24 hours, Smith and SMITH are equal to some type of some
engine, and print differently. Every column has a form, found from its type alone (`backends`); a dialect says for each form which one value
is published for all that are equal (`Dialect.published`), and what tells two values apart as a reader does (`Dialect.read`).
"""

from __future__ import annotations

from enum import Enum


class Form(Enum):
    """How equality and print go together."""

    SAME = "same"
    """Equal values print the same: integers, dates, plain text, decimals of a declared scale, uuid, ..."""
    FLOAT = "float"
    """0 and -0 are equal, and so are NaN of either sign."""
    REAL = "real"
    """As FLOAT, of single precision: published as the double that prints the same."""
    SCALED = "scaled"
    """Decimals without a declared scale: 1.0 and 1.00 are equal."""
    COLLATED = "collated"
    """Text under a collation that takes different texts for equal."""
    TEXT = "text"
    """Anything else, and what cannot be compared at all: published as the text it is printed as."""
