"""A node's class key packed into as few integers as hold it (mixed radix).

Grouping by one integer is several times cheaper than by nine columns; a key that would pass 62 bits is split in two. Codes are
small integers, and adding them up as such takes half the time: terms are widened together, as many as 31 bits hold.
"""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.model.lattice import Node
from kanon_sql.sql.dialect import Dialect
from kanon_sql.sql.relations import code_column

KEY_BITS = 62
CODE_BITS = 31


def packed_keys(
    dialect: Dialect, node: Node, star: Node, sizes: Sequence[Sequence[int]], prefix: str = "", whole: bool = False
) -> list[str]:
    """The key expressions of a node; attributes at `*` or with one value take no part. `prefix` qualifies the columns.

    `whole`: those with one value take part as well, for a table whose other values are NULL codes and must match no class.
    """
    keys: list[list[tuple[str, int]]] = [[]]
    radix = 1
    for attribute, level in enumerate(node):
        if level == star[attribute]:
            continue
        size = sizes[attribute][level]
        if size <= 1 and not whole:
            continue
        if radix * size > 1 << KEY_BITS:
            keys.append([])
            radix = 1
        keys[-1].append((prefix + code_column(attribute, level), size))
        radix *= size
    return [sum_of_digits(dialect, terms) for terms in keys if terms]


def sum_of_digits(dialect: Dialect, terms: Sequence[tuple[str, int]]) -> str:
    """Codes, each with the number of its values, as the digits of one big integer."""
    if len(terms) == 1:
        return terms[0][0]
    chunks: list[tuple[int, list[str]]] = []
    radix = within = 1
    for column, size in terms:
        if not chunks or within * size > 1 << CODE_BITS:
            chunks.append((radix, []))
            within = 1
        chunks[-1][1].append(column if within == 1 else f"{column} * {within}")
        radix, within = radix * size, within * size
    wide = [(start, dialect.cast(" + ".join(added), "integer")) for start, added in chunks]
    return " + ".join(chunk if start == 1 else f"{chunk} * {start}" for start, chunk in wide)


def ordered_keys(parts: Sequence[tuple[str, int]]) -> list[str]:
    """Parts (expression, number of its values) as few integers that sort as the parts do, first part first."""
    keys: list[str] = []
    current, radix = "", 1
    for expression, size in parts:
        if current and radix * size < 1 << KEY_BITS:
            current, radix = f"({current}) * {size} + {expression}", radix * size
        else:
            if current:
                keys.append(current)
            current, radix = expression, size
    return [*keys, current] if current else []
