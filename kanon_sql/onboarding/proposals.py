"""Proposing a hierarchy for a column: widths, quantiles, dates, prefixes, code systems, a taxonomy, a skeleton to fill in."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from kanon_sql.errors import JobError
from kanon_sql.frozen import dataclass
from kanon_sql.onboarding.code_systems import BY_NAME, CodeSystem, recognise
from kanon_sql.onboarding.levels import DATES, NUMERIC, is_code, propose_levels, propose_prefixes
from kanon_sql.onboarding.summary import ColumnSummary

KINDS = ("widths", "quantiles", "dates", "prefix", *BY_NAME, "taxonomy", "skeleton")
TO_FILL_IN = "?"
"""The label of a skeleton, for a person to replace."""
PARTS = 16
"""Quantiles: intervals of the finest level; each next level has half as many."""


@dataclass(frozen=True)
class Proposal:
    """A hierarchy for a column: `levels` as the job file writes them, or the `rows` of a hierarchy file."""

    kind: str
    why: str
    levels: tuple[object, ...] = ()
    header: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    entries: frozenset[str] = frozenset()
    """What the taxonomy knows."""

    @property
    def needs_file(self) -> bool:
        return bool(self.rows)

    def text(self) -> str:
        """The hierarchy file."""
        written = io.StringIO()
        writer = csv.writer(written, delimiter=";", lineterminator="\n")
        writer.writerow(("value", *self.header, "*"))
        writer.writerows((*row, "*") for row in self.rows)
        return written.getvalue()


def best_kind(column: ColumnSummary, values: Sequence[tuple[str, int]]) -> str:
    """The kind of hierarchy that suits a column by its type and its values."""
    if column.kind in DATES:
        return "dates"
    if column.kind in NUMERIC and column.distinct > 4:
        return "widths"
    if column.kind == "text":
        if (system := recognise(values)) is not None:
            return system.name
        if is_code(column):
            return "prefix"
    return "skeleton"


def propose(
    kind: str, column: ColumnSummary, values: Sequence[tuple[str, int]], quantiles: Sequence[float | int] = ()
) -> Proposal:
    """A proposal of one kind; `values` are (text, rows) of the column, `quantiles` the least values of equal parts of it."""
    if kind in BY_NAME:
        return _coded(BY_NAME[kind], values)
    if kind == "skeleton":
        rows = tuple((value, TO_FILL_IN) for value, _ in sorted(values))
        return Proposal(kind, "every value, with a group to fill in", header=("group",), rows=rows)
    if kind == "quantiles":
        _needs(column, NUMERIC, "quantiles", "a number")
        return _quantiles(quantiles)
    if kind == "widths":
        _needs(column, NUMERIC, "widths", "a number")
        return Proposal(kind, "round widths, each a multiple of the one before", tuple(propose_levels(column)))
    if kind == "dates":
        _needs(column, DATES, "dates", "a date or a timestamp")
        return Proposal(kind, "parts of the calendar", tuple(propose_levels(column)))
    if kind == "prefix":
        return Proposal(kind, "the first characters", (*propose_prefixes(column), "*"))
    raise JobError(f"there is no kind of hierarchy {kind}", f"kinds are {', '.join(KINDS)}")


def _needs(column: ColumnSummary, kinds: tuple[str, ...], what: str, needed: str) -> None:
    if column.kind not in kinds:
        raise JobError(
            f"columns.{column.name}: {what} need {needed}, but the table has {column.info.type_name}",
            f"other kinds are {', '.join(kind for kind in KINDS if kind != what)}",
        )


def _coded(system: CodeSystem, values: Sequence[tuple[str, int]]) -> Proposal:
    if system.prefixes and all(system.pattern.fullmatch(value) for value, _ in values):
        return Proposal(system.name, system.title, (*({"prefix": length} for length in system.prefixes), "*"))
    rows = []
    for value, _ in sorted(values):
        known = system.pattern.fullmatch(value) is not None
        rows.append((value, *(system.labels(value) if known else ("other",) * len(system.levels))))
    return Proposal(system.name, system.title, header=system.levels, rows=tuple(rows))


def _quantiles(cuts: Sequence[float | int]) -> Proposal:
    """Cuts at equal shares of the rows; every second cut makes the next level, so that levels nest."""
    levels: list[object] = []
    left = rounded(cuts)
    why = f"intervals of about equal numbers of rows, {len(left) + 1} of them, then half as many, at round numbers"
    while left:
        levels.append({"cuts": left})
        left = left[1::2]
    return Proposal("quantiles", why, (*levels, "*"))


def rounded(cuts: Sequence[float | int]) -> list[float | int]:
    """The cuts at the roundest numbers that keep them apart: a cut is never a value that somebody has to the last digit."""
    for digits in range(1, 16):
        round_cuts = [float(f"{cut:.{digits}g}") for cut in cuts]
        if len(set(round_cuts)) == len(cuts):
            return [int(cut) if cut == int(cut) else cut for cut in round_cuts]
    return list(cuts)
