"""The label of a value at a level, as an SQL expression that reads the same on every engine.

Labels are text and must not depend on how an engine prints numbers or dates, so they are put together from integers and
exact decimals. NULL stays NULL up to `*`.
"""

from __future__ import annotations

import itertools
from decimal import ROUND_CEILING, Decimal

from kanon_sql.model.attribute import Attribute
from kanon_sql.model.forms import Form
from kanon_sql.model.levels import (
    STAR_LABEL,
    CutsLevel,
    DateLevel,
    Level,
    LookupLevel,
    PrefixLevel,
    Raw,
    Star,
    WidthLevel,
)
from kanon_sql.model.published_type import STORED, TEXT
from kanon_sql.sql.dialect import Dialect

TOO_LARGE = Decimal(10) ** 15
"""A double this many widths away from 0 is beyond exact intervals and gets a label of its own."""
LARGEST_INTEGER = 2**63 - 1


def level_label(dialect: Dialect, attribute: Attribute, level: Level, value: str, lookup: str) -> str:
    """The label expression of `level` for the SQL expression `value`; `lookup` is the alias of the joined lookup table."""
    if isinstance(level, Raw):
        return dialect.printed(value, attribute.kind)
    if isinstance(level, Star):
        return dialect.text_literal(STAR_LABEL)
    if isinstance(level, LookupLevel):
        return f"{lookup}.{dialect.identifier(f'label_{level.index}')}"
    if isinstance(level, PrefixLevel):
        text = dialect.as_text(value)
        return (
            f"case when length({text}) > {level.length} then substr({text}, 1, {level.length}) || '*' else {text} end"
        )
    if isinstance(level, DateLevel):
        return _date_label(dialect, attribute.kind, level.part, value)
    if isinstance(level, WidthLevel):
        return _guarded(dialect, attribute, value, _width_label(dialect, attribute, level.width, value), level.width)
    assert isinstance(level, CutsLevel)
    return _guarded(dialect, attribute, value, _cuts_label(dialect, attribute, level.cuts, value), None)


def published_value(dialect: Dialect, attribute: Attribute, level: Level, value: str, label: str) -> str:
    """What a release publishes of a value: its label, or that as the type its column has; `label` is the label's expression."""
    if attribute.published_as == TEXT:
        return label
    if attribute.published_as == STORED:
        return value if isinstance(level, Raw) else label
    return dialect.cast(value if isinstance(level, Raw) else label, attribute.published_as)


def lookup_condition(dialect: Dialect, attribute: Attribute, value: str, lookup: str) -> str:
    """When a value matches a row of its lookup: as numbers where text may differ (1.50 and 1.5), else as text."""
    key = f"{lookup}.{dialect.identifier('value')}"
    if attribute.form is Form.SCALED:
        return f"{value} = {dialect.as_number(key, attribute.form)}"
    if attribute.kind == "decimal":
        return f"{dialect.as_decimal(value, attribute.scale)} = {dialect.as_decimal(key, attribute.scale)}"
    if attribute.kind == "double":
        return f"{value} = {dialect.cast(key, 'double')}"
    return f"{dialect.as_text(value)} = {key}"


def _guarded(dialect: Dialect, attribute: Attribute, value: str, label: str, width: Decimal | None) -> str:
    """NaN, infinities and what lies beyond exact intervals have labels of their own."""
    branches = []
    if attribute.kind == "double" or (attribute.kind == "decimal" and dialect.decimal_nan):
        branches.append(f"when {dialect.is_nan(value)} then 'NaN'")
    edge = None if width is None else _edge(dialect, attribute, width)
    if edge is not None:
        branches.append(f"when {value} >= {edge} then 'very large' when {value} <= -{edge} then 'very small'")
    return f"case {' '.join(branches)} else {label} end" if branches else label


def _edge(dialect: Dialect, attribute: Attribute, width: Decimal) -> str | None:
    """Where intervals end that can be computed exactly; none where no value of the type is beyond it."""
    if attribute.kind == "double":
        return dialect.cast(str(TOO_LARGE * width), "double")
    if attribute.kind == "integer":
        return str(LARGEST_INTEGER - width.to_integral_value(ROUND_CEILING)) if attribute.wide else None
    if dialect.decimal_nan:  # of any size, and infinite
        return dialect.as_number("'Infinity'", Form.SCALED)
    digits = dialect.digits_of_decimals(scale := max(_scale(width), attribute.scale))
    return str(10 ** (digits - 1 - scale)) if attribute.wide else None


