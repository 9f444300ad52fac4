"""Examining what a run must be allowed to do: work, publish, register; and whether there is room."""

from __future__ import annotations

import os
import shutil
from contextlib import ExitStack, suppress
from pathlib import Path

from kanon_sql.backends.base import Backend
from kanon_sql.backends.connect import duckdb_path
from kanon_sql.config.schema import Job
from kanon_sql.diagnosis.findings import Findings
from kanon_sql.errors import ExitCode, KanonError
from kanon_sql.release.column_types import ChangingColumns, changing_columns
from kanon_sql.release.dependents import WAY_OUT, foretell_dependents, keeping_types
from kanon_sql.release.migrate import check_revision, known_revisions, revision_of
from kanon_sql.release.ownership import check_target
from kanon_sql.release.readers import check_readers
from kanon_sql.release.register_place import open_register
from kanon_sql.sql import statements
from kanon_sql.workbench.workbench import Workbench

LEAST_FREE = 256 << 20
"""Less room than this is said, however small the source."""


def _may_create(backend: Backend, schema: str) -> tuple[bool, bool]:
    there, may = backend.fetch_one(statements.doctor.may_create(backend.dialect, schema))
    return bool(there), bool(may)


def _cannot_create(findings: Findings, check: str, backend: Backend, schema: str, there: bool) -> None:
    name = backend.dialect.identifier(schema)
    if there:
        message = f"we may not create tables in the schema {schema}"
        hint = f"let its owner say: grant usage, create on schema {name} to <this user>"
    else:
        message = f"we may not create the schema {schema}, which is not there"
        hint = f"let an administrator say: create schema {name} authorization <this user>"
    findings.fail(check, message, hint, ExitCode.CONNECTION)


def examine_work(job: Job, backend: Backend, findings: Findings) -> bool:
    """Whether work tables can be made."""
    schema = job.source.work_schema
    if not backend.capabilities.persistent_work:
        where = "in memory and never touch the file" if backend.capabilities.embedded else "in the warehouse"
        findings.ok("work schema", f"{schema}: work tables live {where}")
        return True
    there, may = _may_create(backend, schema)
    if may:
        findings.ok(
            "work schema", f"{schema}: work tables can be made" + ("" if there else " (the schema will be created)")
        )
        return True
    _cannot_create(findings, "work schema", backend, schema, there)
    return False


def examine_publish(job: Job, bench: Workbench, findings: Findings, columns_fit: bool) -> None:
    """Whether a release can be published under the job's name; `columns_fit`: the job names the table's columns."""
    backend = bench.backend
    if job.publish is None:
        findings.warn(
            "publish",
            "the job does not say where to publish: `kanon run` will refuse",
            "add publish: {table: schema.name}",
        )
        return
    view = backend.relation(job.publish.table)
    with ExitStack() as stack:
        register = None
        with suppress(KanonError):  # what is wrong with the register, or that there is none yet, its own check says
            opened = stack.enter_context(open_register(job, backend, read_only=True))
            register = opened if opened.readable() else None
        check_target(backend, register, job, view)
    changing = changing_columns(bench, view) if columns_fit else ChangingColumns()
    following, blocking = foretell_dependents(backend, view, changing)
    if following:
        findings.ok("dependents", following)
    if blocking and changing.certain:
        findings.fail("dependents", blocking, f"{WAY_OUT}; or {keeping_types(changing.certain)}")
    elif blocking:
        findings.warn("dependents", blocking, WAY_OUT)
    if told := check_readers(job, backend):
        findings.warn("readers", told, "take publish.readers out, or grant by other means")
    if path := _database_file(job, job.url):
        if problem := _unwritable(path):
            findings.fail("publish", problem, "give this user the right to write there", ExitCode.CONNECTION)
            return
        findings.ok("publish", f"{job.publish.table} can be written in {path.name}")
        return
    there, may = _may_create(backend, str(view.schema))
    if not may:
        _cannot_create(findings, "publish", backend, str(view.schema), there)
    elif not backend.fetch_one(statements.doctor.may_replace(backend.dialect, view))[0]:
        findings.fail(
            "publish",
            f"the view {job.publish.table} belongs to another user: it cannot be switched",
            f"alter view {job.publish.table} owner to <this user>",
            ExitCode.CONNECTION,
        )
    else:
        findings.ok(
            "publish", f"{job.publish.table} can be published" + ("" if there else " (the schema will be created)")
        )


