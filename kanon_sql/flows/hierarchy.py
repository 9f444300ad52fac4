"""kanon hierarchy: propose and write the levels of a quasi-identifier, and say what its own do not nest or cover."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kanon_sql.config.hierarchy_file import read_hierarchy
from kanon_sql.config.schema import Job
from kanon_sql.errors import ColumnError, JobError, KanonError
from kanon_sql.flows.session import reading
from kanon_sql.frozen import dataclass
from kanon_sql.model.counted import counted
from kanon_sql.observer import Observer
from kanon_sql.onboarding.job_text import flow
from kanon_sql.onboarding.proposals import KINDS, PARTS, TO_FILL_IN, Proposal, best_kind, propose
from kanon_sql.onboarding.summary import ColumnSummary, cuts_of, summarize, taxonomy_of, values_of
from kanon_sql.onboarding.taxonomy import chains
from kanon_sql.workbench.workbench import Workbench

MOST_VALUES = 100_000
"""A hierarchy file of more lines is nothing a person can read."""
SHOWN = 5


@dataclass(frozen=True)
class Taxonomy:
    """A table of the database that is a tree: every entry names its parent, the roots none (or themselves)."""

    table: str
    value: str
    parent: str
    label: str | None = None


@dataclass(frozen=True)
class HierarchyResult:
    """What is proposed for a column, where it was written, and what was found about the levels it has now."""

    column: str
    proposal: Proposal
    entry: str
    """The line of the job file."""
    example: tuple[str, ...]
    """A common value and its labels, finest first; only where they are known without asking the database."""
    findings: tuple[str, ...]
    rare: int
    """How many values of the file are shared by fewer than k rows."""
    written: Path | None = None

    def to_dict(self) -> dict[str, Any]:
        return {
            "column": self.column,
            "kind": self.proposal.kind,
            "why": self.proposal.why,
            "levels": list(self.proposal.levels) or None,
            "values": len(self.proposal.rows),
            "entry": self.entry,
            "example": list(self.example),
            "findings": list(self.findings),
            "written": None if self.written is None else str(self.written),
        }


def hierarchy(
    job: Job,
    column: str,
    kind: str | None = None,
    observer: Observer | None = None,
    *,
    taxonomy: Taxonomy | None = None,
    output: Path | None = None,
    overwrite: bool = False,
) -> HierarchyResult:
    """Propose levels for a column of the job's table: of one kind, or of the kind its type and values suggest.

    What needs a file is written to `output`, or shown only where that is none. Nothing else is changed.
    """
    observer = observer or Observer()
    if kind is not None and kind not in KINDS:
        raise JobError(f"there is no kind of hierarchy {kind}", f"kinds are {', '.join(KINDS)}")
    if kind == "taxonomy" and taxonomy is None:
        raise JobError("which table is the taxonomy?", "name it with --taxonomy, its columns with --value and --parent")
    if column not in job.columns:
        raise JobError(f"the job has no column {column}", f"it has {', '.join(job.columns)}")
    with reading(job, observer) as bench:
        observer.step(f"reading {column}")
        summary = _summary(bench, column)
        values = values_of(bench.backend, bench.source, column, MOST_VALUES + 1)
        kind = kind or ("taxonomy" if taxonomy is not None else best_kind(summary, values))
        proposal = _proposed(bench, summary, kind, values, taxonomy)
        if proposal.needs_file and len(values) > MOST_VALUES:
            raise JobError(
                f"columns.{column} has more than {MOST_VALUES:,} values: a file of them is nothing a person can check",
                "choose prefixes, widths or quantiles with --kind",
            )
        findings = (*_examined(job, column, values), *_of_proposal(proposal))
    rare = sum(rows < job.privacy.k for _, rows in values) if proposal.needs_file else 0
    written = _write(proposal, output, overwrite) if output is not None else None
    return HierarchyResult(
        column, proposal, _entry(job, column, proposal, written), _example(proposal, values), findings, rare, written
    )


def _summary(bench: Workbench, column: str) -> ColumnSummary:
    source = bench.find_source()
    found = [info for info in bench.backend.describe(source) if info.name == column]
    if not found:
        raise ColumnError(f"columns.{column}: the table has no such column", "`kanon doctor JOB` lists what differs")
    if found[0].kind == "ungroupable":
        raise ColumnError(
            f"columns.{column}: a column of type {found[0].type_name} cannot be grouped", "cast it in a view"
        )
    return summarize(bench.backend, source, found).columns[0]


def _proposed(
    bench: Workbench, summary: ColumnSummary, kind: str, values: Sequence[tuple[str, int]], taxonomy: Taxonomy | None
) -> Proposal:
    if kind == "taxonomy":
        assert taxonomy is not None
        relation = bench.backend.relation(taxonomy.table)
        parents, labels = taxonomy_of(bench.backend, relation, taxonomy.value, taxonomy.parent, taxonomy.label)
        rows = chains([value for value, _ in sorted(values)], parents, labels)
        depth = len(rows[0]) - 1 if rows else 0
        header = tuple(f"level{level}" for level in range(1, depth + 1))
        return Proposal(
            kind, f"the tree in {taxonomy.table}", header=header, rows=tuple(rows), entries=frozenset(parents)
        )
    cuts = cuts_of(bench.backend, bench.source, summary.name, PARTS) if kind == "quantiles" else ()
    return propose(kind, summary, values, cuts)


def _examined(job: Job, column: str, values: Sequence[tuple[str, int]]) -> list[str]:
    """What the column's own hierarchy file does not nest or cover, in words; no value of fewer than k rows is said."""
    file = job.columns[column].hierarchy
    if file is None:
        return []
    try:
        rows = read_hierarchy(job.base / file, column)
    except KanonError as error:
        return [f"{file}: {error.message}"]
    listed = {row[0] for row in rows}
    missed = [(value, count) for value, count in values if value not in listed]
    findings = []
    if missed:
        common = [value for value, count in missed if count >= job.privacy.k and job.source.person is None][:SHOWN]
        of_them = f", among them {', '.join(map(repr, common))}" if common else ""
        findings.append(f"{file} misses {counted(len(missed), 'value')} of the table{of_them}")
    unused = len(listed - {value for value, _ in values})
    if unused:
        findings.append(f"{file} has {counted(unused, 'value')} that the table does not have: harmless")
    if empty := sum(TO_FILL_IN in row[1:] for row in rows):
        findings.append(f"{file}: {counted(empty, 'value')} still have the label {TO_FILL_IN}")
    return findings or [f"{file} covers every value of the table, and its levels nest"]


