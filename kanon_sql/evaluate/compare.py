"""Several algorithms and several k on one job: one row each, measured alike, and the winner of each measure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Any

from kanon_sql.frozen import dataclass
from kanon_sql.model.measures import MEASURES
from kanon_sql.results import PlanResult, Result

BESIDES = ("suppressed", "count_error", "sum_error", "checks", "statements", "seconds")
"""What rows are compared by beside the measures; less of each is better."""


@dataclass(frozen=True)
class ComparedRow:
    """An algorithm at a k: its plan and the measures of what it would release, or why there is nothing to release."""

    algorithm: str
    asked_k: int
    plan: PlanResult | None = None
    measures: dict[str, float] = field(default_factory=dict)
    class_sizes: dict[str, int] = field(default_factory=dict)
    failure: str = ""

    def value(self, measure: str) -> float | None:
        if self.plan is None:
            return None
        if measure in ("checks", "statements", "seconds", "suppressed"):
            return float(getattr(self.plan, measure))
        return self.measures.get(measure)

    def to_dict(self) -> dict[str, Any]:
        if self.plan is None:
            return {"algorithm": self.algorithm, "asked_k": self.asked_k, "k": None, "failure": self.failure}
        return self.plan.to_dict() | {
            "algorithm": self.algorithm,
            "asked_k": self.asked_k,
            "measures": self.measures,
            "class_sizes": self.class_sizes,
        }


@dataclass(frozen=True)
class Comparison(Result):
    """The rows in the order asked: by k, then by algorithm."""

    rows: tuple[ComparedRow, ...]

    @property
    def measures(self) -> list[str]:
        """What rows are compared by, in the order of the table; a measure that no row has is left out."""
        compared = (name for name, measure in MEASURES.items() if measure.compared)
        return [name for name in (*compared, *BESIDES) if any(row.value(name) is not None for row in self.rows)]

    @property
    def ks(self) -> list[int]:
        return sorted({row.asked_k for row in self.rows})

    def winners(self, k: int, measure: str) -> list[str]:
        """The algorithms that are best in a measure at a k; several where they tie."""
        values = {row.algorithm: row.value(measure) for row in self.rows if row.asked_k == k}
        known = {name: value for name, value in values.items() if value is not None}
        if not known:
            return []
        more_is_better = measure in MEASURES and MEASURES[measure].more_is_better
        best = max(known.values()) if more_is_better else min(known.values())
        return [name for name, value in known.items() if abs(value - best) <= 1e-9 * max(1.0, abs(best))]

    def records(self) -> list[dict[str, Any]]:
        """One row per algorithm and k."""
        return [
            {"k": row.asked_k, "algorithm": row.algorithm, "failure": row.failure}
            | {name: row.value(name) for name in self.measures}
            for row in self.rows
        ]

    def to_dict(self) -> dict[str, Any]:
        return {
            "rows": [row.to_dict() for row in self.rows],
            "winners": [
                {"k": k, "measure": measure, "algorithms": self.winners(k, measure)}
                for k in self.ks
                for measure in self.measures
            ],
        }


def algorithms_of(text: str, known: Sequence[str]) -> list[str]:
    """The algorithms a list with commas names, each once."""
    from kanon_sql.errors import JobError

    names = list(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    for name in names:
        if name not in known:
            raise JobError(f"--algorithms: there is no algorithm {name!r}", f"known are {', '.join(known)}")
    if not names:
        raise JobError("--algorithms names none", f"known are {', '.join(known)}")
    return names
