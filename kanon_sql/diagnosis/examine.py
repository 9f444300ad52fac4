"""The examination: job file, connection, source, columns, grants, register, space, values; in the order a run meets them."""

from __future__ import annotations

import math
from collections.abc import Callable

from kanon_sql.backends.base import Backend
from kanon_sql.backends.connect import makes_its_database, open_backend
from kanon_sql.config.schema import Job
from kanon_sql.diagnosis.columns import examine_columns, examine_hierarchies, examine_person, examine_time_zone
from kanon_sql.diagnosis.findings import Finding, Findings
from kanon_sql.diagnosis.grants import examine_publish, examine_register, examine_space, examine_work
from kanon_sql.diagnosis.values import examine_values
from kanon_sql.errors import KanonError
from kanon_sql.model.algorithms import LATTICE_SEARCHES
from kanon_sql.model.counted import counted
from kanon_sql.observer import Observer
from kanon_sql.release.run_id import new_run_id
from kanon_sql.sql import statements
from kanon_sql.version import VERSION
from kanon_sql.workbench.workbench import Workbench

LISTED_NODES = 1_000_000
"""More nodes than these are too many for a search that lists the lattice."""


def examine(
    job: Job, heard: Callable[[Finding], None] = lambda finding: None, observer: Observer | None = None
) -> Findings:
    """Look at everything a run of the job needs. Nothing is written but work tables, and they are gone afterwards."""
    findings = Findings(heard)
    examine_hierarchies(job, findings)
    try:
        backend = open_backend(
            "duckdb:///:memory:" if makes_its_database(job) else job.url,
            job.base,
            read_only=True,
            work_schema=job.source.work_schema,
            statement_timeout=job.source.statement_timeout,
            memory_limit=job.source.memory_limit,
            run="doctor",
        )
    except KanonError as error:
        findings.error("connection", error)
        return findings
    if observer is not None:
        observer.watch(backend.trace)
    try:
        _examine_database(job, backend, findings)
    finally:
        backend.close()
    return findings


def _examine_database(job: Job, backend: Backend, findings: Findings) -> None:
    findings.ok("connection", f"{backend.version()}, kanon_sql {VERSION}")
    may_work = examine_work(job, backend, findings)
    with Workbench(backend, job, new_run_id()) as bench:
        columns_fit = _guarded(findings, "source", lambda: examine_columns(job, backend, bench, findings))
        if columns_fit:
            rows_read = _guarded(findings, "source", lambda: _examine_rows(job, backend, bench, findings))
            if rows_read:
                _guarded(findings, "person", lambda: examine_person(job, backend, bench, findings))
                _guarded(findings, "time zone", lambda: examine_time_zone(backend, bench, findings))
                _examine_search(job, bench, findings)
                if may_work:
                    _guarded(findings, "values", lambda: examine_values(job, backend, bench, findings))
                else:
                    findings.warn("values", "not looked at: that needs work tables", "see work schema")
            _guarded(findings, "space", lambda: examine_space(job, backend, bench, findings))
    _guarded(findings, "publish", lambda: examine_publish(job, bench, findings, columns_fit))
    _guarded(findings, "register", lambda: examine_register(job, backend, findings))


def _guarded(findings: Findings, check: str, examination: Callable[[], bool | None]) -> bool:
    """An error ends one examination, not all of them."""
    try:
        return examination() is not False
    except KanonError as error:
        findings.error(check, error)
        return False


def _examine_rows(job: Job, backend: Backend, bench: Workbench, findings: Findings) -> bool:
    rows = int(str(backend.fetch_one(statements.doctor.source_rows(backend.dialect, bench.source))[0]))
    where = job.source.table or job.source.file
    if rows < job.privacy.k:
        findings.fail(
            "source",
            f"{where} has {counted(rows, 'row')}, fewer than k = {job.privacy.k}",
            "lower privacy.k, or wait for data",
        )
        return False
    findings.ok("source", f"{where} can be read: {counted(rows, 'row')}, {counted(len(bench.columns), 'column')}")
    return True


def _examine_search(job: Job, bench: Workbench, findings: Findings) -> None:
    name = job.search.algorithm
    if name not in LATTICE_SEARCHES:
        findings.ok("search", f"{name}, local recoding")
        return
    nodes = math.prod(a.max_level - a.min_level + 1 for a in bench.attributes)
    search = LATTICE_SEARCHES[name]
    if nodes > LISTED_NODES and (search.lists or name == "exhaustive"):
        findings.warn(
            "search", f"{name} lists or checks all {nodes:,} nodes", "best-first does not: search.algorithm: best-first"
        )
        return
    findings.ok("search", f"{name} over {nodes:,} nodes")
