"""The groups a job keeps: tables in the ledger's schema, written by the transaction that publishes, one set for the newest release.

Nobody but the run's own role reads them: they tell who is in which group, by salted digests. They are made by CREATE TABLE AS alone, so
every engine can keep them.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from kanon_sql.backends.base import Backend
from kanon_sql.config.schema import Job
from kanon_sql.model.algorithms import LOCAL_RECODINGS
from kanon_sql.release.ledger import SCHEMA, scope_of
from kanon_sql.sql import statements
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.register_names import RegisterNames
from kanon_sql.sql.relations import kept_groups_table, kept_groups_version
from kanon_sql.workbench.kept_tables import STATE, KeptTables


def why_not_kept(job: Job) -> str | None:
    """Why the groups of a job cannot be kept for the next night; none when they can."""
    if job.source.person is None:
        return "the job names no person key (source.person), so nobody can be followed from night to night"
    if not job.search.reuse:
        return "search.reuse is off"
    if job.publish is None or job.publish.guard == "never":
        return "publish.guard is off, so nothing remembers who was in which group"
    return None


def keeps_groups(job: Job) -> bool:
    return job.publish is not None and job.search.algorithm in LOCAL_RECODINGS and why_not_kept(job) is None


def prepare_state(backend: Backend, job: Job) -> None:
    """Make the place where groups are kept, before anything reads the source."""
    if keeps_groups(job):
        backend.create_schema(SCHEMA)


def known_salt(backend: Backend, job: Job) -> str | None:
    """The salt, for a flow that writes nothing; none where the register is not in the job's own database, or has none yet."""
    if salt := os.environ.get("KANON_SALT"):
        return salt
    if job.register_at.url is not None and job.register_at.url != job.url:
        return None
    salts = backend.relation(f"{job.register_at.schema_name}.salts")
    if not backend.exists(salts):
        return None
    names = RegisterNames(Relation(salts.parts[:-1]))
    rows = backend.fetch(statements.register.salt(backend.dialect, names, f"ledger {scope_of(job, backend).id}"))
    return str(rows[0][0]) if rows else None


def kept_tables(backend: Backend, job: str, recipe: str) -> KeptTables | None:
    """The groups that were kept last; none where there are none, or where their columns mean something else by now."""
    versions = _versions(backend, job)
    if not versions or versions[-1][1] != recipe[:8]:
        return None
    version = versions[-1][0]
    tables = {what: _table(backend, job, recipe, what, version) for what in STATE}
    return KeptTables(version, **tables)


def keep(backend: Backend, job: str, recipe: str, version: int, made: Mapping[str, Relation]) -> None:
    """Write what the next night begins with; to be called inside the publishing transaction."""
    older = [each for each in _versions(backend, job) if each[0] != version]
    for what in sorted(made, key=lambda each: each == "members"):  # the members last: by them a night finds the rest
        table = _table(backend, job, recipe, what, version)
        backend.drop_table(table)
        backend.execute(statements.nights.keep(backend.dialect, table, made[what]))
        backend.close_to_others(table)
    if backend.capabilities.transactional_ddl:
        _drop(backend, job, older)


def forget_person(backend: Backend, job: str, person_key: str) -> None:
    """Somebody leaves the kept groups; `person_key` is an expression. The account of an engine that cannot delete is written anew."""
    for version, recipe in _versions(backend, job):
        members = _table(backend, job, recipe, "members", version)
        if backend.capabilities.update:
            backend.execute(statements.nights.forget_member(backend.dialect, members, person_key))
            continue
        copy = backend.kept_relation(f"{members.name}_without")
        backend.drop_table(copy)
        backend.execute(statements.nights.without_member(backend.dialect, copy, members, person_key))
        backend.drop_table(members)
        backend.execute(statements.nights.keep(backend.dialect, members, copy))
        backend.drop_table(copy)


def drop_older(backend: Backend, job: str) -> None:
    """An engine without transactions drops the tables of earlier nights once the release is out."""
    if not backend.capabilities.transactional_ddl:
        _drop(backend, job, _versions(backend, job)[:-1])


def _drop(backend: Backend, job: str, versions: list[tuple[int, str]]) -> None:
    for version, recipe in versions:
        for what in STATE:
            backend.drop_table(_table(backend, job, recipe, what, version))


def _versions(backend: Backend, job: str) -> list[tuple[int, str]]:
    """(version, digest of the columns), ascending. The members are what a night cannot do without."""
    found = [kept_groups_version(relation, job, "members") for _, relation in backend.relations(SCHEMA)]
    return sorted(each for each in found if each is not None)


def _table(backend: Backend, job: str, recipe: str, what: str, version: int) -> Relation:
    return backend.relation(str(kept_groups_table(SCHEMA, job, recipe, what, version)))
