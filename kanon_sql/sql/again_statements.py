"""The statements of releasing again, one function each: the ledger, the source's fingerprint, the kept base."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.render import render
from kanon_sql.sql.statement import Statement

Columns = Sequence[tuple[str, str]]
"""(alias, source column)"""


@dataclass(frozen=True)
class LedgerNames:
    """The ledger's relations."""

    releases: Relation
    memberships: Relation


def ledger_releases(dialect: Dialect, names: LedgerNames) -> Statement:
    return render(dialect, "ledger/releases", table=names.releases)


def ledger_memberships(dialect: Dialect, names: LedgerNames) -> Statement:
    return render(dialect, "ledger/memberships", table=names.memberships)


def members(
    dialect: Dialect,
    table: Relation,
    rows: Relation,
    person: str,
    salt: str,
    sensitive: Columns,
    violating: Relation | None,
    keys: Sequence[str],
) -> Statement:
    """Holds the salt: traces show it without."""
    statement = render(
        dialect,
        "ledger/members",
        table=table,
        rows=rows,
        person=person,
        salt=salt,
        sensitive=sensitive,
        violating=violating,
        keys=keys,
    )
    return _without_salt(dialect, statement, salt)


def members_behind(
    dialect: Dialect,
    table: Relation,
    behind: Relation,
    columns: Sequence[str],
    person: str,
    number: str,
    salt: str,
    sensitive: Columns,
) -> Statement:
    """Holds the salt: traces show it without."""
    statement = render(
        dialect,
        "ledger/members_behind",
        table=table,
        behind=behind,
        columns=columns,
        person=person,
        number=number,
        salt=salt,
        sensitive=sensitive,
    )
    return _without_salt(dialect, statement, salt)


def _without_salt(dialect: Dialect, statement: Statement, salt: str) -> Statement:
    return Statement(statement.label, statement.sql, statement.sql.replace(dialect.text_literal(salt), "'***'"))


def trails(
    dialect: Dialect, names: LedgerNames, table: Relation, members: Relation, job: str, version: int, last: int
) -> Statement:
    return render(
        dialect,
        "ledger/trails",
        table=table,
        memberships=names.memberships,
        members=members,
        job=job,
        version=version,
        last=last,
    )


def candidates(dialect: Dialect, trails: Relation, k: int) -> Statement:
    return render(dialect, "ledger/candidates", trails=trails, k=k)


def values_left(dialect: Dialect, trails: Relation, members: Relation, alias: str, least: int) -> Statement:
    return render(dialect, "ledger/values_left", trails=trails, members=members, alias=alias, l=least)


def record(dialect: Dialect, names: LedgerNames, members: Relation, job: str, version: int) -> Statement:
    return render(dialect, "ledger/record", memberships=names.memberships, members=members, job=job, version=version)


def remembered(dialect: Dialect, names: LedgerNames, job: str) -> Statement:
    return render(dialect, "ledger/remembered", releases=names.releases, job=job)


def forget(dialect: Dialect, table: Relation, job: str, versions: Sequence[int]) -> Statement:
    return render(dialect, "ledger/forget", table=table, job=job, versions=list(versions))


def fingerprint(dialect: Dialect, source: Relation, columns: Sequence[str]) -> Statement:
    return render(dialect, "release/fingerprint", source=source, columns=columns)


def newest(dialect: Dialect, source: Relation, column: str) -> Statement:
    return render(dialect, "kept/newest", source=source, column=column)


def kept_create(dialect: Dialect, table: Relation, source: Relation, part: str, columns: Columns) -> Statement:
    return render(dialect, "kept/create", table=table, source=source, part=part, columns=columns)


def kept_stale(dialect: Dialect, table: Relation, source: Relation, part: str) -> Statement:
    return render(dialect, "kept/stale", table=table, source=source, part=part)


def kept_forget(dialect: Dialect, table: Relation, parts: Sequence[int]) -> Statement:
    return render(dialect, "kept/forget", table=table, parts=parts)


def kept_refresh(
    dialect: Dialect, table: Relation, source: Relation, part: str, columns: Columns, parts: Sequence[int]
) -> Statement:
    return render(dialect, "kept/refresh", table=table, source=source, part=part, columns=columns, parts=parts)


def kept_raw(dialect: Dialect, table: Relation, kept: Relation, columns: Columns) -> Statement:
    return render(dialect, "kept/raw", table=table, kept=kept, columns=columns)