def examine_register(job: Job, backend: Backend, findings: Findings) -> None:
    """Whether the register is there, of our revision, and can be written."""
    at = job.register_at
    url = at.url or job.url
    path = _database_file(job, url)
    if path is not None and not path.exists():
        problem = _unwritable(path)
        if problem:
            findings.fail("register", problem, "give this user the right to write there", ExitCode.CONNECTION)
        else:
            findings.ok("register", f"will be made in {path.name}, schema {at.schema_name}")
        return
    with open_register(job, backend, read_only=True) as register:
        revision = revision_of(register.backend, register.names)
        missing = check_revision(revision, register.names)
        there, may = _may_create(register.backend, at.schema_name)
        runs = register.names.runs
        may_write = (
            revision is None
            or register.backend.fetch_one(statements.doctor.may_write(register.backend.dialect, runs))[0]
        )
    if path is not None and (problem := _unwritable(path)):
        findings.fail("register", problem, "give this user the right to write there", ExitCode.CONNECTION)
    elif not may and missing:
        _cannot_create(findings, "register", backend, at.schema_name, there)
    elif not may_write:
        findings.fail(
            "register",
            f"we may not write the register in schema {at.schema_name}",
            f"let its owner say: grant insert, update on all tables in schema {at.schema_name} to <this user>",
            ExitCode.CONNECTION,
        )
    elif revision is None:
        findings.ok("register", f"will be made in schema {at.schema_name}")
    elif missing:
        findings.warn(
            "register",
            f"schema {at.schema_name} is at the older revision {revision}",
            f"the next run migrates it to {known_revisions()[-1]}, or `kanon migrate`",
        )
    else:
        findings.ok("register", f"schema {at.schema_name}, revision {revision}")


def examine_space(job: Job, backend: Backend, bench: Workbench, findings: Findings) -> None:
    """Free space where the engine (or the disk, for a file) tells; a release takes about as much as its source."""
    path = _database_file(job, job.url)
    folder = path.parent if path is not None else backend.folder()
    if folder is None:
        rows = backend.fetch(statements.doctor.space(backend.dialect, bench.table))
        size = rows[0][0] if rows else None
        room = (
            f"the source takes {_bytes(int(str(size)))}; a release takes about as much"
            if size is not None
            else "the source is a view"
        )
        findings.ok("space", f"{room}; the server does not tell how much is free")
        return
    free = shutil.disk_usage(folder).free
    need = path.stat().st_size if path is not None and path.exists() else 0
    if job.source.file is not None:
        need += _size(job.base / job.source.file)
    elif source := backend.folder(bench.table):
        need += _size(source)
    if free < max(2 * need, LEAST_FREE):
        findings.warn(
            "space", f"{_bytes(free)} free in {folder}, the source takes {_bytes(need)}", "free space before the run"
        )
    else:
        findings.ok("space", f"{_bytes(free)} free, the source takes {_bytes(need)}")


def _database_file(job: Job, url: str) -> Path | None:
    return duckdb_path(url, job.base) if url.lower().startswith("duckdb:") else None


def _unwritable(path: Path) -> str:
    """Why a database file cannot be written; empty when it can."""
    if path.exists() and not os.access(path, os.W_OK):
        return f"we may not write {path}"
    if not path.parent.is_dir():
        return f"there is no folder {path.parent}"
    if not os.access(path.parent, os.W_OK | os.X_OK):
        return f"we may not write in the folder {path.parent}, where the database keeps its log"
    return ""


def _size(path: Path) -> int:
    if path.is_dir():
        return sum(file.stat().st_size for file in path.rglob("*.parquet"))
    return path.stat().st_size if path.exists() else 0


def _bytes(size: float) -> str:
    for unit in ("bytes", "KB", "MB", "GB"):
        if size < 1024 or unit == "GB":
            return f"{size:.0f} {unit}" if unit == "bytes" else f"{size:.1f} {unit}"
        size /= 1024
    raise AssertionError("unreachable")
