"""A release on trial: searched and staged as a work table, measured, and dropped. What comparisons are made of."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from kanon_sql.release.recoding import Recoding
from kanon_sql.sql.dialect import Relation
from kanon_sql.workbench.workbench import Workbench


@contextmanager
def trial(bench: Workbench) -> Iterator[None]:
    """Drop at the end what was made within, so that the next search finds the workbench as it was."""
    mark, notes = len(bench.made), list(bench.notes)
    try:
        yield
    finally:
        bench.backend.drop_work(bench.made[mark:])
        del bench.made[mark:]
        bench.notes[:] = notes


def trial_release(bench: Workbench, recoding: Recoding) -> Relation:
    """What a recoding would release, as a work table."""
    table = bench.names.trial_release
    bench.made.append(("table", table))
    recoding.stage(bench, table)
    return table
