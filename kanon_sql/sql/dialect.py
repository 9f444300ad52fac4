"""How an engine spells SQL: quoting, types, and the few expressions engines disagree on.

The base class is the common ground; a dialect in kanon_sql.sql.dialects states only its difference.
"""

from __future__ import annotations

import datetime
import decimal
from collections.abc import Iterable, Sequence
from typing import ClassVar

from kanon_sql.errors import JobError
from kanon_sql.frozen import dataclass
from kanon_sql.model.forms import Form


@dataclass(frozen=True)
class Relation:
    """A table or view by its parts: (catalog,) schema, name. How it is quoted is the dialect's business."""

    parts: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.parts[-1]

    @property
    def schema(self) -> str | None:
        return self.parts[-2] if len(self.parts) > 1 else None

    def __str__(self) -> str:
        return ".".join(self.parts)


@dataclass(frozen=True)
class CountedRelation(Relation):
    """A relation that stands for one with more rows: `n` is the column that says how many each of its rows stands for."""

    n: str


class Dialect:
    """The common ground of the engines."""

    name = "ansi"
    identifier_quote = '"'
    unfolds_subqueries = False
    """An expression of a subquery is put wherever its name stands, and computed as often."""
    max_identifier_bytes = 63
    """Longer names are truncated by the engine, silently: ours are shortened before that, without collisions."""
    as_table = "as materialized"
    """Before a CTE that is to be computed as it is written, not taken apart and joined in another order."""
    decimal_nan = False
    """Exact decimals may hold NaN."""
    types: ClassVar[dict[str, str]] = {
        "text": "varchar",
        "integer": "bigint",
        "small": "integer",
        "double": "double precision",
        "boolean": "boolean",
        "date": "date",
        "timestamp": "timestamp",
        "timestamptz": "timestamp with time zone",
    }

    def identifier(self, name: str) -> str:
        """A quoted identifier, whatever it holds."""
        if "\x00" in name:
            raise JobError("a name holds a NUL character", "rename the column or table")
        q = self.identifier_quote
        return q + name.replace(q, q + q) + q

    def relation(self, relation: Relation) -> str:
        return ".".join(self.identifier(part) for part in relation.parts)

    def rows_of(self, relation: Relation) -> str:
        """An aggregate over a relation: how many rows."""
        return f"sum({self.identifier(relation.n)})" if isinstance(relation, CountedRelation) else "count(*)"

    def literal(self, value: object) -> str:
        """A literal, quoted by its type."""
        if value is None:
            return "null"
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, (int, decimal.Decimal)):
            return str(value)
        if isinstance(value, float):
            return f"cast({self.text_literal(repr(value))} as {self.types['double']})"
        if isinstance(value, (datetime.date, datetime.datetime)):
            return self.text_literal(value.isoformat())
        return self.text_literal(str(value))

    def text_literal(self, text: str) -> str:
        if "\x00" in text:
            raise JobError("a value in the job file holds a NUL character", "remove it")
        return "'" + text.replace("'", "''") + "'"

    def literals(self, values: Iterable[object]) -> str:
        return ", ".join(self.literal(value) for value in values)

    def as_text(self, expression: str) -> str:
        return f"cast({expression} as {self.types['text']})"

    def printed(self, expression: str, kind: str) -> str:
        """A value as text that reads the same on every engine: `kind` is its column's."""
        if kind == "double":
            return self.printed_float(expression)
        if kind == "timestamptz":
            return f"{self.as_text(self.at_utc(expression))} || '+00'"
        return self.as_text(expression)

    def printed_float(self, expression: str) -> str:
        """The shortest decimal that is this float and no other, as 0.1, 12, 1e+20, NaN, Infinity."""
        return self.as_text(expression)

    def as_decimal(self, expression: str, scale: int) -> str:
        """An exact decimal."""
        return f"cast({expression} as decimal({self.digits_of_decimals(scale)}, {scale}))"

    def digits_of_decimals(self, scale: int) -> int:
        """28 digits leave room for sums; where many stand behind the point, it is all an engine has."""
        return 28 if scale <= 10 else 38

    def cast(self, expression: str, kind: str) -> str:
        return f"cast({expression} as {self.types[kind]})"

    def ordered(self, expression: str, kind: str) -> str:
        """An ordering that is the same on every engine: text by code point, what is neither text, number nor time by its text; NULL first."""
        if kind == "other":
            expression = self.as_text(expression)
        return f"{self.collated(expression) if kind in ('text', 'other') else expression} nulls first"

    # -- what a reader reads (see model/forms.py)

    def published(self, expression: str, form: Form, base: str | None = None) -> str:
        """The one value that is published for all values that equal it; `base`: the type a domain stands on."""
        value = expression if base is None else f"cast({expression} as {base})"
        if form is Form.FLOAT:
            return self.plain_float(value)
        if form is Form.REAL:  # the double that prints the same: 0.7 is 0.7, not 0.699999988
            return self.plain_float(self.cast(self.as_text(value), "double"))
        if form is Form.SCALED:
            return self.without_scale(value)
        if form is Form.COLLATED:
            return self.without_collation(value)
        return self.as_text(value) if form is Form.TEXT else value

    def read(self, expression: str, form: Form) -> str:
        """What tells values apart as a reader does, by an equality that is identity: the value itself, or the text it is printed as."""
        if form is Form.SAME:
            return expression
        return self.without_collation(expression) if form is Form.COLLATED else self.as_text(expression)

    def as_number(self, expression: str, form: Form) -> str:
        """What `read` made a text of, as a number again: for its order, not for its identity."""
        return self.cast(expression, "double") if form in (Form.FLOAT, Form.REAL) else expression

    def plain_float(self, value: str) -> str:
        """A float with one zero and one NaN."""
        nan = self.cast("'NaN'", "double")
        return f"case when {self.is_nan(value)} then {nan} else {value} + {self.cast('0', 'double')} end"

    def without_scale(self, value: str) -> str:
        """A decimal without the zeros at its end."""
        return value

    def without_collation(self, text: str) -> str:
        """A text that is compared by its bytes."""
        return text

    def collated(self, expression: str) -> str:
        """Text compared by code point."""
        return expression

    def least_text(self, expression: str) -> str:
        """The least text by code point, to be published: ordered as any other text of the engine."""
        return f"min({expression})"

    def decimal_as_double(self, expression: str) -> str:
        """The double nearest to an exact decimal."""
        return self.cast(expression, "double")

    def is_nan(self, expression: str) -> str:
        return f"isnan({expression})"

    def is_finite_date(self, expression: str) -> str:
        return f"isfinite({expression})"

    def at_utc(self, expression: str) -> str:
        """A timestamp with time zone as the timestamp it is in UTC."""
        return f"({expression} at time zone 'UTC')"

    def iso_year(self, expression: str) -> str:
        return f"extract(isoyear from {expression})"

    def quotient(self, dividend: str, divisor: str) -> str:
        """The whole part of a division of integers."""
        return f"({dividend} / {divisor})"

    def bit_count(self, expression: str) -> str:
        """How many bits of a big integer are set, as a big integer."""
        return f"cast(bit_count({expression}) as {self.types['integer']})"

    def bit(self, place: str) -> str:
        """A big integer in which one bit is set, by its place from 0."""
        return f"(cast(1 as {self.types['integer']}) << cast({place} as {self.types['small']}))"

    def lesser(self, left: str, right: str) -> str:
        """The lesser of two columns."""
        return f"least({left}, {right})"

    def greater(self, left: str, right: str) -> str:
        """The greater of two columns."""
        return f"greatest({left}, {right})"

    def element(self, values: Iterable[int], index: str) -> str:
        """One of some fixed integers, by its place from 0."""
        return f"list_extract([{', '.join(map(str, values))}], {index} + 1)"

    def repeated(self, times: str) -> str:
        """In a select list: the row once for each number from 1 to `times`, which it shows."""
        return f"generate_series(1, {times})"

    def few_least(self, expression: str, most: int) -> str:
        """In a select list with GROUP BY: a row for each of the least values of the group, at most so many."""
        return f"unnest((array_agg({expression} order by {expression}))[1:{most}])"

    def parts(self, expression: str, separator: str) -> str:
        """In a select list: a row for each part of a text."""
        return f"unnest(string_split({expression}, {self.text_literal(separator)}))"

    def listed(self, expression: str, separator: str, order: str) -> str:
        """An aggregate: texts one after another."""
        return f"string_agg({expression}, {self.text_literal(separator)} order by {order})"

    def matches(self, expression: str, pattern: str) -> str:
        """Whether the whole of a text is as a pattern says."""
        return f"{expression} similar to {self.text_literal(pattern)}"

    def person_digest(self, salt: str, person: str) -> str:
        """A salted digest of a person key: the same person, the same text, every night."""
        return f"substr(sha256({salt} || {self.as_text(person)}), 1, 32)"

    def salted_number(self, salt: str, text: str) -> str:
        """A salted digest of a text as a big integer that is never negative: 60 of its bits."""
        return f"cast('0x' || left(sha256({salt} || {text}), 15) as {self.types['integer']})"

    def row_hash(self, values: Sequence[str]) -> str:
        """An integer for a row's values, NULLs among them: the same for the same values, and to sort by it is cheap."""
        return f"hash({', '.join(values)})"

    def digest(self, values: Sequence[str]) -> str:
        """The integer of a row's values, of a type in which millions of them can be added."""
        return f"cast({self.row_hash(values)} as hugeint)"

    def create_work_table(self, name: str) -> str:
        """The opening of a CREATE TABLE … AS for a table that lives only as long as the run."""
        return f"create table {name}"

    def create_scratch_table(self, name: str) -> str:
        """The same for one that is made while a release is staged (`Backend.scratch`)."""
        return self.create_work_table(name)