def _scale(number: Decimal) -> int:
    exponent = number.normalize().as_tuple().exponent
    assert isinstance(exponent, int)
    return max(0, -exponent)


def _width_label(dialect: Dialect, attribute: Attribute, width: Decimal, value: str) -> str:
    if attribute.kind == "integer" and _scale(width) == 0:
        x = dialect.cast(value, "integer")
        low = f"({x} - ((({x} % {width}) + {width}) % {width}))"  # % keeps the sign of x on every engine
        return f"{dialect.as_text(low)} || '-' || {dialect.as_text(f'({low} + {width - 1})')}"
    scale = _scale(width)
    if attribute.kind == "double":
        low = float_low(dialect, width, value)
    else:
        exact = attribute.form is Form.SCALED
        scale = scale if exact else max(scale, attribute.scale)
        x, w = value if exact else dialect.as_decimal(value, scale), dialect.as_decimal(str(width), scale)
        low = f"({x} - ((({x} % {w}) + {w}) % {w}))"
    shown_low = dialect.as_text(dialect.as_decimal(low, scale))
    shown_high = dialect.as_text(dialect.as_decimal(f"({low} + {dialect.as_decimal(str(width), scale)})", scale))
    return f"'[' || {shown_low} || ', ' || {shown_high} || ')'"


def float_low(dialect: Dialect, width: Decimal, value: str) -> str:
    """Where the interval of a float begins, as an exact decimal: 0.3 lies in [0.3, 0.4), though 0.3 / 0.1 is a little less than 3.

    The quotient may miss by one. So the ends are held against the value as the floats nearest to them: a float that prints as an
    end is that end.
    """
    scale = _scale(width)
    step = dialect.as_decimal(str(width), scale)

    def end(places: int) -> str:
        index = dialect.cast(f"floor({value} / {dialect.cast(str(width), 'double')})", "integer")
        return f"({dialect.as_decimal(f'({index} + {places})', 0)} * {step})"

    below, above = (dialect.decimal_as_double(end(places)) for places in (0, 1))
    return f"case when {value} < {below} then {end(-1)} when {value} >= {above} then {end(1)} else {end(0)} end"


def _cuts_label(dialect: Dialect, attribute: Attribute, cuts: tuple[Decimal, ...], value: str) -> str:
    whole = attribute.kind == "integer" and all(_scale(cut) == 0 for cut in cuts)
    branches = [f"when {value} < {cuts[0]} then '<{cuts[0]}'"]
    for low, high in itertools.pairwise(cuts):
        label = f"{low}-{high - 1}" if whole else f"[{low}, {high})"
        branches.append(f"when {value} < {high} then '{label}'")
    return f"case {' '.join(branches)} when {value} >= {cuts[-1]} then '>={cuts[-1]}' end"


def _date_label(dialect: Dialect, kind: str, part: str, value: str) -> str:
    moment = dialect.at_utc(value) if kind == "timestamptz" else value

    def number(field: str, width: int) -> str:
        extracted = dialect.iso_year(moment) if field == "isoyear" else f"extract({field} from {moment})"
        return f"lpad({dialect.as_text(dialect.cast(extracted, 'integer'))}, {width}, '0')"

    year = number("year", 4)
    if part == "year":
        label = year
    elif part == "quarter":
        label = f"{year} || '-Q' || {number('quarter', 1)}"
    elif part == "month":
        label = f"{year} || '-' || {number('month', 2)}"
    elif part == "week":
        label = f"{number('isoyear', 4)} || '-W' || {number('week', 2)}"
    elif part == "day":
        label = f"{year} || '-' || {number('month', 2)} || '-' || {number('day', 2)}"
    else:
        whole = dialect.cast(f"extract(year from {moment})", "integer")
        start = f"({whole} - ((({whole} % 10) + 10) % 10))"
        label = f"{dialect.as_text(start)} || '-' || {dialect.as_text(f'({start} + 9)')}"
    return f"case when {dialect.is_finite_date(value)} then {label} when {value} is not null then 'infinite' end"
