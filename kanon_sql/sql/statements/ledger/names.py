"""The relations of the ledger and of a release that is held against it, and what the statements of both share."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.frozen import dataclass
from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.statement import Statement

Columns = Sequence[tuple[str, str]]
"""(alias, source column)"""
Labels = Sequence[tuple[int, str, Relation, str]]
"""(attribute, code column, dictionary, label column)"""


@dataclass(frozen=True)
class LedgerNames:
    """The ledger's relations."""

    people: Relation
    cells: Relation
    nights: Relation


@dataclass(frozen=True)
class Night:
    """The work tables of a release that is held against the ledger."""

    classes: Relation
    present: Relation
    batches: Relation
    batch_rows: Relation
    poor: Relation
    decided: Relation
    outcomes: Relation
    fellows: Relation
    people: Relation
    cells: Relation
    withheld: Relation


@dataclass(frozen=True)
class Persons:
    """How persons are told apart: the salt, whether they may have several rows, and whether some rows have no person.

    `known`: whether the ledger knows anybody. `single`: everybody has one row tonight and one entry, so the person's key alone tells them apart.
    """

    salt: str
    several: bool
    nameless: bool
    known: bool = True
    single: bool = False


def shown_without(dialect: Dialect, statement: Statement, *secrets: str) -> Statement:
    """The statement as traces may show it."""
    shown = statement.sql
    for secret in secrets:
        shown = shown.replace(dialect.text_literal(secret), "'***'")
    return Statement(statement.label, statement.sql, shown)
