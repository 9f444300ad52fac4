"""Apache Spark SQL, in ANSI mode and a session in UTC."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from kanon_sql.errors import JobError
from kanon_sql.sql.dialect import Dialect


class SparkDialect(Dialect):
    """Spark quotes by backticks, reads backslashes in literals, and its TIMESTAMP is a moment, not a reading of a clock."""

    name = "spark"
    identifier_quote = "`"
    max_identifier_bytes = 200
    """A table is a directory: the limit is the file system's."""
    as_table = "as"
    types: ClassVar[dict[str, str]] = Dialect.types | {
        "text": "string",
        "small": "int",
        "double": "double",
        "timestamp": "timestamp_ntz",
        "timestamptz": "timestamp",
    }

    def text_literal(self, text: str) -> str:
        if "\x00" in text:
            raise JobError("a value in the job file holds a NUL character", "remove it")
        # Two literals side by side are one on some versions ('it''s' is its): a quote is escaped, not doubled.
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"

    def printed_float(self, expression: str) -> str:
        # It prints 1.0, 1.0E7 and 1.0E-4: digits as they are up to 1e15, and exponents as 1e+20.
        plain = f"cast(cast({expression} as decimal(38, 22)) as string)"
        scientific = (
            f"regexp_replace(regexp_replace(regexp_replace({self.as_text(expression)}, '[.]0E', 'E'), "
            "'E([0-9])', 'e+$1'), 'E-', 'e-')"
        )
        return (
            f"case when abs({expression}) >= 1e-4 and abs({expression}) < 1e15 "
            f"then regexp_replace({plain}, '[.]?0+$', '') when {expression} = 0 then '0' "
            f"else regexp_replace({scientific}, 'e([+-])([0-9])$', 'e$10$2') end"
        )

    def without_collation(self, text: str) -> str:
        return f"collate({text}, 'UTF8_BINARY')"

    def is_finite_date(self, expression: str) -> str:
        return f"({expression} is not null)"  # Spark has no infinite dates

    def at_utc(self, expression: str) -> str:
        return f"cast({expression} as timestamp_ntz)"  # the session is in UTC

    def iso_year(self, expression: str) -> str:
        return f"extract(yearofweek from {expression})"

    def quotient(self, dividend: str, divisor: str) -> str:
        return f"({dividend} div {divisor})"  # 7 / 2 is 3.5

    def element(self, values: Iterable[int], index: str) -> str:
        return f"array({', '.join(f'{value}L' for value in values)})[int({index})]"

    def bit(self, place: str) -> str:
        return f"shiftleft(1L, int({place}))"

    def repeated(self, times: str) -> str:
        return f"explode(sequence(1, {times}))"

    def few_least(self, expression: str, most: int) -> str:
        return f"explode(slice(sort_array(collect_list({expression})), 1, {most}))"

    def parts(self, expression: str, separator: str) -> str:
        return f"explode(split({expression}, {self.text_literal(separator)}))"

    def listed(self, expression: str, separator: str, order: str) -> str:
        return f"string_agg({expression}, {self.text_literal(separator)}) within group (order by {order})"

    def person_digest(self, salt: str, person: str) -> str:
        return f"substr(sha2({salt} || {self.as_text(person)}, 256), 1, 32)"

    def salted_number(self, salt: str, text: str) -> str:
        return f"cast(conv(substr(sha2({salt} || {text}, 256), 1, 15), 16, 10) as bigint)"

    def row_hash(self, values: Sequence[str]) -> str:
        return self._xxhash64([self.as_text(value) for value in values])  # a map has no hash, its text has

    def digest(self, values: Sequence[str]) -> str:
        return f"cast({self._xxhash64(values)} as decimal(38, 0))"

    def _xxhash64(self, values: Sequence[str]) -> str:
        # It passes over NULLs: whether there is one is a value of its own.
        shown = ", ".join(f"{value}, {value} is null" for value in values)
        return f"xxhash64({shown})"

    def printed(self, expression: str, kind: str) -> str:
        if kind == "other":  # bytes: a cast takes them for letters
            return f"hex({expression})"
        return super().printed(expression, kind)

    def matches(self, expression: str, pattern: str) -> str:
        return f"{expression} rlike {self.text_literal(f'^({pattern})$')}"
