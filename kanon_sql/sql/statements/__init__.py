"""Every statement, one function each, in one module per family of templates: `statements.checks.frequency_sets(...)`.

The function, its template (`sql_templates/checks/frequency_sets.sql.j2`), its golden file and its label in a trace have one name.
A family is imported when it is first used: a command pays for no other.
"""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kanon_sql.sql.statements import (
        checks,
        cluster,
        doctor,
        embedded,
        emit,
        evaluate,
        kept,
        ledger,
        levels,
        metrics,
        nights,
        onboarding,
        register,
        release,
    )

__all__ = [
    "checks",
    "cluster",
    "doctor",
    "embedded",
    "emit",
    "evaluate",
    "kept",
    "ledger",
    "levels",
    "metrics",
    "nights",
    "onboarding",
    "register",
    "release",
]


def __getattr__(name: str) -> ModuleType:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return importlib.import_module(f"{__name__}.{name}")
