"""A quasi-identifier: its column, its levels, its weight and its rules."""

from __future__ import annotations

from dataclasses import field

from kanon_sql.frozen import dataclass
from kanon_sql.model.forms import Form
from kanon_sql.model.levels import Level
from kanon_sql.model.published_type import STORED, TEXT
from kanon_sql.model.rules import Rule


@dataclass(frozen=True)
class Attribute:
    """A quasi-identifier as a search sees it.

    `kind` is the column's (integer, decimal, double, text, boolean, date, timestamp, timestamptz, other); `numeric` says whether
    its spans are measured (else its distinct values are counted). `lookup` holds the rows of its hierarchy or groups.
    """

    name: str
    kind: str
    scale: int
    numeric: bool
    levels: tuple[Level, ...]
    min_level: int
    max_level: int
    weight: float = 1.0
    lookup: tuple[tuple[str, ...], ...] = ()
    rules: tuple[Rule, ...] = field(default=())
    expert_rv: tuple[float, ...] | None = None
    form: Form = Form.SAME
    wide: bool = False
    """An integer of 64 bits, or a decimal of more digits than are reckoned with: the end of an interval may be beyond them."""
    declared: str | None = field(default=None, repr=False)
    """The type that `publish.types` declares; it is no part of what a recoding is told by."""

    @property
    def published_as(self) -> str:
        """The type of the published column, whatever its level: text, stored, or what is declared (see model/published_type.py)."""
        return self.declared or (STORED if self.max_level == 0 else TEXT)

    @property
    def star(self) -> int:
        """The level `*`."""
        return len(self.levels) - 1
