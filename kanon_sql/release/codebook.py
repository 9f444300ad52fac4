"""The codebook of a release: its columns, their labels, what a label stands for, and how many rows have it."""

from __future__ import annotations

import csv
import io

from kanon_sql.backends.base import Backend
from kanon_sql.config.schema import Job
from kanon_sql.frozen import dataclass
from kanon_sql.sql import statements
from kanon_sql.sql.dialect import Relation

MOST_LABELS = 200
"""A column with more labels gets one line: a codebook is read by people."""


@dataclass(frozen=True)
class CodebookLine:
    """A label of a column; without a label, the column as a whole."""

    column: str
    role: str
    meaning: str
    label: str | None
    rows: int


def codebook(backend: Backend, job: Job, release: Relation, meanings: dict[str, str]) -> list[CodebookLine]:
    """The labels of every quasi-identifier with their rows; of other columns only what they are. Read off the release itself."""
    lines: list[CodebookLine] = []
    rows = int(backend.fetch_one(statements.checks.table_rows(backend.dialect, release))[0])
    for column in backend.describe(release):
        entry = job.columns.get(column.name)
        role = entry.role if entry is not None else "quasi"
        meaning = meanings.get(column.name, "as stored" if entry is not None else "the end of an interval")
        lines.append(CodebookLine(column.name, role, meaning, None, rows))
        if role != "quasi" or column.kind == "ungroupable":
            continue
        statement = statements.onboarding.column_values(
            backend.dialect, release, column.name, MOST_LABELS + 1, nulls=True
        )
        labels = backend.fetch(statement)
        if len(labels) <= MOST_LABELS:
            lines += [
                CodebookLine(column.name, role, _stands_for(label, meaning), _shown(label), int(count))
                for label, count in labels
            ]
    return lines


def codebook_text(lines: list[CodebookLine]) -> str:
    """The codebook as CSV."""
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(("column", "role", "label", "stands_for", "rows"))
    writer.writerows((line.column, line.role, line.label or "", line.meaning, line.rows) for line in lines)
    return written.getvalue()


def _shown(label: object) -> str:
    return "(no value)" if label is None else str(label)


def _stands_for(label: object, meaning: str) -> str:
    if label is None:
        return "the source has no value (NULL)"
    if str(label) == "*":
        return "any value, or none: withheld"
    return meaning
