"""PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from kanon_sql.model.forms import Form
from kanon_sql.sql.dialect import Dialect

CHAINED = 100
"""So many columns are hashed one after another: a deeper expression would want more stack than some servers have."""


class PostgresDialect(Dialect):
    """PostgreSQL orders text by the database's collation unless told otherwise, and logs every table unless told otherwise."""

    name = "postgresql"
    decimal_nan = True
    unfolds_subqueries = True
    types: ClassVar[dict[str, str]] = Dialect.types | {"text": "text"}

    def collated(self, expression: str) -> str:
        return f'{expression} collate "C"'

    def least_text(self, expression: str) -> str:
        return f'(min({self.collated(expression)}) collate "default")'

    def as_decimal(self, expression: str, scale: int) -> str:
        return f"round(cast({expression} as numeric), {scale})"  # of any size

    def without_scale(self, value: str) -> str:
        return f"trim_scale({value})"

    def without_collation(self, text: str) -> str:
        return f'(cast({text} as text) collate "default")'  # which is deterministic in every database

    def printed(self, expression: str, kind: str) -> str:
        if kind == "other":  # what a client prints: a cast makes 10.0.0.1/32 of 10.0.0.1
            return self.read(expression, Form.TEXT)
        return super().printed(expression, kind)

    def read(self, expression: str, form: Form) -> str:
        if form is Form.TEXT:  # what a client prints: a cast leaves out the spaces at the end of a bpchar
            return f"case when {expression} is not null then format('%s', {expression}) end"
        return super().read(expression, form)

    def as_number(self, expression: str, form: Form) -> str:
        return f"cast({expression} as numeric)" if form is Form.SCALED else super().as_number(expression, form)

    def is_nan(self, expression: str) -> str:
        return f"({expression} = 'NaN')"

    def bit_count(self, expression: str) -> str:
        return f"bit_count(cast({expression} as bit(64)))"

    def element(self, values: Iterable[int], index: str) -> str:
        return f"(cast('{{{','.join(map(str, values))}}}' as bigint[]))[{index} + 1]"

    def parts(self, expression: str, separator: str) -> str:
        return f"unnest(string_to_array({expression}, {self.text_literal(separator)}))"

    def person_digest(self, salt: str, person: str) -> str:
        return f"substr(encode(sha256(convert_to({salt} || {self.as_text(person)}, 'UTF8')), 'hex'), 1, 32)"

    def __init__(self, casts_bytes: bool = False) -> None:
        self.casts_bytes = casts_bytes
        """Whether bytes can be cast to a number, which is quicker than by way of their digits."""

    def salted_number(self, salt: str, text: str) -> str:
        first_bytes = f"substr(sha256(convert_to({salt} || {text}, 'UTF8')), 1, 8)"
        if self.casts_bytes:
            return f"((cast({first_bytes} as bigint) >> 4) & {(1 << 60) - 1})"
        digest = f"encode({first_bytes}, 'hex')"
        return f"cast(cast('x0' || substr({digest}, 1, 15) as bit(64)) as bigint)"

    def row_hash(self, values: Sequence[str]) -> str:
        if len(values) > CHAINED:
            return f"hashtextextended(cast(row({', '.join(values)}) as text), 0)"
        hashed = "0"
        for value in values:  # each from the one before: a third of what it takes to print the row and to hash that
            hashed = (
                f"hashtextextended(coalesce(cast({value} as text), ''), {hashed} # cast({value} is null as integer))"
            )
        return hashed

    def digest(self, values: Sequence[str]) -> str:
        return f"cast({self.row_hash(values)} as numeric)"

    def create_work_table(self, name: str) -> str:
        # Unlogged: a crash empties it, which is what should happen to a work table.
        return f"create unlogged table {name}"
