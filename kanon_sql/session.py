"""A job's engine, open for as long as it is needed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from kanon_sql.backends.base import Backend
from kanon_sql.backends.connect import open_backend
from kanon_sql.config.schema import Job
from kanon_sql.errors import ConnectionFailed
from kanon_sql.observer import Observer


@contextmanager
def opened(
    job: Job, observer: Observer, *, read_only: bool, run: str, file_database: bool = False
) -> Iterator[Backend]:
    """The job's engine, closed at the end, its statements told to the observer.

    `file_database`: the database beside a file source is wanted, to read what was published or registered there.
    """
    url = job.url
    if read_only and not file_database and job.source.file is not None and job.source.url is None:
        url = "duckdb:///:memory:"  # a plan of a file needs no database beside it
    try:
        backend = open_backend(
            url,
            job.base,
            read_only=read_only,
            work_schema=job.source.work_schema,
            statement_timeout=job.source.statement_timeout,
            memory_limit=job.source.memory_limit,
            run=run,
        )
    except ConnectionFailed as error:
        from kanon_sql.release.lock import explain_open_error

        explained = explain_open_error(job, error)
        if explained is error:
            raise
        raise explained from error
    backend.trace.entries = observer.statements
    backend.trace.listener = observer.statement
    try:
        yield backend
    finally:
        backend.close()
