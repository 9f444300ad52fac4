"""Examining what the job says of its columns against the table."""

from __future__ import annotations

import difflib

from kanon_sql.backends.base import Backend
from kanon_sql.config.attributes import build_attribute
from kanon_sql.config.hierarchy_file import read_hierarchy
from kanon_sql.config.schema import Job
from kanon_sql.diagnosis.findings import Findings
from kanon_sql.errors import KanonError
from kanon_sql.model.counted import counted
from kanon_sql.sql import statements
from kanon_sql.sql.dialect import Relation
from kanon_sql.workbench.reading import check_types
from kanon_sql.workbench.workbench import Workbench


def examine_hierarchies(job: Job, findings: Findings) -> None:
    """The hierarchy files, offline: there, not ragged, nested."""
    good = 0
    for name in job.columns_with("quasi"):
        file = job.columns[name].hierarchy
        if file is None:
            continue
        try:
            read_hierarchy(job.base / file, name)
            good += 1
        except KanonError as error:
            findings.error("job file", error)
    quasi = len(job.columns_with("quasi"))
    if not findings.failed(["job file"]):
        files = f", {good} hierarchy files that nest" if good else ""
        findings.ok(
            "job file", f"valid: {counted(len(job.columns), 'column')}, {counted(quasi, 'quasi-identifier')}{files}"
        )


def examine_columns(job: Job, backend: Backend, bench: Workbench, findings: Findings) -> bool:
    """Every column named, every named column there, every quasi-identifier of a type that its levels can use."""
    relation = _source(job, backend, bench)
    columns = backend.describe(relation)
    where = job.source.table or str(job.source.file)
    if not columns:
        findings.fail(
            "source", f"there is no table, view or file {where}", "write schema.table, as the database spells it"
        )
        return False
    bench.source = bench.table = relation
    bench.columns = columns
    table = [column.name for column in columns]
    before = len(findings.found)
    for name in job.columns:
        if name not in table:
            near = difflib.get_close_matches(name, table, 1)
            findings.fail(
                "columns",
                f"{name}: {where} has no such column",
                f"did you mean {near[0]}?" if near else "remove it from the job file",
            )
    for name in table:
        if name not in job.columns:
            findings.fail(
                "columns",
                f"{name}: {where} has it, the job does not name it",
                "give it a role: quasi, sensitive, keep, identifier or drop",
            )
    attributes = []
    for column in columns:
        entry = job.columns.get(column.name)
        if entry is None or entry.role != "quasi":
            continue
        try:
            attributes.append(build_attribute(column.name, job, column.as_published.described))
        except KanonError as error:
            findings.error("columns", error)
    bench.attributes = tuple(attributes)
    try:
        check_types(job, columns)
    except KanonError as error:
        findings.error("columns", error)
    if job.source.person is not None and job.source.person not in table:
        findings.fail(
            "person", f"source.person: {where} has no column {job.source.person}", "name a column of the table"
        )
    if len(findings.found) > before:
        return False
    findings.ok("columns", f"all {len(columns)} are named, and their types fit")
    return True


def _source(job: Job, backend: Backend, bench: Workbench) -> Relation:
    if job.source.table is not None:
        return backend.relation(job.source.table)
    try:
        bench.open_source()
    except KanonError:
        if not hasattr(bench, "source"):
            raise  # the file itself is the trouble; columns are looked at one by one
    return bench.table if hasattr(bench, "table") else bench.source


def examine_person(job: Job, backend: Backend, bench: Workbench, findings: Findings) -> None:
    """Whether rows are persons."""
    person = job.source.person
    if person is None:
        findings.ok("person", "no person key: every row counts as a person of its own")
        return
    figures = backend.fetch_one(statements.doctor.persons(backend.dialect, bench.source, person))
    rows, persons, without = (int(str(value)) for value in figures)
    if without:
        findings.warn(
            "person",
            f"{without:,} of {rows:,} rows have no {person}: together they count as one person at most",
            "fill the key, or leave those rows out in a view",
        )
    elif persons < job.privacy.k:
        findings.fail(
            "person",
            f"{counted(persons, 'person is', 'persons are')} fewer than k = {job.privacy.k}",
            "lower privacy.k, or wait for data",
        )
    elif persons == rows:
        findings.ok("person", f"{person} is unique: rows are persons")
    else:
        findings.ok("person", f"{persons:,} persons in {rows:,} rows: a class's size is its number of persons")


def examine_time_zone(backend: Backend, bench: Workbench, findings: Findings) -> None:
    """Timestamps with a time zone are cut in UTC, whatever the server's zone is."""
    zoned = [
        column.name
        for column in bench.columns
        if column.kind == "timestamptz" and bench.job.columns[column.name].role == "quasi"
    ]
    zone = str(backend.fetch_one(statements.doctor.time_zone(backend.dialect))[0])
    if zoned and zone.upper() not in ("UTC", "ETC/UTC", "GMT"):
        findings.warn(
            "time zone",
            f"{', '.join(zoned)}: days, months and years are cut in UTC; the database's zone is {zone}",
            "for local days, convert to a timestamp without a zone in a view",
        )
    else:
        findings.ok("time zone", f"{zone}; timestamps with a time zone are cut in UTC")
