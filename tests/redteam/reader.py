"""What a reader of a table reads: the text that an ordinary client prints of every value, and the types it is told. No code of the package."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import duckdb
import psycopg

Text = str | None


@dataclass(frozen=True)
class Table:
    """Columns with the types the catalog shows, and rows of texts as a client prints them (NULL is None)."""

    columns: tuple[str, ...]
    types: dict[str, str]
    rows: list[tuple[Text, ...]]

    def column(self, name: str) -> list[Text]:
        place = self.columns.index(name)
        return [row[place] for row in self.rows]

    def records(self) -> list[dict[str, Text]]:
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


def read_table(url: str, table: str) -> Table:
    """Read a table of DuckDB or PostgreSQL whole, by the database's own client."""
    return _read_duckdb(url, table) if url.startswith("duckdb:") else _read_postgres(url, table)


def _quoted(name: str, quote: str = '"') -> str:
    return quote + name.replace(quote, quote + quote) + quote


def _read_duckdb(url: str, table: str) -> Table:
    connection = duckdb.connect(url.removeprefix("duckdb:///"), read_only=True)
    try:
        described = connection.execute(f"describe {table}").fetchall()
        columns = tuple(str(row[0]) for row in described)
        # Printing is the database's; grouping is done here, on the printed text, where no collation reaches.
        shown = ", ".join(f"cast({_quoted(name)} as varchar)" for name in columns)
        rows = connection.execute(f"select {shown} from {table}").fetchall()
        return Table(columns, {str(row[0]): str(row[1]) for row in described}, [tuple(row) for row in rows])
    finally:
        connection.close()


def _read_postgres(url: str, table: str) -> Table:
    with psycopg.connect(url.replace("postgresql+psycopg:", "postgresql:"), autocommit=True) as connection:
        cursor = connection.execute(f"select * from {table} limit 0")  # type: ignore[arg-type]
        assert cursor.description is not None
        columns = tuple(column.name for column in cursor.description)
        oids = [(column.name, column.type_code) for column in cursor.description]
        types = {
            name: connection.execute("select format_type(%s, -1)", [oid]).fetchone()[0]  # type: ignore[index]
            for name, oid in oids
        }
        rows: list[tuple[Text, ...]] = []
        # COPY hands out what the types' own output functions print, as psql shows it.
        with connection.cursor() as reading, reading.copy(f"copy (select * from {table}) to stdout") as copy:  # type: ignore[arg-type]
            whole = b"".join(bytes(block) for block in copy).decode()
        rows = [tuple(map(_unescaped, line.split("\t"))) for line in whole.split("\n")[:-1]]
        return Table(columns, types, rows)


ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


def _unescaped(field: str) -> Text:
    if field == r"\N":
        return None
    if "\\" not in field:
        return field
    shown, characters = "", iter(field)
    for character in characters:
        if character == "\\":
            following = next(characters)
            shown += ESCAPES.get(following, following)
        else:
            shown += character
    return shown


def read_spark(session: Any, table: str) -> Table:
    """Read a table of Spark by its session; bytes are read as hexadecimal digits."""
    frame = session.table(table)
    columns = tuple(frame.columns)
    types = {field.name: field.dataType.simpleString() for field in frame.schema.fields}
    shown = ", ".join(
        f"hex({_quoted(name, '`')})" if types[name] == "binary" else f"cast({_quoted(name, '`')} as string)"
        for name in columns
    )
    rows = [tuple(row) for row in session.sql(f"select {shown} from {table}").collect()]
    return Table(columns, types, rows)
