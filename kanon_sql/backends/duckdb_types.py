"""DuckDB's types, as the engines share them."""

from __future__ import annotations

import re

from kanon_sql.backends.columns import ColumnInfo
from kanon_sql.model.forms import Form

INTEGERS = {"TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER"}
WIDE_DECIMAL = 18
"""A decimal with as many digits before or behind the point may be beyond exact intervals."""
WIDE_INTEGERS = {"HUGEINT", "UHUGEINT", "UBIGINT"}
PLAIN = {
    "VARCHAR": "text",
    "BOOLEAN": "boolean",
    "DATE": "date",
    "TIMESTAMP": "timestamp",
    "TIMESTAMP_S": "timestamp",
    "TIMESTAMP_MS": "timestamp",
    "TIMESTAMP_NS": "timestamp",
    "TIMESTAMP WITH TIME ZONE": "timestamptz",
    "UUID": "other",
    "TIME": "other",
    "TIME WITH TIME ZONE": "other",
    "BLOB": "other",
    "BIT": "other",
}
"""Types whose equal values print the same. What is not named here or above is published as its text."""
FLOATS = {"FLOAT": Form.REAL, "DOUBLE": Form.FLOAT}


def column_info(name: str, type_name: str, collated: bool = False) -> ColumnInfo:
    """A column as the engines share it, from DuckDB's name of its type."""
    upper = type_name.upper()
    if collated:
        return ColumnInfo(name, type_name, "text", form=Form.COLLATED)
    if upper in INTEGERS:
        return ColumnInfo(name, type_name, "integer", wide=upper == "BIGINT")
    if upper in FLOATS:
        return ColumnInfo(name, type_name, "double", form=FLOATS[upper])
    if upper in WIDE_INTEGERS:
        return ColumnInfo(name, type_name, "decimal", 0, wide=upper != "UBIGINT")
    if (decimal := re.fullmatch(r"DECIMAL\((\d+),\s*(\d+)\)", upper)) is not None:
        digits, scale = int(decimal[1]), int(decimal[2])
        return ColumnInfo(
            name, type_name, "decimal", scale, wide=digits - scale >= WIDE_DECIMAL or scale > WIDE_DECIMAL
        )
    if upper in PLAIN:
        return ColumnInfo(name, type_name, PLAIN[upper])
    return ColumnInfo(name, type_name, "text", form=Form.TEXT, lists_values="ENUM(" in upper)
