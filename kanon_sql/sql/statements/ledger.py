"""The ledger of memberships: who was in which class of which release (composition attacks)."""

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


def releases(dialect: Dialect, names: LedgerNames) -> Statement:
    return render(dialect, "ledger/releases", table=names.releases)


def memberships(dialect: Dialect, names: LedgerNames) -> Statement:
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


def entries(dialect: Dialect, names: LedgerNames, job: str) -> Statement:
    return render(dialect, "ledger/entries", memberships=names.memberships, job=job)


def entered(dialect: Dialect, members: Relation) -> Statement:
    return render(dialect, "ledger/entered", members=members)


def remembered(dialect: Dialect, names: LedgerNames, job: str) -> Statement:
    return render(dialect, "ledger/remembered", releases=names.releases, job=job)


def forget(dialect: Dialect, table: Relation, job: str, versions: Sequence[int]) -> Statement:
    return render(dialect, "ledger/forget", table=table, job=job, versions=list(versions))
