"""Where Spark's tables lie when the catalog is in memory: a directory that a new session reads its tables from.

A table is the directory <warehouse>/<schema>.db/<table> (of the default schema <warehouse>/<table>) and is whole when it holds
_SUCCESS, which Spark writes last. What a published view points at stands in <warehouse>/<schema>.db/_views/<view>, replaced by
one rename: that rename is the publication. Files are reached through Hadoop's file systems, so the directory may be on any of them.
"""

from __future__ import annotations

import contextlib
import hashlib
import time
from collections.abc import Iterator
from typing import Any

from kanon_sql.sql.dialect import Relation

DEFAULT_SCHEMA = "default"
POINTERS = "_views"
WHOLE = "_SUCCESS"
MARK = "_kanon"
"""The file in a table's directory that holds its mark."""
CLAIMS = "_kanon_claims"
"""Below the warehouse: one file per name that somebody holds."""
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
        self._no_options = gateway.new_array(getattr(self.hadoop, "Options$Rename"), 0)
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

    def move(self, table: Relation, to: Relation) -> None:
        """A table's directory becomes another's, in one rename."""
        self.files.mkdirs(self.hadoop.Path(self._folder(str(to.schema))))
        self.context.rename(
            self.hadoop.Path(self.folder_of(table)), self.hadoop.Path(self.folder_of(to)), self._no_options
        )

    def named(self, schema: str, prefix: str) -> list[str]:
        """The directories of a schema's tables that begin so, whole or not."""
        folder = self._folder(schema)
        if not self._exists(folder):
            return []
        return [name for name in self._folders(folder) if name.startswith(prefix) and not name.startswith(("_", "."))]

    def mark(self, table: Relation, text: str) -> None:
        """Leave a mark in a table's directory, where Spark does not read it."""
        self._write(f"{self.folder_of(table)}/{MARK}", text)

    def mark_of(self, table: Relation) -> str | None:
        path = f"{self.folder_of(table)}/{MARK}"
        return self._read(path) if self._exists(path) else None

    def take(self, name: str, holder: str) -> str | None:
        """Hold a name by a file that is made once; returns what the one who made it before wrote into it."""
        path = self._claim(name)
        self.files.mkdirs(self.hadoop.Path(f"{self.location}/{CLAIMS}"))
        try:
            stream = self.files.create(self.hadoop.Path(path), False)
        except Exception:
            return self._read(path) if self._exists(path) else ""
        try:
            stream.write(bytearray(holder.encode()))
        finally:
            stream.close()
        return None

    def give(self, name: str) -> None:
        self.files.delete(self.hadoop.Path(self._claim(name)), False)

    def _claim(self, name: str) -> str:
        return f"{self.location}/{CLAIMS}/{hashlib.sha256(name.encode()).hexdigest()[:24]}"

    def _write(self, path: str, text: str) -> None:
        stream = self.files.create(self.hadoop.Path(path), True)
        try:
            stream.write(bytearray(text.encode()))
        finally:
            stream.close()

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
