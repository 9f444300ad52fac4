"""The statements of local recoding, one module per kind of step, as the folders of `sql_templates/cluster/`."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kanon_sql.sql.statements.cluster import (
        absorbing,
        blanking,
        bounding,
        coding,
        cutting,
        growing,
        halving,
        limits,
        mending,
        merging,
        moving,
        publishing,
        seed_classes,
        spatial,
    )

__all__ = [
    "absorbing",
    "blanking",
    "bounding",
    "coding",
    "cutting",
    "growing",
    "halving",
    "limits",
    "mending",
    "merging",
    "moving",
    "publishing",
    "seed_classes",
    "spatial",
]


def __getattr__(name: str) -> ModuleType:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return importlib.import_module(f"{__name__}.{name}")
