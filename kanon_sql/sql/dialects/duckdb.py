"""DuckDB: the embedded default."""

from __future__ import annotations

from typing import ClassVar

from kanon_sql.sql.dialect import Dialect


class DuckDBDialect(Dialect):
    """DuckDB orders text by code point and has no limit on identifiers that matters here."""

    name = "duckdb"
    types: ClassVar[dict[str, str]] = Dialect.types | {"double": "double"}

    def quotient(self, dividend: str, divisor: str) -> str:
        return f"({dividend} // {divisor})"

    def lesser(self, left: str, right: str) -> str:
        return f"(case when {left} < {right} then {left} else {right} end)"  # least() takes three times as long

    def greater(self, left: str, right: str) -> str:
        return f"(case when {left} > {right} then {left} else {right} end)"

    def repeated(self, times: str) -> str:
        return f"unnest(generate_series(1, {times}))"

    def few_least(self, expression: str, most: int) -> str:
        return f"unnest(min({expression}, {most}))"

    def decimal_as_double(self, expression: str) -> str:
        return self.cast(
            self.as_text(expression), "double"
        )  # by itself it divides by a power of ten, and may miss the nearest

    def printed_float(self, expression: str) -> str:
        # It prints 1.0, nan and inf.
        return (
            f"case when isnan({expression}) then 'NaN' when isinf({expression}) then case when {expression} > 0 then 'Infinity' "
            f"else '-Infinity' end else regexp_replace({self.as_text(expression)}, '[.]0$', '') end"
        )

    def without_collation(self, text: str) -> str:
        return f"decode(encode({text}))"  # a cast keeps the collation

    def create_scratch_table(self, name: str) -> str:
        return f"create temp table {name}"
