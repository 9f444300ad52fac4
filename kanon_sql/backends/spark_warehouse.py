"""Where Spark's tables lie when the catalog is in memory: a directory that a new session reads its tables from.

A table is the directory <warehouse>/<schema>.db/<table> (of the default schema <warehouse>/<table>) and is whole when it holds
_SUCCESS, which Spark writes last. What a published view points at stands in <warehouse>/<schema>.db/_views/<view>, replaced by
one rename: that rename is the publication. Files are reached through Hadoop's file systems, so the directory may be on any of them.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from typing import Any

from kanon_sql.sql.dialect import Relation

DEFAULT_SCHEMA = "default"
POINTERS = "_views"
WHOLE = "_SUCCESS"
STALE_SECONDS = 7 * 24 * 3600
"""Work tables of a killed run are removed when they are this old; no run takes so long."""


class Warehouse:
    """The tables and the published views below one directory."""

    def __init__(self, jvm: Any, gateway: Any, configuration: Any, location: str) -> None:
        self.hadoop = jvm.org.apache.hadoop.fs
        self.location = location
        root = self.hadoop.Path(location)
        self.files = root.getFileSystem(configuration)
        self.context = self.hadoop.FileContext.getFileContext(self.files.makeQualified(root).toUri(), configuration)
        self._overwrite = gateway.new_array(getattr(self.hadoop, "Options$Rename"), 1)
        self._overwrite[0] = getattr(self.hadoop, "Options$Rename").OVERWRITE
        self.files.mkdirs(root)

    def tables(self, skipped: str) -> Iterator[tuple[Relation, str]]:
        """The whole tables and their directories, those of the schema `skipped` aside."""
        for schema, folder in self._schemas():
            if schema == skipped:
                continue
            for name in self._folders(folder):
                path = f"{folder}/{name}"
                if not name.startswith(("_", ".")) and not name.endswith(".db") and self._exists(f"{path}/{WHOLE}"):
                    yield Relation((schema, name)), path

    def half_written(self, schema: str) -> list[str]:
        """The directories of a schema that a killed run began and did not finish."""
        folder = self._folder(schema)
        if not self._exists(folder):
            return []
        named = [name for name in self._folders(folder) if not name.startswith(("_", ".")) and not name.endswith(".db")]
        return [name for name in named if not self._exists(f"{folder}/{name}/{WHOLE}")]

    def schemas(self) -> list[str]:
        return [schema for schema, _ in self._schemas()]

    def views(self) -> Iterator[tuple[Relation, Relation]]:
        """The published views and the tables they point at."""
        for schema, folder in self._schemas():
            if not self._exists(f"{folder}/{POINTERS}"):
                continue
            for status in self.files.listStatus(self.hadoop.Path(f"{folder}/{POINTERS}")):
                name = str(status.getPath().getName())
                if not name.startswith((".", "_")):
                    yield Relation((schema, name)), Relation((schema, self._read(f"{folder}/{POINTERS}/{name}")))

    def point(self, view: Relation, table: Relation) -> None:
        """Publish: the pointer is written beside the old one and takes its place in one rename."""
        folder = f"{self._folder(str(view.schema))}/{POINTERS}"
        fresh = self.hadoop.Path(f"{folder}/_{view.name.lower()}.{time.time_ns()}")
        stream = self.files.create(fresh, True)
        try:
            stream.write(bytearray(table.name.lower().encode()))
        finally:
            stream.close()
        self.context.rename(fresh, self.hadoop.Path(f"{folder}/{view.name.lower()}"), self._overwrite)

    def remove(self, table: Relation) -> None:
        """Remove a table's directory, whole or not."""
        self.files.delete(self.hadoop.Path(self.folder_of(table)), True)

    def folder_of(self, table: Relation) -> str:
        return f"{self._folder(str(table.schema))}/{table.name.lower()}"

    def remove_stale(self, schema: str) -> None:
        """Remove the work tables that runs killed long ago have left."""
        folder = self._folder(schema)
        if not self._exists(folder):
            return
        for status in self.files.listStatus(self.hadoop.Path(folder)):
            if status.getModificationTime() / 1000 < time.time() - STALE_SECONDS:
                with contextlib.suppress(Exception):  # another run may be sweeping as well
                    self.files.delete(status.getPath(), True)

    def _schemas(self) -> Iterator[tuple[str, str]]:
        yield DEFAULT_SCHEMA, self.location
        for name in self._folders(self.location):
            if name.endswith(".db"):
                yield name.removesuffix(".db"), f"{self.location}/{name}"

    def _folder(self, schema: str) -> str:
        return self.location if schema == DEFAULT_SCHEMA else f"{self.location}/{schema.lower()}.db"

    def _folders(self, path: str) -> list[str]:
        listed = self.files.listStatus(self.hadoop.Path(path))
        return sorted(str(status.getPath().getName()) for status in listed if status.isDirectory())

    def _exists(self, path: str) -> bool:
        return bool(self.files.exists(self.hadoop.Path(path)))

    def _read(self, path: str) -> str:
        where = self.hadoop.Path(path)
        length = int(self.files.getFileStatus(where).getLen())
        stream = self.files.open(where)
        try:
            return bytes(stream.readNBytes(length)).decode()
        finally:
            stream.close()
