"""A staged release, counted once by all columns that verification and guards speak of, so that each of them reads counts and not rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from kanon_sql.errors import KanonError
from kanon_sql.sql import statements
from kanon_sql.sql.dialect import CountedRelation, Relation
from kanon_sql.sql.render import unused
from kanon_sql.workbench.workbench import Workbench


@contextmanager
def staged_counts(bench: Workbench, staged: Relation, quasi: Sequence[str]) -> Iterator[CountedRelation]:
    """One plain GROUP BY of the staged table: no codes, no base. Columns that are only kept are left out: they may make every row its own."""
    have = [column.name for column in bench.backend.describe(staged)]
    sensitive = [name for name in bench.job.columns_with("sensitive") if name in have and name not in quasi]
    columns = [*quasi, *sensitive]
    place = bench.backend.scratch(bench.names.staged_counts)
    counts = CountedRelation(place.parts, unused("kanon_n", columns))
    bench.make_table(counts, statements.release.counts(bench.dialect, counts, staged, columns))
    try:
        bench.backend.analyze(counts, often=False)
        yield counts
    finally:
        with suppress(KanonError):  # what failed may have ended the transaction, and the table with it
            bench.drop_table(counts)
