"""A job's engine, workbench, register and locks: opened here, and nowhere else."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from kanon_sql.backends.base import Backend
from kanon_sql.backends.connect import makes_its_database, open_backend
from kanon_sql.backends.stopping import stops
from kanon_sql.config.schema import Job, Publish
from kanon_sql.errors import ConnectionFailed, JobError
from kanon_sql.frozen import dataclass
from kanon_sql.observer import Observer
from kanon_sql.release.run_id import new_run_id
from kanon_sql.sql.dialect import Relation

if TYPE_CHECKING:
    from kanon_sql.release.register import Register
    from kanon_sql.workbench.workbench import Workbench


@contextmanager
def opened(
    job: Job, observer: Observer, *, read_only: bool, run: str, file_database: bool = False
) -> Iterator[Backend]:
    """The job's engine, closed at the end; the observer sees its statements.

    `file_database`: open the database beside a file source too, to read what was published or registered there.
    """
    url = job.url
    file = job.source.file is not None
    if read_only and not file_database and file and (job.source.url is None or makes_its_database(job)):
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
    observer.watch(backend.trace)
    try:
        with stops.handled((signal.SIGINT,)):
            yield backend
    finally:
        backend.close()


@contextmanager
def reading(job: Job, observer: Observer, *, file_database: bool = False) -> Iterator[Workbench]:
    """A workbench on the job's source for a flow that publishes nothing."""
    from kanon_sql.workbench.workbench import Workbench

    run = observer.run = new_run_id()
    with (
        opened(job, observer, read_only=True, run=run, file_database=file_database) as backend,
        Workbench(backend, job, run) as bench,
    ):
        yield bench


@contextmanager
def register_of(
    job: Job | None, observer: Observer, *, url: str | None = None, schema: str = "kanon", read_only: bool = True
) -> Iterator[Register]:
    """The register of a job, or the one in a database, on a connection of its own; an older one is migrated before it is read."""
    from kanon_sql.release.register_place import database_of, register_at

    base = Path.cwd()
    if job is not None:
        url, schema, base = job.register_at.url or job.url, job.register_at.schema_name, job.base
    if url is None:
        raise JobError("which register is meant?", "name a job, or the URL of a database")
    register = register_at(url, schema, base, read_only=read_only)
    try:
        if read_only and register.outdated():
            register.close()
            register = register_at(url, schema, base, read_only=False)
            register.ensure()
        if job is not None:
            register.database = database_of(job)
        observer.watch(register.backend.trace)
        yield register
    finally:
        register.close()


def require_register(register: Register, missing: str, hint: str = "`kanon run JOB` makes it") -> None:
    """Refuse to read a register that is not there; `missing` is what it would have told of."""
    if not register.readable():
        raise JobError(f"there is no register yet, so there is {missing}", hint)


@dataclass(frozen=True)
class Session:
    """A job that may be published: its engine and register are open, and its lock is held."""

    job: Job
    backend: Backend
    register: Register
    observer: Observer
    run: str
    publish: Publish
    view: Relation
    """What readers see: the view named `publish.table`."""


@contextmanager
def publishing(job: Job, observer: Observer) -> Iterator[Session]:
    """Open a job to change what readers see. One session at a time: the second is told who holds the lock."""
    from kanon_sql.release.lock import engine_lock, file_lock, session_lock
    from kanon_sql.release.register_place import open_register

    if job.publish is None:
        raise JobError("the job does not say where to publish", "add `publish: {table: schema.name}`")
    run = observer.run = new_run_id()
    with (
        file_lock(job, run, observer.note),
        opened(job, observer, read_only=False, run=run) as backend,
        engine_lock(backend, job, run, observer.note),
        open_register(job, backend) as register,
        session_lock(backend, register, job, observer.note),
    ):
        yield Session(job, backend, register, observer, run, job.publish, backend.relation(job.publish.table))


def release_name(job: Job, release: str | None) -> str:
    """The release a flow reads: the one named, or the job's own."""
    name = release or (job.publish.table if job.publish is not None else None)
    if name is None:
        raise JobError("the job does not say where it publishes", "name the release with --release schema.table")
    return name
