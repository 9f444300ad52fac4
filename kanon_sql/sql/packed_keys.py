"""A node's class key packed into as few integers as hold it (mixed radix).

Grouping by one integer is several times cheaper than by nine columns; a key that would pass 62 bits is split in two.
"""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.model.lattice import Node
from kanon_sql.sql.dialect import Dialect
from kanon_sql.sql.relations import code_column

KEY_BITS = 62


def packed_keys(
    dialect: Dialect, node: Node, star: Node, sizes: Sequence[Sequence[int]], prefix: str = "", whole: bool = False
) -> list[str]:
    """The key expressions of a node; attributes at `*` or with one value take no part. `prefix` qualifies the columns.

    `whole`: those with one value take part as well, for a table whose other values are NULL codes and must match no class.
    """
    keys: list[str] = []
    terms: list[str] = []
    radix = 1
    for attribute, level in enumerate(node):
        if level == star[attribute]:
            continue
        size = sizes[attribute][level]
        if size <= 1 and not whole:
            continue
        if radix * size > 1 << KEY_BITS:
            keys.append(" + ".join(terms))
            terms, radix = [], 1
        column = prefix + code_column(attribute, level)
        terms.append(column if radix == 1 else f"{dialect.cast(column, 'integer')} * {radix}")
        radix *= size
    if terms:
        keys.append(" + ".join(terms))
    return keys


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
