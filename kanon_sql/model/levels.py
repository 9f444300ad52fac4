"""The levels of a quasi-identifier: how each generalizes a value. Level 0 is the value as stored, the last is `*`."""

from __future__ import annotations

from decimal import Decimal

from kanon_sql.frozen import dataclass


@dataclass(frozen=True)
class Raw:
    """Level 0: the value as stored."""


@dataclass(frozen=True)
class WidthLevel:
    """Intervals of equal width, aligned at 0."""

    width: Decimal


@dataclass(frozen=True)
class CutsLevel:
    """Intervals between cut points; the lowest and the highest are open."""

    cuts: tuple[Decimal, ...]


@dataclass(frozen=True)
class PrefixLevel:
    """The first characters; a `*` stands for those cut off."""

    length: int


@dataclass(frozen=True)
class DateLevel:
    """A part of the calendar: day, week (ISO), month, quarter, year or decade."""

    part: str


@dataclass(frozen=True)
class LookupLevel:
    """A label looked up by value: a column of a hierarchy file or of inline groups. `index` counts from 1."""

    index: int


@dataclass(frozen=True)
class Star:
    """The last level: one value, `*`, NULLs included."""


Level = Raw | WidthLevel | CutsLevel | PrefixLevel | DateLevel | LookupLevel | Star

STAR_LABEL = "*"


def meaning(level: Level) -> str:
    """A level in plain words, without any value of the table."""
    if isinstance(level, Raw):
        return "as stored"
    if isinstance(level, WidthLevel):
        return f"intervals of {float(level.width):g}"
    if isinstance(level, CutsLevel):
        return f"{len(level.cuts) + 1} intervals"
    if isinstance(level, PrefixLevel):
        return f"first {level.length} characters" if level.length > 1 else "first character"
    if isinstance(level, DateLevel):
        return f"the {level.part}"
    if isinstance(level, LookupLevel):
        return f"groups of level {level.index}"
    return "withheld (*)"
