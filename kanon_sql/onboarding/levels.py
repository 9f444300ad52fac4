"""Proposing levels by type and extent: widths that nest, prefixes, parts of the calendar; `*` last, so that a solution exists."""

from __future__ import annotations

import math

from kanon_sql.onboarding.roles import words_of
from kanon_sql.onboarding.summary import ColumnSummary

NUMERIC = ("integer", "decimal", "double")
DATES = ("date", "timestamp", "timestamptz")
POSTAL = {"zip", "zipcode", "postcode", "postal", "plz"}
GROUPS = 25
"""The first width cuts the extent into about this many intervals."""


def propose_levels(column: ColumnSummary) -> list[object]:
    """The levels above the value itself, as a job file writes them."""
    if column.kind in DATES:
        return [*_date_parts(column), "*"]
    if column.kind in NUMERIC and column.distinct > 4:
        return [*_widths(column), "*"]
    if column.kind == "text" and is_code(column):
        return [*propose_prefixes(column), "*"]
    return ["*"]


def propose_prefixes(column: ColumnSummary) -> list[object]:
    """Ever fewer first characters."""
    return [{"prefix": length} for length in _prefixes(column.longest or 0)]


def is_code(column: ColumnSummary) -> bool:
    """A code whose first characters say the coarse part: a postal code, or digits of one length."""
    postal = bool(set(words_of(column.name)) & POSTAL)
    longest, shortest = column.longest or 0, column.shortest or 0
    if postal:
        return 2 <= longest <= 12
    return column.distinct > 20 and column.digits == column.values and 3 <= shortest == longest <= 12


def _prefixes(longest: int) -> list[int]:
    """Two characters fewer at a time: 5 gives 3 and 1, 8 gives 6, 4 and 2."""
    return list(range(longest - 2, 0, -2))[:3] or [1]


def _date_parts(column: ColumnSummary) -> list[str]:
    parts = ["day"] if column.kind != "date" else []
    days = column.extent
    if days <= 31:
        return parts
    if days <= 2 * 366:
        return [*parts, "month", "quarter"]
    return [*parts, "month", "year", "decade"] if days > 20 * 366 else [*parts, "month", "year"]


def _widths(column: ColumnSummary) -> list[float]:
    """Up to three widths, each twice the one before: 5, 10, 20. Each nests in the next because all are aligned at 0."""
    extent = column.extent
    if not extent > 0 or not math.isfinite(extent):
        return []
    if set(words_of(column.name)) & POSTAL and column.kind == "integer":
        return [width for width in (100, 1000, 10000) if width < extent]
    first = _nice(extent / GROUPS)
    if column.kind == "integer":
        first = max(first, 2)
    widths = [first * factor for factor in (1, 2, 4)]
    return [_plain(width) for width in widths if width < extent]


def _nice(width: float) -> float:
    """The least of 1, 2, 5 times a power of ten that is not below the width."""
    power = math.floor(math.log10(width))
    for digit in (1, 2, 5, 10):
        if digit * 10.0**power >= width * (1 - 1e-9):
            break
    return float(f"{digit}e{power}")


def _plain(width: float) -> float:
    return int(width) if width == int(width) else float(f"{width:.6g}")
