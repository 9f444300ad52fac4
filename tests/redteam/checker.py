"""The independent checker: recounts every promise of a release from what a reader reads. Plain Python, no code of the package.

A class is what a reader can tell apart: rows whose quasi-identifiers print the same text. Where the release keeps a column that numbers
the source's rows (`row`), every released row is held against the row it came from: its labels must be true, what is published beside
them must be the source's, and persons are counted behind every class.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Any

from tests.redteam.reader import Table, Text

TOLERANCE = 1e-6


@dataclass(frozen=True)
class Promise:
    """What a job promises of its release."""

    k: int
    quasi: Sequence[str]
    columns: Sequence[str]
    """Every column that may be there, and no other."""
    sensitive: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Column -> models: {"distinct": 2, "entropy": 2.0, "recursive": (c, l), "t": 0.4, "p": 2, "alpha": 0.5, "beta": 1.0}."""
    budget: int = 0
    """Rows that may be missing."""
    row: str | None = None
    """A published column that numbers the source's rows."""
    person: str | None = None
    """The source's column that names a person."""
    forbidden: Sequence[str] = ()
    """Values that occur in suppressed rows alone, and may stand nowhere: not in the rows, not in the types."""


Source = Table


def broken_promises(release: Table, promise: Promise, source: Source | None = None) -> list[str]:
    """Every promise that does not hold, in words; none: the release is what it says."""
    found: list[str] = []
    if unexpected := [name for name in release.columns if name not in promise.columns]:
        found.append(f"columns that should not be there: {unexpected}")
    if missing := [name for name in promise.columns if name not in release.columns]:
        return [*found, f"columns that are missing: {missing}"]
    for name, type_name in release.types.items():
        if "ENUM" in type_name.upper().split("'")[0] or any(f"'{value}'" in type_name for value in promise.forbidden):
            found.append(f"the type of {name} lists values: {type_name}")
    for value in promise.forbidden:
        if any(value == text for row in release.rows for text in row):
            found.append(f"the suppressed value {value} is published")
    places = [release.columns.index(name) for name in promise.quasi]
    classes: dict[tuple[Text, ...], list[int]] = defaultdict(list)
    for number, row in enumerate(release.rows):
        classes[tuple(row[place] for place in places)].append(number)
    if not release.rows:
        found.append("the release is empty")
    smallest = min(map(len, classes.values()), default=0)
    if smallest < promise.k:
        found.append(f"a class of {smallest} rows, k = {promise.k}")
    for column, models in promise.sensitive.items():
        values = release.column(column)
        whole = values if source is None else source.column(column)
        for members in classes.values():
            found += _broken_models(column, models, [values[i] for i in members], whole)
    if source is not None:
        found += _against_source(release, promise, source, list(classes.values()))
    return found


# -- models beyond k, by their definitions


def _shares(values: Sequence[Text]) -> dict[object, float]:
    return {value: count / len(values) for value, count in Counter(map(same_value, values)).items()}


def _broken_models(column: str, models: dict[str, Any], values: Sequence[Text], whole: Sequence[Text]) -> list[str]:
    shares, overall = _shares(values), _shares(whole)
    counts = sorted((share * len(values) for share in shares.values()), reverse=True)
    entropy = -sum(share * math.log(share) for share in shares.values())
    figures = {
        "distinct": lambda limit: len(shares) < limit,
        "p": lambda limit: len(shares) < limit,
        "entropy": lambda limit: entropy < math.log(limit) - TOLERANCE,
        "recursive": lambda limit: counts[0] >= limit[0] * sum(counts[limit[1] - 1 :]) + TOLERANCE,
        "t": lambda limit: sum(abs(shares.get(v, 0) - p) for v, p in overall.items()) / 2 > limit + TOLERANCE,
        "alpha": lambda limit: max(shares.values()) > limit + TOLERANCE,
        "beta": lambda limit: any(
            share > overall[v] and (share - overall[v]) / overall[v] > min(limit, -math.log(overall[v])) + TOLERANCE
            for v, share in shares.items()
            if v in overall
        ),
    }
    return [f"{column}: {name} {limit} fails" for name, limit in models.items() if figures[name](limit)]


# -- against the source


