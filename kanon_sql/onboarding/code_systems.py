"""Code systems whose published structure is a hierarchy, known by the look of their codes, whatever the column is called."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from kanon_sql.frozen import dataclass
from kanon_sql.onboarding import icd10

SHARE = 0.9
"""So many of a column's values (by rows) must look like codes of a system."""
LEAST_CODES = 5
"""Fewer distinct codes prove nothing."""


@dataclass(frozen=True)
class CodeSystem:
    """A system of codes. `labels` gives a code's label at each level, finest first; `prefixes` where these are its first characters."""

    name: str
    title: str
    pattern: re.Pattern[str]
    levels: tuple[str, ...]
    labels: Callable[[str], tuple[str, ...]]
    prefixes: tuple[int, ...] = ()


def _atc_labels(code: str) -> tuple[str, ...]:
    return tuple(code[:length] for length in (5, 4, 3, 1))


CODE_SYSTEMS = (
    CodeSystem(
        "atc",
        "ATC codes of drugs: chemical, pharmacological, therapeutic, anatomical group",
        # The anatomical main group is one of fourteen letters; codes are often recorded to the chemical substance.
        re.compile(r"[ABCDGHJLMNPRSV][0-9]{2}[A-Z]{2}[0-9]{2}"),
        ("chemical", "pharmacological", "therapeutic", "anatomical"),
        _atc_labels,
        (5, 4, 3, 1),
    ),
    CodeSystem(
        "icd10",
        "ICD-10 codes of diseases: category, block, chapter",
        icd10.CODE,
        ("category", "block", "chapter"),
        icd10.labels,
    ),
)
BY_NAME = {system.name: system for system in CODE_SYSTEMS}


def recognise(values: Sequence[tuple[str, int]]) -> CodeSystem | None:
    """The system that (value, rows) pairs are codes of; none if they are not, or if that is not sure."""
    rows = sum(count for _, count in values)
    for system in CODE_SYSTEMS:
        codes = [(value, count) for value, count in values if system.pattern.fullmatch(value)]
        # Codes of one letter only ("R01" to "R99", "B12") are as likely a ward's or a vitamin's.
        letters = {value[0] for value, _ in codes}
        enough = len(codes) >= LEAST_CODES and len(letters) >= 3
        if enough and sum(count for _, count in codes) >= SHARE * rows:
            return system
    return None
