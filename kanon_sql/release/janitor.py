"""What killed runs leave behind, found and removed: work tables, staged tables, runs that never ended, states that no longer hold.

Call it with the job's lock held: then every other run of the job that stands as running is dead.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from kanon_sql.backends.base import Backend
from kanon_sql.config.schema import Job
from kanon_sql.errors import KanonError
from kanon_sql.model.counted import counted
from kanon_sql.release.entries import CURRENT, DROPPED, FAILED, KEPT, release_mark
from kanon_sql.release.ownership import is_its_table
from kanon_sql.release.publish import drop_old
from kanon_sql.release.register import Register
from kanon_sql.results import Result
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.relations import STAGED, run_of_staged_table, run_of_work_table
from kanon_sql.sql.statement import Statement
from kanon_sql.workbench.temporary import remove_orphans

DIED = "the process ended without a word (killed, or its machine or server went down)"


@dataclass
class Cleaned(Result):
    """What was found and removed, by name."""

    runs: list[str] = field(default_factory=list)
    work_tables: list[str] = field(default_factory=list)
    staged_tables: list[str] = field(default_factory=list)
    releases: list[str] = field(default_factory=list)
    old_releases: list[str] = field(default_factory=list)
    temporary_folders: list[str] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        return {key: list(value) for key, value in vars(self).items()}

    def records(self) -> list[dict[str, Any]]:
        """One row per thing removed."""
        return [{"kind": kind, "name": name} for kind, names in vars(self).items() for name in names]

    def __str__(self) -> str:
        found = [
            counted(len(value), key.replace("_", " ").removesuffix("s")) for key, value in vars(self).items() if value
        ]
        return "cleaned up after killed runs: " + ", ".join(found) if found else "nothing to clean up"

    def __bool__(self) -> bool:
        return any(vars(self).values())


def clean(backend: Backend, register: Register, job: Job, view: Relation) -> Cleaned:
    """Remove what dead runs of this job left, and work tables of dead runs of any job. The job's lock must be held."""
    cleaned = Cleaned()
    _drop_work_tables(backend, register, cleaned)
    _drop_staged_tables(backend, register, view, cleaned)
    cleaned.temporary_folders += remove_orphans()
    _settle_releases(backend, register, job, view, cleaned)
    for entry in register.running(job.name):
        known = [backend.relation(release.table) for release in register.releases(job.name)]
        cleaned.work_tables += backend.drop_leftovers(entry.id, release_mark(entry.id), str(view.schema), known)
        register.finish_run(entry.id, FAILED, error=DIED)
        cleaned.runs.append(entry.id)
    assert job.publish is not None
    cleaned.old_releases += drop_old(backend, register, job.name, job.publish.keep)
    return cleaned


def _drop_work_tables(backend: Backend, register: Register, cleaned: Cleaned) -> None:
    """A run claims its id while it lives: work tables of an id that can be claimed have lost their run.

    Only of runs that were written down before they made any: what else is there belongs to somebody.
    """
    if not backend.capabilities.persistent_work:
        return
    owners: dict[str, list[tuple[str, Relation]]] = {}
    for kind, relation in backend.relations(backend.work_schema):
        run = run_of_work_table(relation)
        if run is not None:
            owners.setdefault(run, []).append((kind, relation))
    enlisted = backend.enlisted()
    for run in enlisted - set(owners):
        if backend.claim(f"run {run}"):
            backend.delist(run)
            backend.disclaim(f"run {run}")
    for run, relations in owners.items():
        if (run not in enlisted and not register.knows_run(run)) or not backend.claim(f"run {run}"):
            continue
        for kind, relation in sorted(relations, key=lambda item: item[0] != "view"):
            drop = f"drop {kind} if exists {backend.dialect.relation(relation)}"
            with suppress(KanonError):  # another role's: its own janitor may drop it
                backend.execute(Statement("janitor/drop_work", drop))
                staged = relation.name.endswith(f"_{STAGED}")
                (cleaned.staged_tables if staged else cleaned.work_tables).append(relation.name)
        with suppress(KanonError):
            backend.delist(run)
        backend.disclaim(f"run {run}")


def _drop_staged_tables(backend: Backend, register: Register, view: Relation, cleaned: Cleaned) -> None:
    """What runs of an earlier version staged beside the view."""
    limit = backend.dialect.max_identifier_bytes
    for kind, relation in backend.relations(str(view.schema)):
        run = run_of_staged_table(relation, view, limit) if kind == "table" else None
        if run is not None and register.knows_run(run):
            backend.drop_table(relation)
            cleaned.staged_tables.append(relation.name)


def _settle_releases(backend: Backend, register: Register, job: Job, view: Relation, cleaned: Cleaned) -> None:
    """Where register and database are two, a kill between their commits leaves them apart: the view is what readers see."""
    shown = [backend.identity(table)[-2:] for table in backend.view_tables(view)]
    releases = [release for release in register.releases(job.name) if release.state != DROPPED]
    named = {release.version: backend.identity(backend.relation(release.table))[-2:] for release in releases}
    current = next((version for version, name in named.items() if shown == [name]), None)
    for release in releases:
        if not is_its_table(backend, release):
            register.set_state(job.name, DROPPED, version=release.version)
            if release.state == CURRENT:
                register.finish_run(release.run, FAILED, error=DIED)
                register.withdraw_ledger(release.run)  # with the release, its entries in the ledger were taken back
        elif (release.version == current) != (release.state == CURRENT) and current is not None:
            register.set_state(job.name, CURRENT if release.version == current else KEPT, version=release.version)
        else:
            continue
        cleaned.releases.append(release.table)
