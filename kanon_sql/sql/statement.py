"""A labelled piece of SQL: what every engine executes and every trace shows."""

from __future__ import annotations

from kanon_sql.frozen import dataclass


@dataclass(frozen=True)
class Statement:
    """One statement and the name it goes by in traces, time-outs and golden files."""

    label: str
    sql: str
    shown: str | None = None
    """What traces show instead, where the statement holds a secret."""
