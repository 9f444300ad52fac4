"""What a table holds, in figures: one statement per hundred columns, and one for the values many rows share."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Any

from kanon_sql.backends.base import Backend
from kanon_sql.backends.columns import ColumnInfo
from kanon_sql.errors import HierarchyError, JobError
from kanon_sql.frozen import dataclass
from kanon_sql.sql import statements
from kanon_sql.sql.dialect import Relation

ROWS_READ = 500_000
"""Guesses need no more rows than these; a bigger table is read to here."""
COLUMNS_PER_STATEMENT = 100
COMMON_VALUES = 12
"""A column with more distinct values gets no list of them."""


@dataclass(frozen=True)
class ColumnSummary:
    """One column in figures. `low` and `high` are the extent of numbers, or of dates in days; they are never written down."""

    info: ColumnInfo
    rows: int
    values: int
    distinct: int
    low: float | None = None
    high: float | None = None
    shortest: int | None = None
    longest: int | None = None
    digits: int = 0

    @property
    def name(self) -> str:
        return self.info.name

    @property
    def kind(self) -> str:
        return self.info.kind

    @property
    def extent(self) -> float:
        return 0.0 if self.low is None or self.high is None else self.high - self.low

    @property
    def unique(self) -> bool:
        """Every row has its own value."""
        return self.values == self.rows and self.distinct == self.rows and self.rows > 1

    @property
    def nearly_unique(self) -> bool:
        return self.values > 0 and self.distinct > 0.8 * self.values


@dataclass(frozen=True)
class TableSummary:
    """A table in figures; `whole` says that every row was read."""

    rows: int
    whole: bool
    columns: list[ColumnSummary]


def summarize(backend: Backend, source: Relation, columns: Sequence[ColumnInfo]) -> TableSummary:
    """Read a table's figures."""
    summaries: list[ColumnSummary] = []
    rows = 0
    for start in range(0, len(columns), COLUMNS_PER_STATEMENT):
        chunk = columns[start : start + COLUMNS_PER_STATEMENT]
        described = [
            (index, column.name, column.kind, _published(backend, column)) for index, column in enumerate(chunk)
        ]
        statement = statements.onboarding.summary(backend.dialect, source, ROWS_READ, described)
        figures: list[Any] = list(backend.fetch_one(statement))
        rows = int(figures[0])
        for index, info in enumerate(chunk):
            values, distinct, least, greatest, shortest, longest, digits = figures[1 + 7 * index : 8 + 7 * index]
            summaries.append(
                ColumnSummary(
                    info,
                    rows,
                    int(values),
                    int(distinct),
                    _number(info.kind, least),
                    _number(info.kind, greatest),
                    None if shortest is None else int(shortest),
                    None if longest is None else int(longest),
                    int(digits or 0),
                )
            )
    return TableSummary(rows, rows < ROWS_READ, summaries)


def common_values(
    backend: Backend, source: Relation, columns: Sequence[ColumnSummary], k: int, person: str | None
) -> dict[str, list[str]]:
    """The values of categorical columns that at least k rows (or k persons) share, common ones first."""
    listed = [
        (index, column.name, _published(backend, column.info))
        for index, column in enumerate(columns)
        if column.kind in ("text", "other") and 1 < column.distinct <= COMMON_VALUES
    ]
    if not listed:
        return {}
    statement = statements.onboarding.common_values(backend.dialect, source, ROWS_READ, k, listed, person)
    values: dict[str, list[str]] = {}
    for index, value in backend.fetch(statement):
        values.setdefault(columns[int(index)].name, []).append(str(value))
    return values


def _published(backend: Backend, column: ColumnInfo) -> str:
    """The column's values as they would be published: what cannot be compared is compared by its text."""
    return backend.dialect.published(backend.dialect.identifier(column.name), column.form, column.base)


def values_of(backend: Backend, source: Relation, column: str, limit: int) -> list[tuple[str, int]]:
    """The commonest values of a column as texts, with their rows."""
    statement = statements.onboarding.column_values(backend.dialect, source, column, limit)
    return [(str(value), int(rows)) for value, rows in backend.fetch(statement)]


def cuts_of(backend: Backend, source: Relation, column: str, parts: int) -> list[float | int]:
    """Where a column of numbers is cut into parts of about equal numbers of rows."""
    found = [
        float(cut) for (cut,) in backend.fetch(statements.onboarding.quantiles(backend.dialect, source, column, parts))
    ]
    return [int(cut) if cut == int(cut) else cut for cut in found if abs(cut) < 1e300]


def taxonomy_of(
    backend: Backend, table: Relation, value: str, parent: str, label: str | None
) -> tuple[dict[str, str | None], dict[str, str]]:
    """The parent of every entry of a taxonomy (none for a root), and the labels of those that have one."""
    have = {column.name for column in backend.describe(table)}
    if not have:
        raise JobError(f"there is no table or view {table}", "write schema.table, as the database spells it")
    if missing := [name for name in (value, parent, label) if name is not None and name not in have]:
        raise JobError(f"{table} has no column {missing[0]}", f"it has {', '.join(sorted(have))}")
    parents: dict[str, str | None] = {}
    labels: dict[str, str] = {}
    for entry, above, shown in backend.fetch(
        statements.onboarding.taxonomy(backend.dialect, table, value, parent, label)
    ):
        if entry in parents and parents[entry] != above:
            raise HierarchyError(f"{table}: an entry has two parents, so it is no tree", "keep one parent per entry")
        parents[entry] = None if above in (None, entry) else above
        if shown is not None:
            labels[entry] = shown
    return parents, labels


def _number(kind: str, text: object) -> float | None:
    """The engine's text of a number, or of a date in days; None where it is not finite."""
    if text is None:
        return None
    try:
        if kind in ("date", "timestamp", "timestamptz"):
            return float(datetime.date.fromisoformat(str(text)[:10]).toordinal())
        number = float(str(text))
    except ValueError:
        return None  # infinity, a date before Christ
    return number if abs(number) < 1e300 else None
