"""Examining the values themselves: every one covered by its hierarchy, every level nested in the next."""

from __future__ import annotations

from kanon_sql.backends.base import Backend
from kanon_sql.config.schema import Job
from kanon_sql.diagnosis.findings import Findings
from kanon_sql.model.counted import counted
from kanon_sql.sql import statements
from kanon_sql.workbench.level_checks import inspect_levels
from kanon_sql.workbench.workbench import Workbench

SHOWN = 5


def examine_values(job: Job, backend: Backend, bench: Workbench, findings: Findings) -> None:
    """Read the dictionaries and count what the levels miss or tear, over all columns."""
    bench.read_levels()
    found = inspect_levels(backend, bench.names, bench.attributes, job).faults
    for fault in found:
        name = bench.attributes[fault.attribute].name
        if fault.what == "uncovered":
            findings.fail(
                "values",
                f"{name}: its hierarchy misses {counted(fault.found, 'value')} of the table",
                "add a line for each" + _missed(job, backend, bench, fault.attribute),
            )
        else:
            findings.fail(
                "values",
                f"{name}: {counted(fault.found, 'label has', 'labels have')} more than one label one level up "
                f"(levels {fault.level} and {fault.level + 1}): it does not nest",
                "make every level a union of groups of the level below",
            )
    if not found:
        distinct = f"{counted(len(bench.attributes), 'quasi-identifier')}, {counted(bench.combinations, 'combination')}"
        findings.ok("values", f"every value has a label at every level, and the levels nest ({distinct})")


def _missed(job: Job, backend: Backend, bench: Workbench, index: int) -> str:
    """The missed values that k rows share; rarer ones are not said. Rows say nothing of persons, so then none is said."""
    if bench.counts_persons:
        return ""
    statement = statements.doctor.uncovered_values(backend.dialect, bench.names.dictionary(index), job.privacy.k, SHOWN)
    values = [str(row[0]) for row in backend.fetch(statement)]
    return f"; those of at least {job.privacy.k} rows: " + ", ".join(map(repr, values)) if values else ""
