"""The type a quasi-identifier is published with: the same at every level, so that a change of level never changes a column's type.

It is text, since intervals, prefixes and `*` are; what only ever stands at level 0 keeps its own type; `publish.types` may declare
another one, where every level gives such values.
"""

from __future__ import annotations

import datetime
from collections.abc import Sequence

from kanon_sql.model.levels import DateLevel, Level, LookupLevel, Raw

TEXT = "text"
STORED = "stored"
"""The source's own type at level 0, text above: as releases had it before types were stable."""
TYPED = ("integer", "double", "date")
"""What may be declared where every level gives it."""
STORED_AS = {"integer": ("integer",), "double": ("integer", "decimal", "double"), "date": ("date",)}
"""The kinds of columns whose own values are of a declared type."""


def is_typed(level: Level, declared: str, kind: str | None, lookup: Sequence[Sequence[str]]) -> bool:
    """Whether every label of a level is a value of a declared type, written in the one way the database writes it.

    `kind` is the column's, none where it is not known yet.
    """
    if isinstance(level, Raw):
        return kind is None or kind in STORED_AS[declared]
    if isinstance(level, LookupLevel):
        return all(_is_written_so(row[level.index], declared) for row in lookup)
    return isinstance(level, DateLevel) and (level.part, declared) in (("year", "integer"), ("day", "date"))


def _is_written_so(label: str, declared: str) -> bool:
    try:
        if declared == "integer":
            return str(int(label)) == label and abs(int(label)) < 2**63
        if declared == "date":
            return datetime.date.fromisoformat(label).isoformat() == label
        return repr(float(label)).removesuffix(".0") == label and label not in ("nan", "inf", "-inf")
    except ValueError:
        return False
