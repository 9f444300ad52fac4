"""A hierarchy from a taxonomy table: each value with its chain of ancestors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kanon_sql.errors import HierarchyError


def chains(
    values: Sequence[str], parents: Mapping[str, str | None], labels: Mapping[str, str]
) -> list[tuple[str, ...]]:
    """Rows of a hierarchy: the value, then its ancestors, finest first, every row as long as the longest.

    Roots stand side by side at the last level; a value nearer to its root repeats itself at the lowest levels.
    """
    found = {value: _ancestors(value, parents) for value in values}
    depth = max((len(chain) for chain in found.values()), default=0)
    rows = []
    for value, chain in found.items():
        padded = [value] * (depth - len(chain)) + chain
        rows.append((value, *(labels.get(code, code) for code in padded)))
    return rows


def _ancestors(value: str, parents: Mapping[str, str | None]) -> list[str]:
    chain: list[str] = []
    seen = {value}
    above = parents.get(value)
    while above is not None:
        if above in seen:
            raise HierarchyError(
                "the taxonomy has a cycle: an entry is its own ancestor",
                "correct the table: every entry has one parent",
            )
        seen.add(above)
        chain.append(above)
        above = parents.get(above)
    return chain
