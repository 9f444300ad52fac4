"""kanon report: one page about a run: what the register says, what the release shows, and the frontier it is a point of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from kanon_sql.backends.trace import TraceEntry
from kanon_sql.config.schema import Job
from kanon_sql.errors import JobError, KanonError
from kanon_sql.evaluate import report_figures
from kanon_sql.evaluate.score import Score, score_release
from kanon_sql.flows.pareto import kept_frontier, pareto
from kanon_sql.flows.session import reading, register_of, require_register
from kanon_sql.model.lattice import Node
from kanon_sql.observer import Observer
from kanon_sql.pages.masked_sql import masked_sql
from kanon_sql.pages.page import needed, write_page
from kanon_sql.pages.run_page import RunReport, run_page
from kanon_sql.release.entries import DROPPED, ReleaseEntry, RunEntry
from kanon_sql.workbench.workbench import Workbench

LARGEST_LATTICE = 20_000
"""A frontier that nobody kept is found for the report in lattices up to this size."""
NOT_SHOWN = ("levels/lookup_rows", "levels/lookup_view", "register/", "work/", "meta/")
"""Statements that consist of values, or say nothing."""


def report(
    job: Job,
    run: str | None,
    path: Path,
    observer: Observer | None = None,
    *,
    statements: Sequence[TraceEntry] = (),
    with_frontier: bool = True,
) -> RunReport:
    """Write the report of a run (the newest published one, unless named) as one HTML file."""
    observer = observer or Observer()
    for module in ("altair", "vl_convert"):  # said before the work, not after it
        needed(module)
    observer.step("reading the register")
    entry, published = _published(job, run, observer)
    asked = entry.parameters.get("privacy", {}).get("k", job.privacy.k)
    job = job.with_k(int(asked))
    frontier = _frontier(job, entry, observer) if with_frontier and entry.node else None
    with reading(job, observer, file_database=True) as bench:
        observer.step("reading the table")
        bench.prepare()
        observer.step("looking at the release")
        content = _content(bench, entry, published, frontier, statements)
    observer.step("writing the page")
    write_page(path, run_page(content))
    return replace(content, page=str(path))


def _published(job: Job, run: str | None, observer: Observer) -> tuple[RunEntry, ReleaseEntry]:
    """The run, and its release, which must still be there."""
    with register_of(job, observer) as register:
        require_register(register, "no run to report")
        if run is None:
            current = register.current_release(job.name)
            if current is None:
                raise JobError(f"{job.name} has no release yet", "`kanon run JOB` publishes one")
            entry = register.show(current.run)
        else:
            entry = register.show(run)
        found = register.releases(run=entry.id)
    if not found:
        raise JobError(
            f"run {entry.id} published nothing ({entry.status})", "report on a run that did: `kanon history`"
        )
    if found[0].state == DROPPED:
        raise JobError(f"the release of run {entry.id} has been dropped", "report on a newer run: `kanon history`")
    return entry, found[0]


def _frontier(job: Job, entry: RunEntry, observer: Observer) -> dict[str, Any] | None:
    """The newest kept frontier, or one found now; None where there is none to be had."""
    try:
        run, frontier = kept_frontier(job, None, observer)
        return frontier.to_dict() | {"run": run}
    except KanonError:
        if int((entry.figures or {}).get("nodes") or 0) > LARGEST_LATTICE:
            return None
    try:
        observer.step("finding the frontier")
        return pareto(job, observer, keep=False).to_dict()
    except KanonError:
        return None


def _content(
    bench: Workbench,
    entry: RunEntry,
    published: ReleaseEntry,
    frontier: dict[str, Any] | None,
    statements: Sequence[TraceEntry],
) -> RunReport:
    figures: Mapping[str, Any] = entry.figures or {}
    names = [attribute.name for attribute in bench.attributes]
    if entry.node is not None and set(entry.node) != set(names):
        raise JobError(
            f"run {entry.id} had other quasi-identifiers than the job file has now",
            "report with the job file it ran with",
        )
    node: Node | None = tuple(entry.node[name] for name in names) if entry.node is not None else None
    release = bench.backend.relation(published.table)
    columns = [column.name for column in bench.backend.describe(release) if column.name in names]
    score: Score | None = None
    notes = [str(note) for note in figures.get("notes", [])]
    try:
        score = score_release(bench, release)
    except JobError as changed:
        notes.append(f"the release could not be scored against the source as it stands now: {changed.message}")
    hidden = report_figures.rare_rule_values(bench)
    return RunReport(
        run=entry.to_dict(),
        release=published.to_dict(),
        figures=dict(figures),
        job_file=bench.job.path.name if bench.job.path is not None else "job.yml",
        k=bench.job.privacy.k,
        metric=bench.job.utility.metric,
        quasi_identifiers=names,
        roles={name: column.role for name, column in bench.job.columns.items()},
        published=columns,
        sample=report_figures.sample(bench, release, [name for name in names if name in columns], node),
        sizes=report_figures.class_size_bins(bench, release, columns),
        levels=report_figures.level_costs(bench, node),
        score=score.to_dict() if score is not None else None,
        frontier=frontier,
        notes=_without(notes, hidden),
        hidden=hidden,
        statements=_shown_statements(statements),
    )


def _without(notes: Sequence[str], hidden: set[str]) -> list[str]:
    """The notes that name no hidden value."""
    return [note for note in notes if not any(value in note for value in hidden)]


def _shown_statements(entries: Sequence[TraceEntry]) -> list[dict[str, Any]]:
    """One statement of each kind, its values masked, how many there were, and their time."""
    kinds: dict[str, dict[str, Any]] = {}
    for entry in entries:
        if entry.label.startswith(NOT_SHOWN):
            continue
        kind = kinds.setdefault(
            entry.label, {"label": entry.label, "count": 0, "seconds": 0.0, "sql": masked_sql(entry.sql)}
        )
        kind["count"] += 1
        kind["seconds"] += entry.seconds
    return list(kinds.values())
