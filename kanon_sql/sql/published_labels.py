"""What a release publishes for a group of values, and how to read it again: intervals, sets of values, and NULL beside them.

A numeric is published as `[24-30]` (the least and the greatest value of its group), a single value as itself: `24`. A categorical is
published as the label of a common ancestor (a label of the job's levels) or as the sorted set of its values, `{a, b, c}`, a single
value as itself. Where NULL is in the group as well, ` or NULL` follows; a group of NULLs alone is NULL. `*` is anything.
A comma within a value is written `\\c` in a set and a backslash `\\\\`, so that `, ` always parts two values: sets can be read without
doubt. Everything here is an SQL expression made of functions that every engine has.
"""

from __future__ import annotations

from kanon_sql.sql.dialect import Dialect

OR_NULL = " or NULL"
NULL_ELEMENT = "\\N"
"""NULL among the elements of a set: no value stands there like this, since a backslash is doubled."""
NUMBER = "-?[0-9]+([.][0-9]+)?([eE][+-]?[0-9]+)?"
"""A number, as a pattern that means the same on every engine, to SIMILAR TO as to a regular expression."""


# -- writing


def interval_label(dialect: Dialect, low: str, high: str, has_null: str | None = None) -> str:
    """The label of a numeric group. `low`, `high`: its least and greatest value; `has_null`: a condition, or none.

    Both NULL means that the group has no value but NULL.
    """
    low_text, high_text = dialect.as_text(low), dialect.as_text(high)
    label = f"case when {low} = {high} then {low_text} else '[' || {low_text} || '-' || {high_text} || ']' end"
    return _with_null(label, has_null)


def set_label(dialect: Dialect, value: str, has_null: str | None = None) -> str:
    """The label of a categorical group: an aggregate over its distinct values (one row each, `value` is text, NULL is left out)."""
    listed = dialect.listed(set_element(dialect, value), ", ", dialect.collated(value))
    one = dialect.least_text(value)
    if has_null is None:
        return f"case when count({value}) <= 1 then {one} else '{{' || {listed} || '}}' end"
    alone = f"case when count({value}) <= 1 and not ({has_null}) then {one} else '{{' || {listed} || '}}' end"
    return _with_null(alone, has_null)


def set_element(dialect: Dialect, value: str) -> str:
    """A value as it stands in a set."""
    one, two, comma = (dialect.text_literal(text) for text in ("\\", "\\\\", "\\c"))
    return f"replace(replace({value}, {one}, {two}), ',', {comma})"


def _with_null(label: str, has_null: str | None) -> str:
    return label if has_null is None else f"({label}) || case when {has_null} then '{OR_NULL}' else '' end"


# -- reading


def covers_null(label: str) -> str:
    """Whether a label says that NULL is among its values."""
    return f"({label} like '%{OR_NULL}')"


def without_null(label: str) -> str:
    """The label without what it says of NULL."""
    return f"case when {label} like '%{OR_NULL}' then substr({label}, 1, length({label}) - {len(OR_NULL)}) else {label} end"


def is_interval(dialect: Dialect, label: str) -> str:
    """Whether a label (without NULL) is a numeric interval or a single number."""
    inner = f"substr({label}, 2, length({label}) - 2)"
    number, two = dialect.matches(label, NUMBER), dialect.matches(inner, f"{NUMBER}-{NUMBER}")
    return f"({number} or ({label} like '[%]' and {two}))"


def interval_low(dialect: Dialect, label: str) -> str:
    """The least value of an interval, as a double. Guard it with `is_interval`."""
    end = f"case when {label} like '[%' then substr({label}, 2, {_dash(label)} - 2) else {label} end"
    return dialect.cast(end, "double")


def interval_high(dialect: Dialect, label: str) -> str:
    """The greatest value of an interval, as a double. Guard it with `is_interval`."""
    start = f"({_dash(label)} + 1)"
    end = f"case when {label} like '[%' then substr({label}, {start}, length({label}) - {start}) else {label} end"
    return dialect.cast(end, "double")


def _dash(label: str) -> str:
    """The place of the dash between two numbers: the first that is neither a sign nor of an exponent."""
    return f"(position('-' in replace(replace(substr({label}, 3), 'e-', 'e~'), 'E-', 'E~')) + 2)"


def is_set(label: str) -> str:
    """Whether a label (without NULL) is a set of values."""
    return f"({label} like '{{%}}')"


def set_has(dialect: Dialect, label: str, value: str) -> str:
    """Whether a set holds a value (text)."""
    inside = f"', ' || substr({label}, 2, length({label}) - 2) || ', '"
    return f"position(', ' || {set_element(dialect, value)} || ', ' in {inside}) > 0"


def element(dialect: Dialect, value: str, label: str) -> str:
    """A value, whose label is text, as it is among `elements`."""
    return f"case when {value} is null then {dialect.text_literal(NULL_ELEMENT)} else {set_element(dialect, label)} end"


def elements(dialect: Dialect, label: str, has_null: str) -> str:
    """In a select list: the values of a set, or of a single value (without NULL), each as it stands in a set, and NULL_ELEMENT."""
    inner = (
        f"case when {is_set(label)} then substr({label}, 2, length({label}) - 2) else {set_element(dialect, label)} end"
    )
    null = dialect.text_literal(f", {NULL_ELEMENT}")
    return dialect.parts(f"{inner} || case when {has_null} then {null} else '' end", ", ")


def set_length(label: str) -> str:
    """The characters of a set's values and their separators: a set that was read whole has as many."""
    return f"(length({label}) - 2)"
