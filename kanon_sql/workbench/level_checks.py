"""What the levels of a table are worth: how many values each has, whether every value is covered, whether each nests in the next.

Small dictionaries are read as codes, by one plain statement, and looked at here; of large ones, and where codes may not leave the database, it is
asked for the figures.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from kanon_sql.backends.base import Backend
from kanon_sql.config.schema import Job
from kanon_sql.frozen import dataclass
from kanon_sql.model.attribute import Attribute
from kanon_sql.sql import statements
from kanon_sql.sql.relations import WorkNames

FEW_VALUES = 20_000
"""As many values of all attributes together are read as codes."""


@dataclass(frozen=True)
class Fault:
    """What is wrong with an attribute: `what` is 'uncovered' or 'torn' (level and the next); `found` values or labels."""

    attribute: int
    level: int
    what: str
    found: int


@dataclass(frozen=True)
class Levels:
    """The sizes by attribute and level (`*` has one value), and what is wrong."""

    sizes: list[list[int]]
    faults: list[Fault]


def inspect_levels(backend: Backend, names: WorkNames, attributes: Sequence[Attribute], job: Job) -> Levels:
    """Sizes and faults of dictionaries that are made."""
    if backend.capabilities.embedded or job.search.embedded != "never":
        asked = statements.levels.all_codes if backend.capabilities.starts_jobs else statements.levels.codes
        rows = backend.fetch(asked(backend.dialect, names, attributes, FEW_VALUES + 1))
        if len(rows) <= FEW_VALUES:
            return _of_codes(attributes, rows)
    return _asked(backend, names, attributes)


def _of_codes(attributes: Sequence[Attribute], rows: Sequence[Sequence[int]]) -> Levels:
    codes: dict[int, list[Sequence[int]]] = defaultdict(list)
    uncovered: dict[int, int] = defaultdict(int)
    for index, missed, *levels in rows:
        codes[int(index)].append(levels)
        uncovered[int(index)] += int(missed)
    sizes, faults = [], []
    for index, attribute in enumerate(attributes):
        by_level = list(zip(*codes[index], strict=True))[: attribute.star]
        sizes.append([*(len(set(level)) for level in by_level), 1])
        if uncovered[index]:
            faults.append(Fault(index, 0, "uncovered", uncovered[index]))
        for level in range(1, attribute.star - 1):
            above = Counter(code for code, _ in set(zip(by_level[level], by_level[level + 1], strict=True)))
            if torn := sum(labels > 1 for labels in above.values()):
                faults.append(Fault(index, level, "torn", torn))
    return Levels(sizes, faults)


def _asked(backend: Backend, names: WorkNames, attributes: Sequence[Attribute]) -> Levels:
    sizes = [[1] * len(attribute.levels) for attribute in attributes]
    for row in backend.fetch(statements.levels.sizes(backend.dialect, names, attributes)):
        # NULL has code 0 and is a value; count(distinct code) counts it.
        sizes[int(row.attribute)][int(row.level)] = int(row.size)
    found = backend.fetch(statements.levels.coverage(backend.dialect, names, attributes))
    return Levels(sizes, [Fault(int(row.attribute), int(row.level), str(row.what), int(row.found)) for row in found])
