"""The independent verification of a staged release. It fails closed: what does not verify is dropped and never seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kanon_sql.backends.base import Backend
from kanon_sql.errors import VerificationFailed
from kanon_sql.sql import statements
from kanon_sql.sql.dialect import Relation


@dataclass(frozen=True)
class Verification:
    """What a plain GROUP BY of the staged table says."""

    min_class: int
    classes: int
    rows: int

    def to_dict(self) -> dict[str, int]:
        return {"k": self.min_class, "classes": self.classes, "rows": self.rows}


def verify(backend: Backend, table: Relation, columns: Sequence[str], k: int, expected_rows: int) -> Verification:
    """Count the staged table anew, by the columns it publishes, and compare with what was promised."""
    row = backend.fetch_one(statements.release.verify(backend.dialect, table, columns))
    min_class, classes, rows = int(row.min_class), int(row.classes), int(row.rows)
    if rows != expected_rows:
        raise VerificationFailed(
            f"the staged release has {rows} rows, but {expected_rows} were planned: it was dropped",
            "the source changed during the run: run again",
        )
    if rows == 0:
        raise VerificationFailed("the staged release is empty: it was dropped")
    if min_class < k:
        raise VerificationFailed(
            f"the staged release has a class of {min_class} rows, fewer than k = {k}: it was dropped",
            "the source changed during the run: run again; if it persists, report it with --debug",
        )
    return Verification(min_class, classes, rows)
