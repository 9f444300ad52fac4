"""What DuckDB's catalog tells of relations: columns and their types, views and what they read, comments."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

from kanon_sql.backends.base import Backend
from kanon_sql.backends.columns import ColumnInfo
from kanon_sql.backends.duckdb_driver import duckdb
from kanon_sql.backends.duckdb_types import column_info
from kanon_sql.backends.rows import Row
from kanon_sql.errors import JobError
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.statement import Statement


class DuckDBCatalog(Backend):
    """The half of the backend that asks what is there, and changes nothing but temporary relations."""

    connection: duckdb.DuckDBPyConnection
    catalog: str

    def _looked_up(self, label: str, question: str, *names: str) -> list[Row]:
        """What the catalog answers to a question about $1, $2, ... It is planned once: a night asks dozens of times, and planning was most of it."""
        if question not in self._planned:
            self._planned[question] = f"kanon_look_up_{len(self._planned)}"
            self.connection.execute(f"prepare {self._planned[question]} as {question}")
        given = ", ".join(map(self.dialect.text_literal, names))
        return self._told(label, f"execute {self._planned[question]}({given})")

    def _told(self, label: str, question: str) -> list[Row]:
        """An answer holds until this process changes something: it has the file for itself, or nobody may write to it."""
        if question not in self._answers:
            self._answers[question] = self.fetch(Statement(label, question))
        return self._answers[question]

    @cached_property
    def _planned(self) -> dict[str, str]:
        return {}

    @cached_property
    def _answers(self) -> dict[str, list[Row]]:
        return {}

    def describe(self, relation: Relation) -> list[ColumnInfo]:
        # Work tables are our own, just made; looking in the catalog costs more than describing.
        if relation.parts[0] != self.work_schema and not self.exists(relation):
            return []
        rows = self._told("meta/describe", f"describe {self.dialect.relation(relation)}")
        collated = self._collated(relation, [str(row[0]) for row in rows if row[1] == "VARCHAR"])
        return [column_info(str(row[0]), str(row[1]), str(row[0]) in collated) for row in rows]

    def _collated(self, relation: Relation, texts: list[str]) -> set[str]:
        """The text columns under a collation. No catalog view shows it but the text of a table, so a view is copied without rows."""
        if not texts:
            return set()
        ours = len(relation.parts) == 2
        found = self._looked_up(
            "meta/collations",
            "select sql from duckdb_tables() where database_name = $1 and schema_name = $2 and table_name = $3",
            *((relation.parts[0], "main", relation.parts[1]) if ours else relation.parts),
        )
        if (
            " COLLATE " not in str(found[0][0]) if found else ours
        ):  # our own views are of what is published, or of files
            return set()
        shown = ", ".join(f"{self.dialect.identifier(text)} as c{place}" for place, text in enumerate(texts))
        copied = f"create or replace temp table kanon_collations as select {shown} from {self.dialect.relation(relation)} limit 0"
        self.execute(
            Statement("meta/collations", copied)
        )  # a temporary one, which is allowed in the middle of any transaction
        sql = "select sql from duckdb_tables() where database_name = 'temp' and table_name = 'kanon_collations'"
        text = str(self.fetch_one(Statement("meta/collations", sql))[0])
        return {texts[int(place)] for place in re.findall(r"\bc(\d+) VARCHAR COLLATE ", text)}

    def exists(self, relation: Relation) -> bool:
        return self.relation_kind(relation) is not None

    def relation_kind(self, relation: Relation) -> str | None:
        found = self._looked_up(
            "meta/relation_kind",
            "select table_type from information_schema.tables "
            "where lower(table_catalog) = lower($1) and lower(table_schema) = lower($2) and lower(table_name) = lower($3)",
            *(relation.parts if len(relation.parts) == 3 else (relation.parts[0], "main", relation.parts[1])),
        )
        return None if not found else "view" if found[0][0] == "VIEW" else "table"

    def relations(self, schema: str) -> list[tuple[str, Relation]]:
        lit = self.dialect.text_literal
        sql = (
            "select table_type, table_name from information_schema.tables "
            f"where table_catalog = {lit(self.catalog)} and lower(table_schema) = lower({lit(schema)}) order by table_name"
        )
        found = self.fetch(Statement("meta/relations", sql))
        return [("view" if kind == "VIEW" else "table", Relation((self.catalog, schema, str(n)))) for kind, n in found]

    def kept_relation(self, name: str) -> Relation:
        return Relation((self.catalog, "kanon_kept", name))  # work tables live in memory

    def identity(self, relation: Relation) -> tuple[str, ...]:
        # Names differ by more than case, and a file that is renamed, its catalog with it, still holds the same tables.
        parts = tuple(part.lower() for part in relation.parts)
        return parts[1:] if len(parts) == 3 and parts[0] == self.catalog.lower() else parts

    def scratch(self, view: Relation) -> Relation:
        # A transaction writes to one database, and to temporary relations.
        return Relation(("temp", view.name))

    def pins(self, relation: Relation) -> bool:
        # One process writes to a file; what a view or a file shows may come from elsewhere.
        return relation.parts[0] == self.catalog and self.relation_kind(relation) == "table"

    def view_tables(self, view: Relation) -> list[Relation]:
        if self.relation_kind(view) != "view":
            return []
        read = f"select * from {self.dialect.relation(view)}"
        try:
            names = self.connection.get_table_names(read, qualified=True)
            return [self.relation(name) for name in sorted(names)]
        except (duckdb.Error, JobError):  # it does not bind any more, or names what is no table
            return []

    def _comment(self, table: Relation) -> str | None:
        found = self._looked_up(
            "meta/mark",
            "select comment from duckdb_tables() "
            "where lower(database_name) = lower($1) and lower(schema_name) = lower($2) and lower(table_name) = lower($3)",
            *table.parts,
        )
        return None if not found or found[0][0] is None else str(found[0][0])

    def view_definition(self, view: Relation) -> str | None:
        found = self._view_facts(view, "sql")
        return None if found is None else str(found)

    def privileges(self, view: Relation, columns: Sequence[str] | None = None) -> list[Statement]:
        comment = self._view_facts(view, "comment")
        if comment is None:
            return []
        name = self.dialect.relation(view)
        return [Statement("release/comment", f"comment on view {name} is {self.dialect.text_literal(str(comment))}")]

    def comments(self, view: Relation) -> dict[str | None, str | None] | None:
        comment = self._view_facts(view, "comment")
        names: list[str | None] = [column.name for column in self.describe(view)]
        # Replacing a view forgets the comments on its columns, so those that are there are ours or of this night.
        return dict.fromkeys(names) | {None: None if comment is None else str(comment)}

    def _view_facts(self, view: Relation, column: str) -> object:
        found = self._looked_up(
            f"meta/view_{column}",
            f"select {column} from duckdb_views() "
            "where lower(database_name) = lower($1) and lower(schema_name) = lower($2) and lower(view_name) = lower($3)",
            *view.parts,
        )
        return found[0][0] if found else None
