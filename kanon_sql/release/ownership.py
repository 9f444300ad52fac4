"""What is ours to replace and to drop: only what the register knows as this job's, never what merely has its name."""

from __future__ import annotations

from pathlib import Path

from kanon_sql.backends.base import Backend
from kanon_sql.config.schema import Job
from kanon_sql.errors import JobError
from kanon_sql.model.names import written_name
from kanon_sql.release.entries import DROPPED, Owner, ReleaseEntry
from kanon_sql.release.register import Register
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.statement import Statement

TAKE_OVER = "choose another publish.table, or let this job publish it from now on: --take-over"


def check_target(
    backend: Backend, register: Register | None, job: Job, view: Relation, *, take_over: bool = False
) -> Owner | None:
    """Who published the target so far. It must be free, or this job's view: everything else of that name is somebody's data.

    Without a register (there is none yet), nothing is this job's.
    """
    shown = written_name(view.parts[-2:])
    for key, name in _sources(job):
        if backend.identity(backend.relation(name)) == backend.identity(view):
            raise JobError(
                f"publish.table: {shown} is {key}: publishing there would replace the source",
                "choose another publish.table",
            )
    kind = backend.relation_kind(view)
    if kind == "table":
        raise JobError(
            f"publish.table: {shown} is a table; a release is published as a view of that name",
            "rename that table, or choose another publish.table",
        )
    owner = register.owner(job.name) if register is not None else None
    if owner is not None and not take_over and (other := _other(owner, owner_of(job, backend, ""))):
        raise JobError(f"publish.table: {shown} is published by another job: {other} (run {owner.run})", TAKE_OVER)
    if kind == "view" and (register is None or not reads_own_release(backend, register, job, view)):
        raise JobError(
            f"publish.table: {shown} is a view that this job did not make: it is not replaced",
            "choose another publish.table; if it is of no use any more, drop it",
        )
    return owner


def owner_of(job: Job, backend: Backend, run: str) -> Owner:
    """The job as the target it publishes knows it."""
    if job.source.table is not None:
        source = ".".join(backend.identity(backend.relation(job.source.table)))
    else:
        source = f"file {job.source.file}"
    return Owner(source, str(job.path) if job.path is not None else None, run)


def _other(owner: Owner, mine: Owner) -> str | None:
    """What tells the owner from this job; none where they are one. A job file may move, with its folder, but not change its name."""
    if owner.file is not None and mine.file is not None and Path(owner.file).name != Path(mine.file).name:
        return f"{owner.file}, of {owner.source}"
    return f"one of {owner.source}" if owner.source != mine.source else None


def _sources(job: Job) -> list[tuple[str, str]]:
    population = job.privacy.population
    named = [("source.table", job.source.table), ("privacy.population", population.table if population else None)]
    return [(key, name) for key, name in named if name is not None]


def reads_own_release(backend: Backend, register: Register, job: Job, view: Relation) -> bool:
    """Whether a view reads one release of this job and nothing else."""
    tables = backend.view_tables(view)
    return len(tables) == 1 and release_of_table(backend, register, job, tables[0]) is not None


def release_of_table(backend: Backend, register: Register, job: Job, table: Relation) -> ReleaseEntry | None:
    """The release of this job whose table it is."""
    named = backend.identity(table)
    for release in register.releases(job.name):
        if release.state != DROPPED and backend.identity(backend.relation(release.table))[-2:] == named[-2:]:
            return release if is_its_table(backend, release) else None
    return None


def is_its_table(backend: Backend, release: ReleaseEntry) -> bool:
    """Whether the table of a release's name is the one that was published: by its mark, or, from before there were any, by its rows."""
    table = backend.relation(release.table)
    if backend.relation_kind(table) != "table":
        return False
    mark = backend.mark_of(table)
    if release.mark is not None:
        return mark == release.mark
    counted = f"select count(*) as rows from {backend.dialect.relation(table)}"
    return mark is None and int(backend.fetch_one(Statement("release/count", counted)).rows) == release.rows