def _of_proposal(proposal: Proposal) -> list[str]:
    if proposal.kind == "taxonomy":
        strange = sum(row[0] not in proposal.entries for row in proposal.rows)
        if strange:
            return [
                f"the taxonomy does not have {counted(strange, 'value')} of the table: each stays by itself up to `*`"
            ]
    other = sum(row[1] == "other" for row in proposal.rows)
    return [f"{counted(other, 'value')} are no codes of the system: they are `other` at every level"] if other else []


def _write(proposal: Proposal, output: Path, overwrite: bool) -> Path | None:
    if not proposal.needs_file:
        return None
    if output.exists() and not overwrite:
        raise JobError(f"{output} is there already", "--force overwrites it, --output names another file")
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(proposal.text(), encoding="utf-8")
    return output


def _entry(job: Job, column: str, proposal: Proposal, written: Path | None) -> str:
    if not proposal.needs_file:
        return f"levels: {flow(list(proposal.levels))}"
    path = written or Path("hierarchies") / f"{column}.csv"
    resolved, base = path.resolve(), job.base.resolve()
    shown = resolved.relative_to(base) if resolved.is_relative_to(base) else path
    return f"hierarchy: {flow(str(shown))}"


def _example(proposal: Proposal, values: Sequence[tuple[str, int]]) -> tuple[str, ...]:
    if proposal.needs_file and values:
        commonest = values[0][0]
        return next((row for row in proposal.rows if row[0] == commonest), ())
    return ()
