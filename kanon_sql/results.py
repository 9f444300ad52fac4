"""What the public functions return, and the stable JSON shape of each (keys may be added, not renamed)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class PlanResult:
    """The chosen recoding and its figures; nothing was published."""

    algorithm: str
    exact: bool
    gap: float | None
    k: int
    rows: int
    suppressed: int
    classes: int
    utility: dict[str, float]
    node: dict[str, int] | None = None
    groups: int | None = None
    rules: list[dict[str, Any]] = field(default_factory=list)
    checks: int = 0
    nodes: int = 0
    statements: int = 0
    seconds: float = 0.0
    runners_up: list[dict[str, Any]] = field(default_factory=list)
    risk: dict[str, Any] = field(default_factory=dict)
    guarantees: list[dict[str, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    figures: dict[str, Any] = field(default_factory=dict)
    tried: list[dict[str, Any]] = field(default_factory=list)
    """The nodes a lattice search checked, in order: kept in the register for the report, not printed."""

    def to_dict(self) -> dict[str, Any]:
        """The documented shape of `--json`."""
        document: dict[str, Any] = {
            "algorithm": self.algorithm,
            "exact": self.exact,
            "gap": self.gap,
            "k": self.k,
            "rows": self.rows,
            "suppressed": self.suppressed,
            "classes": self.classes,
        }
        if self.node is not None:
            document["node"] = self.node
        if self.groups is not None:
            document["groups"] = self.groups
        return document | {
            "utility": self.utility,
            "rules": self.rules,
            "checks": self.checks,
            "nodes": self.nodes,
            "statements": self.statements,
            "seconds": round(self.seconds, 3),
            "runners_up": self.runners_up,
            "risk": self.risk,
            "guarantees": self.guarantees,
            "notes": self.notes,
            "figures": self.figures,
        }


@dataclass(frozen=True)
class RunResult:
    """A published, verified release and the plan it came from."""

    plan: PlanResult
    run: str
    release: str
    version: int
    verified: dict[str, Any]
    guards: list[dict[str, Any]] = field(default_factory=list)
    composition: dict[str, Any] = field(default_factory=dict)
    recipe: str = ""
    fingerprint: str | None = None
    unchanged: bool = False

    def to_dict(self) -> dict[str, Any]:
        return self.plan.to_dict() | {
            "run": self.run,
            "release": self.release,
            "version": self.version,
            "verified": self.verified,
            "guards": self.guards,
            "composition": self.composition,
            "recipe": self.recipe,
            "fingerprint": self.fingerprint,
            "unchanged": self.unchanged,
        }


@dataclass(frozen=True)
class CheckResult:
    """A table as it stands, measured against the job's thresholds."""

    k: int
    rows: int
    classes: int
    unique_rows: int
    rows_below_k: int
    passes: bool
    threshold: int
    l: dict[str, float] = field(default_factory=dict)  # noqa: E741
    t: dict[str, float] = field(default_factory=dict)
    risk: dict[str, float | None] = field(default_factory=dict)
    models: list[dict[str, Any]] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        return {
            "k": self.k,
            "rows": self.rows,
            "classes": self.classes,
            "unique_rows": self.unique_rows,
            "rows_below_k": self.rows_below_k,
            "l": self.l,
            "t": self.t,
            "risk": self.risk,
            "models": self.models,
            "passes": self.passes,
        }
