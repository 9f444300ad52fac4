"""Hierarchy files: value;level1;level2;...;*, with ; or , and with or without a header."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from kanon_sql.errors import HierarchyError
from kanon_sql.model.counted import counted

Rows = tuple[tuple[str, ...], ...]


def read_hierarchy(path: Path, column: str) -> Rows:
    """The rows of a hierarchy file: first the value, then its label at each level, without the last level `*`.

    Ragged rows, a value that is written twice with different labels and an empty file are errors that name column and count.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise HierarchyError(
            f"columns.{column}.hierarchy: there is no file {path}", "the path is relative to the job file"
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise HierarchyError(f"columns.{column}.hierarchy: cannot read {path}: {type(error).__name__}") from error
    first_line = text.split("\n", 1)[0]
    delimiter = ";" if ";" in first_line else ","
    rows = [
        tuple(cell.strip() for cell in row) for row in csv.reader(io.StringIO(text), delimiter=delimiter) if any(row)
    ]
    if rows and rows[0][0].lower() in (column.lower(), "value", "level0", "level_0", "level 0"):
        rows = rows[1:]
    return checked_rows(rows, column)


def checked_rows(rows: list[tuple[str, ...]], column: str) -> Rows:
    """Rows of equal length, one per value, without the `*` column at the end."""
    if not rows:
        raise HierarchyError(
            f"columns.{column}.hierarchy: the file is empty", "write one line per value: value;level1;...;*"
        )
    lengths = {len(row) for row in rows}
    if len(lengths) > 1:
        longest = max(lengths)
        ragged = sum(len(row) != longest for row in rows)
        raise HierarchyError(
            f"columns.{column}.hierarchy: rows are ragged, {ragged:,} of {len(rows):,} (levels differ in number; the longest row has {longest - 1})",
            "give every value a label at every level",
        )
    by_value: dict[str, tuple[str, ...]] = {}
    conflicts = 0
    for row in rows:
        if by_value.setdefault(row[0], row) != row:
            conflicts += 1
    if conflicts:
        raise HierarchyError(
            f"columns.{column}.hierarchy: {counted(conflicts, 'value stands', 'values stand')} twice with different labels",
            "keep one line per value",
        )
    unique = list(by_value.values())
    while len(unique[0]) > 1 and len({row[-1] for row in unique}) == 1:
        unique = [row[:-1] for row in unique]  # the last level is `*` anyway
    _check_nesting(unique, column)
    return tuple(unique)


def _check_nesting(rows: list[tuple[str, ...]], column: str) -> None:
    """Two values equal at level j must be equal at level j+1 (checked again in SQL over the table's own values)."""
    for level in range(1, len(rows[0]) - 1):
        parents: dict[str, set[str]] = {}
        for row in rows:
            parents.setdefault(row[level], set()).add(row[level + 1])
        torn = sum(len(labels) > 1 for labels in parents.values())
        if torn:
            raise HierarchyError(
                f"columns.{column}.hierarchy: {counted(torn, 'label has', 'labels have')} more than one label one level up "
                f"(levels {level} and {level + 1}): it does not nest",
                "give all values of a label the same label one level up",
            )
