"""Where the time of a run went: its statements by step and kind, as JSON that a person can read too."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kanon_sql.backends.trace import TraceEntry
from kanon_sql.observer import Observer
from kanon_sql.pages.written_file import write_file


@dataclass
class Spent:
    """What the statements of one kind took within one step."""

    count: int = 0
    seconds: float = 0.0
    cpu: float = 0.0
    rows: int = 0

    def add(self, entry: TraceEntry) -> None:
        self.count += 1
        self.seconds += entry.seconds
        self.cpu += entry.cpu
        self.rows += entry.rows or 0


@dataclass
class Profile:
    """Listens to a run beside whoever listens to it already."""

    started: float = field(default_factory=time.perf_counter)
    cpu: float = field(default_factory=time.process_time)
    steps: list[tuple[str, float, float]] = field(default_factory=list)
    """(step, seconds and CPU seconds until it began), the time before the first step among them."""
    spent: dict[tuple[int, str], Spent] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.steps.append(("starting", self.started, self.cpu))

    def listen(self, observer: Observer) -> None:
        step, statement = observer.step, observer.statement

        def heard_step(name: str) -> None:
            self.steps.append((name, time.perf_counter(), time.process_time()))
            step(name)

        def heard_statement(entry: TraceEntry) -> None:
            self.spent.setdefault((len(self.steps) - 1, entry.label), Spent()).add(entry)
            if statement is not None:
                statement(entry)

        observer.step, observer.statement = heard_step, heard_statement

    def to_dict(self) -> dict[str, Any]:
        now, cpu = time.perf_counter(), time.process_time()
        ends = [*((began, used) for _, began, used in self.steps[1:]), (now, cpu)]
        return {
            "seconds": round(now - self.started, 6),
            "cpu_seconds": round(cpu - self.cpu, 6),
            "statements": sum(spent.count for spent in self.spent.values()),
            "steps": [
                {
                    "step": name,
                    "seconds": round(ended - began, 6),
                    "cpu_seconds": round(used - before, 6),
                    "statements": self._statements(place),
                }
                for place, ((name, began, before), (ended, used)) in enumerate(zip(self.steps, ends, strict=True))
            ],
        }

    def _statements(self, step: int) -> list[dict[str, Any]]:
        """The kinds of statements of a step, those that took longest first."""
        spent = [(label, spent) for (place, label), spent in self.spent.items() if place == step]
        return [
            {
                "statement": label,
                "count": one.count,
                "seconds": round(one.seconds, 6),
                "cpu_seconds": round(one.cpu, 6),
                "rows": one.rows,
            }
            for label, one in sorted(spent, key=lambda pair: (-pair[1].seconds, pair[0]))
        ]

    def write(self, path: Path) -> None:
        write_file(path, json.dumps(self.to_dict(), indent=2) + "\n")
