"""How the ledger knows a person and a row again from night to night: salted digests, as integers."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.sql.dialect import Dialect


def person_key(dialect: Dialect, salt: str, person: str) -> str:
    """The key of a person who has a name. `salt` is text; `person` an expression that is not NULL."""
    return dialect.salted_number(dialect.text_literal(salt), dialect.as_text(person))


def row_key(dialect: Dialect, salt: str, person: str | None, values: Sequence[str], place: str | None = None) -> str:
    """The key of one of several rows of a person, or of a row that has no person: its values, NULLs among them.

    `place` tells equal rows apart; the first of them has the key that it would have without.
    """
    text = written(dialect, [*([person] if person is not None else []), *values])
    if place is not None:
        text = f"{text} || case when {place} > 1 then ' ' || {dialect.as_text(place)} else '' end"
    return dialect.salted_number(dialect.text_literal(salt), text)


def written(dialect: Dialect, values: Sequence[str]) -> str:
    """Values one after another as a text that no other values give."""
    parts = []
    for value in values:
        text = dialect.as_text(value)
        parts.append(f"coalesce({dialect.as_text(f'length({text})')} || ':' || {text}, '-')")
    return " || ".join(parts) if parts else "''"
