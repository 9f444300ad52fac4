"""Data-constraint rules that the data suggest. Proposals, marked as such in the job file: the data expert decides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kanon_sql.onboarding.levels import NUMERIC
from kanon_sql.onboarding.roles import words_of
from kanon_sql.onboarding.summary import ColumnSummary

MAJORITY_AGE = 18
RETIREMENT_AGE = 65
OLDEST = 130
AGE_WORDS = {"age", "ages", "alter", "edad", "leeftijd"}
IMPORTANCE = 10


def propose_rules(column: ColumnSummary, values: Sequence[str]) -> list[Mapping[str, object]]:
    """The rules of a quasi-identifier as the job file writes them: ages of majority and retirement, the two largest groups apart.

    `values` are its values with k rows or more, the most frequent first; none that fewer rows share is ever named.
    """
    if column.kind in NUMERIC:
        return [{"cut": cut, "importance": IMPORTANCE} for cut in _ages(column)]
    # With two values, only `*` mixes them, and that is worth nothing anyway.
    if column.distinct > 2 and len(values) >= 2:
        return [{"apart": list(values[:2]), "importance": IMPORTANCE}]
    return []


def _ages(column: ColumnSummary) -> list[int]:
    """The cuts of an age that part its values: some lie below, some at or above."""
    if not AGE_WORDS & set(words_of(column.name)) or column.low is None or column.high is None:
        return []
    if column.low < 0 or column.high > OLDEST:
        return []
    return [cut for cut in (MAJORITY_AGE, RETIREMENT_AGE) if column.low < cut <= column.high]
