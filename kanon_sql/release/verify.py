"""The independent verification of a staged release. It fails closed: what does not verify is dropped and never seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kanon_sql.backends.base import Backend
from kanon_sql.errors import VerificationFailed
from kanon_sql.frozen import dataclass
from kanon_sql.model.counted import counted
from kanon_sql.model.lattice import Node
from kanon_sql.sql import statements
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.generalized import generalized
from kanon_sql.workbench.workbench import Workbench


@dataclass(frozen=True)
class Verification:
    """What a plain GROUP BY of the staged table says."""

    min_class: int
    classes: int
    rows: int

    def to_dict(self) -> dict[str, Any]:
        return {"k": self.min_class, "classes": self.classes, "rows": self.rows}


def verify(backend: Backend, table: Relation, columns: Sequence[str], k: int, expected_rows: int) -> Verification:
    """Count the staged table anew, by the columns it publishes, and compare with what was promised."""
    row = backend.fetch_one(statements.release.verify(backend.dialect, table, columns))
    min_class, classes, rows = int(row.min_class), int(row.classes), int(row.rows)
    if rows != expected_rows:
        raise VerificationFailed(
            f"the staged release has {counted(rows, 'row')}, but {expected_rows:,} {'was' if expected_rows == 1 else 'were'} planned: it was dropped",
            "the source changed during the run: run again",
        )
    if rows == 0:
        raise VerificationFailed("the staged release is empty: it was dropped")
    if min_class < k:
        raise VerificationFailed(
            f"the staged release has a class of {counted(min_class, 'row')}, fewer than k = {k}: it was dropped",
            "the source changed during the run: run again; if it persists, report it with --debug",
        )
    return Verification(min_class, classes, rows)


def verify_source(
    bench: Workbench, table: Relation, columns: Sequence[str], node: Node, found: Verification, suppressed: int
) -> None:
    """Hold the staged table against the source at its node, class by class: every row where it belongs, and none but the suppressed missing.

    What the search, the base or the staging got wrong shows here; so does a count of the staged table that lies.
    """
    source = generalized(bench.dialect, bench.released_source, bench.attributes, node)
    row = bench.backend.fetch_one(statements.release.verify_source(bench.dialect, table, columns, source))
    if int(row.differing) or int(row.missing) != suppressed:
        raise VerificationFailed(
            f"the staged release differs from the source in {counted(int(row.differing), 'class', 'classes')}, and "
            f"{counted(int(row.missing), 'row of the source is', 'rows of the source are')} missing where {suppressed:,} "
            f"{'was' if suppressed == 1 else 'were'} to be suppressed: it was dropped",
            "the source changed during the run: run again; if it persists, report it with --debug",
        )
    if (int(row.fewest), int(row.classes), int(row.rows)) != (found.min_class, found.classes, found.rows):
        raise VerificationFailed(
            f"two counts of the staged release disagree (k = {found.min_class} and {int(row.fewest)}): it was dropped",
            "report it with --debug",
        )
