"""Data-constraint rules: what the data expert wants kept apart (thesis, "Utility Metric", tables 1 and 2)."""

from __future__ import annotations

from kanon_sql.frozen import dataclass


@dataclass(frozen=True)
class CutRule:
    """A numeric cut: values below `cut` and at or above it stay in different groups (64|65 is cut 65)."""

    cut: float
    importance: float

    def __str__(self) -> str:
        return f"cut at {self.cut:g}"


@dataclass(frozen=True)
class ApartRule:
    """Two sets of values that stay in different groups."""

    left: tuple[str, ...]
    right: tuple[str, ...]
    importance: float

    def __str__(self) -> str:
        return f"{', '.join(self.left)} apart from {', '.join(self.right)}"


Rule = CutRule | ApartRule
