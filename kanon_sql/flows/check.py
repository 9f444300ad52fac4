"""kanon check: a table as it stands, measured against the job's thresholds. Nothing is written."""

from __future__ import annotations

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
from kanon_sql.workbench.population import population_relation
from kanon_sql.workbench.workbench import Workbench


def check(job: Job, table: str | None = None, observer: Observer | None = None) -> CheckResult:
    """Measure a table as it stands (the source, unless another is named) against the job's thresholds: k, l, t, models, risks."""
    observer = observer or Observer()
    with reading(job, observer, file_database=table is not None) as bench:
        backend = bench.backend
        relation = _checked_relation(bench, table)
        have = {column.name for column in backend.describe(relation)}
        columns = [name for name in job.columns_with("quasi") if name in have]
        if not columns:
            raise JobError(f"{relation.name} has none of the job's quasi-identifiers")
        person = job.source.person if job.source.person in have else None
        row = backend.fetch_one(
            statements.checks.table_classes(backend.dialect, relation, columns, person, job.privacy.k)
        )
        k, classes, rows, unique, below = (int(value) for value in row)
        node = _checked_node(bench, relation, columns)
        population = None
        if node is not None and job.privacy.population is not None:
            population = generalized(backend.dialect, population_relation(bench), bench.attributes, node)
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
            passes=rows > 0 and below == 0 and all(finding.passes for finding in models),
            threshold=job.privacy.k,
            l=l,
            t=t,
            risk=risk.to_dict(),
            models=[finding.to_dict() for finding in models],
        )


def _checked_relation(bench: Workbench, table: str | None) -> Relation:
    """The table to check; the source beside it is what distributions are compared with, where it is there."""
    if table is None:
        bench.open_source()
        return bench.source
    relation = bench.backend.relation(table)
    columns = bench.backend.describe(relation)
    if not columns:
        raise JobError(f"there is no table or view {table}")
    try:
        bench.open_source()
    except JobError:
        bench.source = relation
        bench.columns = columns
        bench.kinds = {column.name: (column.kind, column.scale, column.type_name) for column in columns}
    return relation


def _checked_node(bench: Workbench, relation: Relation, columns: list[str]) -> Node | None:
    """The node a checked table stands at, needed for a population only; None where that is unknown."""
    if relation == bench.source:
        return tuple(0 for _ in bench.attributes) if bench.attributes else None
    if bench.job.privacy.population is None or len(columns) < len(bench.attributes):
        return None
    bench.prepare()
    return published_node(bench, relation)
