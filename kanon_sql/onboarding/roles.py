"""Guessing a column's role from its name, its type and how often its values repeat.

A guess errs on the side of privacy: what is not recognised and hardly repeats is dropped, what is not recognised and repeats is a
quasi-identifier; nothing unrecognised is published as it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from kanon_sql.frozen import dataclass
from kanon_sql.onboarding.code_systems import recognise
from kanon_sql.onboarding.summary import ColumnSummary

PERSONS = (
    "person patient customer client user member subject employee student citizen resident participant respondent donor "
    "insured insurant individual people visitor passenger tenant"
).split()
IDENTIFIERS = (
    "name firstname lastname fullname surname forename givenname familyname nachname vorname email mail phone telephone mobile "
    "fax ssn passport iban account license licence plate mac ip url website address street username login nickname uuid guid "
    "fingerprint mrn nhs device imei signature photo social"
).split()
SENSITIVE = (
    "diagnosis diagnose disease illness condition icd symptom drug medication medicine prescription treatment therapy procedure "
    "surgery income salary wage earnings pay religion belief political politics party orientation hiv genetic genome crime "
    "offence offense conviction credit debt loan balance wealth score grade result disability pregnancy pregnant abuse union"
).split()
QUASI = (
    "age sex gender birth birthday birthdate dob born birthplace zip zipcode postcode postal plz city town village municipality "
    "district state region county country province area nationality citizenship native origin race ethnic ethnicity marital "
    "civil relationship family household children education degree school occupation profession job jobtitle workclass employer "
    "industry language tongue hours height weight eye hair blood admission discharge death year month day veteran military "
    "religious department"
).split()
BOOKKEEPING = (
    "created updated modified recorded inserted loaded imported changed etl batch checksum hash version deleted".split()
)
FREE_TEXT = (
    "text comment comments note notes remark remarks description memo message free narrative summary details".split()
)

NOT_RECOGNISED = "not recognised"
FEW_VALUES = 20
"""An unrecognised column of so few values is taken for a category."""
NUMBERS = ("integer", "decimal", "double")
Values = Sequence[tuple[str, int]]
"""(value, rows)"""


@dataclass(frozen=True)
class Guess:
    """A role and why."""

    role: str
    why: str


def words_of(name: str) -> list[str]:
    """The words of a column's name: birthDate, BIRTH_DATE and birth-date are birth and date."""
    spaced = re.sub(r"(?<=[a-zäöüß0-9])(?=[A-ZÄÖÜ])", " ", name)
    return [word for word in re.split(r"[\W_]+", spaced.lower()) if word]


def names_person(words: list[str]) -> bool:
    """person_id, patientId, customer_no: the key of a person."""
    keys = ("id", "no", "nr", "number", "key", "num")
    return (bool(set(words) & set(PERSONS)) and bool(set(words) & set(keys))) or any(
        word == person + key for word in words for person in PERSONS for key in keys
    )


def is_repeated_key(column: ColumnSummary) -> bool:
    """A column named id and no more, whose values stand in several rows each: of persons, for all that is known."""
    return words_of(column.name) == ["id"] and FEW_VALUES < column.distinct < column.values


def guess_role(column: ColumnSummary, values: Values = ()) -> Guess:
    """The role of one column; `values` are the commonest of a column of texts."""
    words = words_of(column.name)
    return _by_type(column) or _by_code(values) or _by_name(column, words) or _by_values(column)


def guess_roles(columns: Sequence[ColumnSummary], values: Mapping[str, Values] | None = None) -> dict[str, Guess]:
    """The role of every column, and then what one column says of another."""
    guesses = {column.name: guess_role(column, (values or {}).get(column.name, ())) for column in columns}
    born = [c.name for c in columns if _is_birth_date(c) and guesses[c.name].role == "quasi"]
    for column in columns:
        if born and guesses[column.name].role == "quasi" and "age" in words_of(column.name):
            guesses[column.name] = Guess("drop", f"{born[0]} tells it: published beside it, it would undo its levels")
    return guesses


def _is_birth_date(column: ColumnSummary) -> bool:
    words = {"birth", "dob", "birthday", "birthdate", "born"}
    return column.kind in ("date", "timestamp", "timestamptz") and bool(set(words_of(column.name)) & words)


def _by_type(column: ColumnSummary) -> Guess | None:
    if column.kind == "ungroupable":
        return Guess("drop", f"type {column.info.type_name} cannot be grouped")
    if column.values == 0:
        return Guess("drop", "holds no value")
    return None


def _by_code(values: Values) -> Guess | None:
    system = recognise(values)
    return None if system is None else Guess("sensitive", f"its values look like {system.title}")


def _by_name(column: ColumnSummary, words: list[str]) -> Guess | None:
    known = set(words)
    if names_person(words):
        return Guess("identifier", "its name says it is a person's key")
    if (hit := known & set(FREE_TEXT)) and column.kind == "text":
        return Guess("drop", f"free text by its name ({_first(hit, words)}): it may name people")
    if hit := known & set(BOOKKEEPING):
        return Guess("drop", f"bookkeeping by its name ({_first(hit, words)})")
    if hit := known & set(SENSITIVE):
        if column.nearly_unique and column.kind in NUMBERS:
            return Guess(
                "quasi", f"its name says {_first(hit, words)}, but hardly a value repeats: published in intervals"
            )
        if column.nearly_unique:
            return Guess(
                "drop", f"its name says {_first(hit, words)}, but hardly a value repeats: it would single people out"
            )
        return Guess("sensitive", f"its name says {_first(hit, words)}")
    if hit := known & set(QUASI):
        if column.unique and not column.kind.startswith(("date", "timestamp")) and {"id", "code", "no"} & known:
            return Guess("identifier", "unique")
        return Guess("quasi", f"its name says {_first(hit, words)}")
    if hit := known & set(IDENTIFIERS):
        return Guess("identifier", f"its name says {_first(hit, words)}")
    if known & {"id", "key", "no", "nr", "number"} and (column.unique or column.nearly_unique):
        return Guess("identifier", "a key by its name, and hardly ever repeated")
    if is_repeated_key(column):
        return Guess("identifier", "a key by its name; persons with several rows have one")
    return None


def _by_values(column: ColumnSummary) -> Guess:
    if column.unique and column.kind in ("text", "integer", "other"):
        return Guess("identifier", "every row has a value of its own")
    if column.kind in ("date", "timestamp", "timestamptz"):
        return Guess("quasi", "a date: others may know when something happened")
    if column.kind == "text" and (column.longest or 0) > 60:
        return Guess("drop", "long texts: they may name people")
    if column.kind in NUMBERS and column.distinct > FEW_VALUES:
        return Guess("quasi", f"{NOT_RECOGNISED}; an amount, which others may know: published in intervals")
    if column.distinct <= FEW_VALUES:
        return Guess("quasi", f"{NOT_RECOGNISED}; {column.distinct} distinct values, which others may know")
    return Guess("drop", f"{NOT_RECOGNISED}, with {column.distinct} distinct values; say keep to publish it as it is")


def _first(hit: set[str], words: list[str]) -> str:
    return next(word for word in words if word in hit)
