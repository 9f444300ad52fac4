"""What Spark's catalog tells of relations: columns and their types, views and what they read, marks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kanon_sql.backends.base import Backend
from kanon_sql.backends.columns import ColumnInfo
from kanon_sql.backends.spark_types import column_info
from kanon_sql.backends.spark_warehouse import Warehouse
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.statement import Statement

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


class SparkCatalog(Backend):
    """The part of the backend that asks what is there; where the catalog is in memory, the warehouse knows more."""

    session: SparkSession
    warehouse: Warehouse | None

    def describe(self, relation: Relation) -> list[ColumnInfo]:
        if not self.exists(relation):
            return []
        schema = self.session.table(self.dialect.relation(relation)).schema
        return [column_info(field.name, field.dataType.simpleString()) for field in schema.fields]

    def exists(self, relation: Relation) -> bool:
        return bool(self.session.catalog.tableExists(self.dialect.relation(relation)))

    def relation_kind(self, relation: Relation) -> str | None:
        if not self.exists(relation):
            return None
        found = self.session.catalog.getTable(self.dialect.relation(relation))
        return "view" if found.tableType == "VIEW" else "table"

    def relations(self, schema: str) -> list[tuple[str, Relation]]:
        if not self.session.catalog.databaseExists(self.dialect.identifier(schema)):
            return []
        name = self.dialect.identifier(schema)
        found = self.fetch(Statement("meta/relations", f"show tables in {name}"))
        views = {row[1] for row in self.fetch(Statement("meta/views", f"show views in {name}"))}
        names = {str(table) for _, table, temporary in found if not temporary}
        if self.warehouse is not None:
            names.update(self.warehouse.half_written(schema))  # a janitor must find them, though the catalog does not
        return [("view" if table in views else "table", Relation((schema, table))) for table in sorted(names)]

    def identity(self, relation: Relation) -> tuple[str, ...]:
        return tuple(part.lower() for part in relation.parts)

    def view_tables(self, view: Relation) -> list[Relation]:
        text = self.view_definition(view) or ""
        found = re.fullmatch(r"\s*select\s+\*\s+from\s+((?:`(?:[^`]|``)*`|\w+)(?:\.(?:`(?:[^`]|``)*`|\w+))*)\s*", text)
        if found is None:
            return []
        parts = [part.strip("`").replace("``", "`") for part in re.findall(r"`(?:[^`]|``)*`|\w+", found[1])]
        return [Relation(tuple(parts[-2:]))]

    def mark(self, table: Relation, text: str) -> None:
        if self.warehouse is not None:
            self.warehouse.mark(table, text)
        else:
            super().mark(table, text)

    def mark_of(self, table: Relation) -> str | None:
        return self.warehouse.mark_of(table) if self.warehouse is not None else super().mark_of(table)

    def _comment(self, table: Relation) -> str | None:
        rows = self.fetch(Statement("meta/mark", f"describe table extended {self.dialect.relation(table)}"))
        return next((str(row[1]) for row in rows if row[0] == "Comment"), None)

    def view_definition(self, view: Relation) -> str | None:
        if self.relation_kind(view) != "view":
            return None
        rows = self.fetch(Statement("meta/view_definition", f"describe table extended {self.dialect.relation(view)}"))
        return next((str(row[1]) for row in rows if row[0] == "View Text"), None)
