"""What a caller may want to hear of a run: steps, checks made so far, and every statement."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from kanon_sql.backends.base import TraceEntry


@dataclass
class Observer:
    """Callbacks that do nothing until set; `statements` collects what ran."""

    step: Callable[[str], None] = lambda step: None
    checks: Callable[[int], None] = lambda checks: None
    note: Callable[[str], None] = lambda text: None
    """What an operator should read even when all goes well."""
    statement: Callable[[TraceEntry], None] | None = None
    statements: list[TraceEntry] = field(default_factory=list)
    run: str = ""
