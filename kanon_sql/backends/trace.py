"""Every statement that ran, with its time: for progress, --debug, --profile and the register."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from kanon_sql.sql.statement import Statement


@dataclass(frozen=True)
class TraceEntry:
    """One executed statement."""

    label: str
    sql: str
    seconds: float
    rows: int | None = None
    """Fetched, or written where the engine tells."""
    cpu: float = 0.0
    """CPU seconds of this process: all of the work where the engine is embedded, waiting for a server elsewhere."""


@dataclass
class Trace:
    """Every statement in the order it ran; `listener` hears each one (progress, --debug)."""

    entries: list[TraceEntry] = field(default_factory=list)
    listener: Callable[[TraceEntry], None] | None = None
    before: Callable[[Statement], None] | None = None

    def add(self, entry: TraceEntry) -> None:
        self.entries.append(entry)
        if self.listener is not None:
            self.listener(entry)

    @property
    def seconds(self) -> float:
        return sum(entry.seconds for entry in self.entries)