def _against_source(release: Table, promise: Promise, source: Source, classes: list[list[int]]) -> list[str]:
    found: list[str] = []
    missing = len(source.rows) - len(release.rows)
    if not 0 <= missing <= promise.budget:
        found.append(f"{missing} rows are missing, {promise.budget} may be")
    if promise.row is None:
        return found
    origin = {record[promise.row]: record for record in source.records()}
    rows = release.records()
    if len({record[promise.row] for record in rows}) != len(rows) or any(r[promise.row] not in origin for r in rows):
        return [*found, "released rows are not rows of the source"]
    for record in rows:
        true = origin[record[promise.row]]
        for name in release.columns:
            if name in promise.quasi:
                base = name if name in true else re.sub("_(lo|hi)$", "", name)
                if base != name:
                    good = end_holds(record[name], true[base], name.endswith("_lo"))
                else:
                    good = covers(record[name], true[base])
            else:
                good = same_value(record[name]) == same_value(true[name]) or record[name] == _unpadded(true[name])
            if not good:
                found.append(f"{name}: {record[name]!r} is published of a row that has {true.get(name)!r}")
    if promise.person is not None:
        for members in classes:
            persons = {same_value(origin[rows[i][promise.row]][promise.person]) for i in members} - {None}
            if len(persons) < promise.k:
                found.append(f"a class of {len(persons)} persons, k = {promise.k}")
    return found


def same_value(text: Text) -> object:
    """A value under the equality of numbers: 1.0, 1.00 and 1 are one, 0 and -0 are one, and so are all NaN; any other text is itself."""
    if text is None or not re.fullmatch(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?|[+-]?(nan|inf(inity)?)", text, re.I):
        return text
    try:
        number = Decimal(text)
    except InvalidOperation:
        return text
    return "nan" if number.is_nan() else number.normalize() + 0


def _unpadded(text: Text) -> Text:
    """A text without the spaces that fill a CHAR: they mean nothing."""
    return text if text is None else text.rstrip(" ")


NUMBER = r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?"


def covers(label: Text, value: Text) -> bool:
    """Whether what is published of a quasi-identifier is true of the value behind it."""
    if (label, value) in (("true", "t"), ("false", "f")):  # as PostgreSQL casts and as it prints
        return True
    if label == "*" or same_value(label) == same_value(value) or (value is not None and label == _unpadded(value)):
        return True
    if label is None:
        return False
    if label.endswith(" or NULL"):
        return value is None or covers(label.removesuffix(" or NULL"), value)
    if value is None:
        return False
    if label == "NaN":
        return same_value(value) == "nan"
    if label == "infinite":
        return "infinity" in value
    number = same_value(value)
    if isinstance(number, Decimal):
        if (found := re.fullmatch(rf"\[({NUMBER}), ({NUMBER})\)", label, re.I)) is not None:
            return Decimal(found[1]) <= number < Decimal(found[2])
        if (found := re.fullmatch(rf"\[({NUMBER})-({NUMBER})\]|({NUMBER})-({NUMBER})", label, re.I)) is not None:
            low, high = found[1] or found[3], found[2] or found[4]
            return Decimal(low) <= number <= Decimal(high)
        if (found := re.fullmatch(rf"(<|>=)({NUMBER})", label, re.I)) is not None:
            return number < Decimal(found[2]) if found[1] == "<" else number >= Decimal(found[2])
        if label in ("very large", "very small"):
            return abs(number) >= 10**12
    if label.startswith("{") and label.endswith("}"):
        inside = label[1:-1].split(", ")
        return any(covers(one.replace("\\c", ",").replace("\\\\", "\\"), value) for one in inside)
    if label.endswith("*"):
        return value.startswith(label[:-1])
    return _calendar(label, value)


def _calendar(label: str, value: str) -> bool:
    if re.fullmatch(r"\d{4}(-\d\d){0,2}", label):
        return value.startswith(label)
    if (found := re.fullmatch(r"(\d{4})-(\d{4})", label)) is not None:
        return found[1] <= value[:4] <= found[2]
    return False


def end_holds(end: Text, value: Text, low: bool) -> bool:
    """Whether an end of a typed interval is on the right side of the value; a value that is no number lies between no ends."""
    number, limit = same_value(value), same_value(end)
    if limit is None:
        return True  # nothing is said
    if not isinstance(number, Decimal):
        return not isinstance(limit, str)
    if not isinstance(limit, Decimal):
        return False
    return limit <= number if low else limit >= number
