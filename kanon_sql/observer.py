"""What a caller may want to hear of a run: steps, checks made so far, and every statement."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from kanon_sql.backends.trace import Trace, TraceEntry
from kanon_sql.results import PlanResult
from kanon_sql.search.progress import SearchProgress


@dataclass
class Observer:
    """Callbacks that do nothing until set; `statements` collects what ran."""

    step: Callable[[str], None] = lambda step: None
    checks: Callable[[int], None] = lambda checks: None
    expect: Callable[[int], None] = lambda checks: None
    """The step that has begun makes at most so many checks."""
    search: Callable[[SearchProgress], None] = lambda progress: None
    """How a lattice search gets on: best loss, proven bound, checks, and how long it may still take."""
    rounds: Callable[[int, str], None] = lambda rounds, said: None
    """How a local recoding gets on: the rounds so far, and in words what came of the last."""
    note: Callable[[str], None] = lambda text: None
    """What an operator should read even when all goes well."""
    statement: Callable[[TraceEntry], None] | None = None
    statements: list[TraceEntry] = field(default_factory=list)
    run: str = ""
    anytime: bool = False
    """An interrupt ends a search with the best found so far. Never for what is published: there it ends the run."""
    started: float = field(default_factory=time.perf_counter)

    def watch(self, trace: Trace) -> None:
        """Collect the statements of an engine, and pass each one on."""
        trace.entries = self.statements
        trace.listener = self.statement

    def finished(self, plan: PlanResult) -> PlanResult:
        """A plan with what it took until now."""
        return dataclasses.replace(plan, statements=len(self.statements), seconds=time.perf_counter() - self.started)
