"""Spark's types, as the engines share them."""

from __future__ import annotations

from kanon_sql.backends.columns import ColumnInfo
from kanon_sql.model.forms import Form

KINDS = {
    "tinyint": "integer",
    "smallint": "integer",
    "int": "integer",
    "bigint": "integer",
    "boolean": "boolean",
    "date": "date",
    "timestamp": "timestamptz",
    "timestamp_ntz": "timestamp",
    "binary": "other",
}
"""Types whose equal values print the same. What is not named here or below is published as its text."""
UNWRITABLE = ("interval", "void")
"""Types that Parquet does not take: kept columns of them are published as their text, too."""
WIDE_DECIMAL = 18
"""A decimal with as many digits before or behind the point may be beyond exact intervals."""
FLOATS = {"float": Form.REAL, "double": Form.FLOAT}


def column_info(name: str, type_name: str) -> ColumnInfo:
    """A column as the engines share it, from Spark's name of its type."""
    lowered = type_name.lower()
    if lowered in FLOATS:
        return ColumnInfo(name, type_name, "double", form=FLOATS[lowered])
    if lowered.startswith("decimal("):
        digits, scale = (int(part) for part in lowered.removeprefix("decimal(").rstrip(")").split(","))
        return ColumnInfo(
            name, type_name, "decimal", scale, wide=digits - scale >= WIDE_DECIMAL or scale > WIDE_DECIMAL
        )
    if lowered.startswith("string collate "):
        return ColumnInfo(name, type_name, "text", form=Form.COLLATED)
    if lowered == "string" or lowered.startswith(("varchar(", "char(")):
        return ColumnInfo(name, type_name, "text")
    if lowered in KINDS:
        return ColumnInfo(name, type_name, KINDS[lowered], wide=lowered == "bigint")
    return ColumnInfo(name, type_name, "text", form=Form.TEXT, lists_values=lowered.startswith(UNWRITABLE))
