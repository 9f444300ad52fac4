"""A prepared workbench over a small table, for tests that look at one figure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from kanon_sql.backends.connect import open_backend
from kanon_sql.workbench.workbench import Workbench
from tests.metrics.tables import write
from tests.support import job_of


@contextmanager
def bench_of(
    url: str, defined: list[str], rows: Sequence[Sequence[Any]], columns: dict[str, Any], **sections: Any
) -> Iterator[Workbench]:
    """The workbench of a table `t` made of `rows`."""
    backend = open_backend(url, Path.cwd(), read_only=False)
    try:
        write(backend, "t", defined, [tuple(row) for row in rows])
        job = job_of(url, "t", columns, **sections)
        with Workbench(backend, job, "1") as bench:
            bench.prepare()
            yield bench
    finally:
        backend.close()
