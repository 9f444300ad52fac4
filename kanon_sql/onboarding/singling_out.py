"""Which columns single people out: alone, and the few that do so together."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.backends.base import Backend
from kanon_sql.frozen import dataclass
from kanon_sql.onboarding.summary import ROWS_READ
from kanon_sql.sql import statements
from kanon_sql.sql.dialect import Relation

TOGETHER = 4
"""No more columns are put together: few people know more of somebody."""
ENOUGH = 0.9
"""Columns that make this share of the rows unique need no further one."""


@dataclass(frozen=True)
class SinglingOut:
    """`alone`: the share of rows each column makes unique, the largest first; `together`: columns added one by one, with the share
    that they make unique so far."""

    rows: int
    alone: tuple[tuple[str, float], ...]
    together: tuple[tuple[str, float], ...]

    def to_dict(self) -> dict[str, object]:
        return {
            "rows": self.rows,
            "alone": dict(self.alone),
            "together": [{"column": name, "unique_rows": share} for name, share in self.together],
        }

    def sentence(self) -> str:
        """What a data owner should know, in words."""
        if not self.together or self.together[-1][1] == 0:
            return "no few of these columns make a row unique"
        names = [name for name, _ in self.together]
        listed = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
        together = " together make" if len(names) > 1 else " alone makes"
        return f"{listed}{together} {self.together[-1][1]:.0%} of the rows unique"


def single_out(backend: Backend, source: Relation, columns: Sequence[str], rows: int) -> SinglingOut:
    """Count unique rows of every column, then add the column that makes most rows unique, one statement each time."""
    if not columns or not rows:
        return SinglingOut(rows, (), ())
    first = _counted(backend, source, [[name] for name in columns])
    order = sorted(range(len(columns)), key=lambda place: (-first[place][1], -first[place][0], place))
    alone = tuple((columns[place], first[place][1] / rows) for place in order)
    chosen = [columns[order[0]]]
    together = [(chosen[0], alone[0][1])]
    while len(chosen) < min(TOGETHER, len(columns)) and together[-1][1] < ENOUGH:
        rest = [name for name in columns if name not in chosen]
        counted = _counted(backend, source, [[*chosen, name] for name in rest])
        best = max(range(len(rest)), key=lambda place: (counted[place][1], counted[place][0], -place))
        if counted[best][1] / rows <= together[-1][1]:
            break
        chosen.append(rest[best])
        together.append((rest[best], counted[best][1] / rows))
    return SinglingOut(rows, alone, tuple(together))


def _counted(backend: Backend, source: Relation, sets: Sequence[Sequence[str]]) -> list[tuple[int, int]]:
    """(classes, unique rows) of each set of columns."""
    statement = statements.onboarding.singled_out(backend.dialect, source, ROWS_READ, list(enumerate(sets)))
    return [(int(classes), int(unique or 0)) for _, classes, unique in backend.fetch(statement)]
