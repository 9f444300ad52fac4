"""kanon check: a table as it stands, measured against the job's thresholds. Nothing is written."""

from __future__ import annotations

from kanon_sql.backends.columns import ColumnInfo
from kanon_sql.config.schema import Job
from kanon_sql.errors import JobError
from kanon_sql.evaluate.attack import published_node
from kanon_sql.evaluate.risk import measure_risk
from kanon_sql.flows.session import reading
from kanon_sql.model.lattice import Node
from kanon_sql.observer import Observer
from kanon_sql.release.verify_models import measure_models, measure_sensitive
from kanon_sql.results import CheckResult
from kanon_sql.sql import statements
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.generalized import generalized
from kanon_sql.workbench.population import find_population
from kanon_sql.workbench.reading import as_read
from kanon_sql.workbench.workbench import Workbench, published_quasi


def check(job: Job, table: str | None = None, observer: Observer | None = None) -> CheckResult:
    """Measure a table as it stands (the source, unless another is named) against the job's thresholds: k, l, t, models, risks."""
    observer = observer or Observer()
    with reading(job, observer, file_database=table is not None) as bench:
        backend = bench.backend
        relation, described = _checked_relation(bench, table)
        have = [column.name for column in described]
        columns = published_quasi(job, have)
        if not columns:
            raise JobError(f"{relation.name} has none of the job's quasi-identifiers")
        unexpected = [] if table is None else _unexpected(job, have, columns)
        node = _checked_node(bench, relation, columns)
        relation = as_read(bench, relation, "checked", labels=True)
        person = job.source.person if job.source.person in have else None
        row = backend.fetch_one(
            statements.checks.table_classes(backend.dialect, relation, columns, person, job.privacy.k)
        )
        k, classes, rows, unique, below = (int(value) for value in row)
        population = None
        if node is not None and job.privacy.population is not None:
            found = find_population(bench)
            population = generalized(backend.dialect, found.relation, bench.attributes, node, found.person)
        threshold = job.privacy.risk_threshold
        risk = measure_risk(backend, relation, columns, threshold, person, population)
        l, t = measure_sensitive(bench, relation, columns)  # noqa: E741
        models = measure_models(bench, relation, columns, node)
        return CheckResult(
            k=k,
            rows=rows,
            classes=classes,
            unique_rows=unique,
            rows_below_k=below,
            passes=rows > 0 and below == 0 and not unexpected and all(finding.passes for finding in models),
            threshold=job.privacy.k,
            l=l,
            t=t,
            risk=risk.to_dict(),
            models=[finding.to_dict() for finding in models],
            counts="rows" if person is None else "persons",
            person=job.source.person,
            unexpected=unexpected,
        )


def _unexpected(job: Job, have: list[str], quasi: list[str]) -> list[str]:
    """The columns that no release of the job has: identifiers, what it drops, what it does not name."""
    published = [name for role in ("sensitive", "keep") for name in job.columns_with(role)]
    return [name for name in have if name not in quasi and name not in published]


def _checked_relation(bench: Workbench, table: str | None) -> tuple[Relation, list[ColumnInfo]]:
    """The table to check, and its columns; the source beside it is what distributions are compared with, where it is there."""
    if table is None:
        bench.open_source()
        return bench.table, bench.described
    relation = bench.backend.relation(table)
    columns = bench.backend.describe(relation)
    if not columns:
        raise JobError(f"there is no table or view {table}")
    try:
        bench.open_source()
    except JobError:
        bench.adopt(relation, columns)
    return relation, columns


def _checked_node(bench: Workbench, relation: Relation, columns: list[str]) -> Node | None:
    """The node a checked table stands at, needed for a population only; None where that is unknown."""
    if relation == bench.table:
        return tuple(0 for _ in bench.attributes) if bench.attributes else None
    if bench.job.privacy.population is None or len(columns) < len(bench.attributes):
        return None
    bench.prepare()
    return published_node(bench, as_read(bench, relation, "checked", labels=True))
