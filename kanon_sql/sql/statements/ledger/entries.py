"""What the ledger holds: its tables, the entries of a night, and those of a person who is erased."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.person_keys import person_key
from kanon_sql.sql.render import render
from kanon_sql.sql.statement import Statement
from kanon_sql.sql.statements.ledger.names import LedgerNames, shown_without


def people(dialect: Dialect, names: LedgerNames) -> Statement:
    return render(dialect, "ledger/people", table=names.people)


def cells(dialect: Dialect, names: LedgerNames) -> Statement:
    return render(dialect, "ledger/cells", table=names.cells)


def nights(dialect: Dialect, names: LedgerNames, keyed: bool) -> Statement:
    return render(dialect, "ledger/nights", table=names.nights, keyed=keyed)


def known_nights(dialect: Dialect, names: LedgerNames) -> Statement:
    return render(dialect, "ledger/known_nights", nights=names.nights)


def state(dialect: Dialect, names: LedgerNames) -> Statement:
    return render(dialect, "ledger/state", people=names.people)


def tops(dialect: Dialect, names: LedgerNames) -> Statement:
    return render(dialect, "ledger/tops", cells=names.cells)


def forget_people(dialect: Dialect, people: Relation, changed: Relation) -> Statement:
    return render(dialect, "ledger/forget_people", people=people, changed=changed)


def enter_people(dialect: Dialect, people: Relation, changed: Relation) -> Statement:
    return render(dialect, "ledger/enter_people", people=people, changed=changed)


def forget_cells(dialect: Dialect, cells: Relation, changed: Relation) -> Statement:
    return render(dialect, "ledger/forget_cells", cells=cells, changed=changed)


def enter_cells(dialect: Dialect, cells: Relation, changed: Relation) -> Statement:
    return render(dialect, "ledger/enter_cells", cells=cells, changed=changed)


def rebuilt_people(dialect: Dialect, table: Relation, people: Relation, changed: Relation) -> Statement:
    return render(dialect, "ledger/rebuilt_people", table=table, people=people, changed=changed)


def rebuilt_cells(dialect: Dialect, table: Relation, cells: Relation, changed: Relation) -> Statement:
    return render(dialect, "ledger/rebuilt_cells", table=table, cells=cells, changed=changed)


def rebuilt_nights(dialect: Dialect, table: Relation, rows: Sequence[Sequence[object]]) -> Statement:
    return render(dialect, "ledger/rebuilt_nights", table=table, rows=rows)


def clear(dialect: Dialect, table: Relation) -> Statement:
    return render(dialect, "ledger/clear", table=table)


def person_entries(dialect: Dialect, names: LedgerNames, salt: str, person: str) -> Statement:
    """`person`: as the engine writes the person key as text. Holds the salt and the person: traces show it without."""
    key = person_key(dialect, salt, dialect.text_literal(person))
    statement = render(dialect, "ledger/person_entries", people=names.people, cells=names.cells, person_key=key)
    return shown_without(dialect, statement, salt, person)


def person_rows(dialect: Dialect, source: Relation, column: str, person: str) -> Statement:
    """Names the person: traces show it without."""
    named = dialect.text_literal(person)
    statement = render(dialect, "ledger/person_rows", source=source, person=column, named=named)
    return shown_without(dialect, statement, person)


def forget_person(dialect: Dialect, people: Relation, salt: str, person: str) -> Statement:
    key = person_key(dialect, salt, dialect.text_literal(person))
    return shown_without(dialect, render(dialect, "ledger/forget_person", people=people, person_key=key), salt, person)


def without_person(dialect: Dialect, table: Relation, people: Relation, salt: str, person: str) -> Statement:
    key = person_key(dialect, salt, dialect.text_literal(person))
    statement = render(dialect, "ledger/without_person", table=table, people=people, person_key=key)
    return shown_without(dialect, statement, salt, person)


def copied(dialect: Dialect, table: Relation, copied: Relation) -> Statement:
    return render(dialect, "ledger/copied", table=table, copied=copied)


def amend_night(dialect: Dialect, nights: Relation, sequence: int, entries: int, checksum: str) -> Statement:
    return render(dialect, "ledger/amend_night", nights=nights, sequence=sequence, entries=entries, checksum=checksum)
