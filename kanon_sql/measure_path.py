"""Measuring what is there: a table as it stands, a release against its source, a release under attack. Nothing is written."""

from __future__ import annotations

from kanon_sql.config.schema import Job
from kanon_sql.errors import JobError
from kanon_sql.evaluate.attack import AttackResult, published_node
from kanon_sql.evaluate.attack import attack as attack_release
from kanon_sql.evaluate.risk import measure_risk
from kanon_sql.evaluate.score import Score, score_release
from kanon_sql.model.lattice import Node
from kanon_sql.observer import Observer
from kanon_sql.release.run_id import new_run_id
from kanon_sql.release.verify_models import measure_models, measure_sensitive
from kanon_sql.results import CheckResult
from kanon_sql.session import opened
from kanon_sql.sql import statements
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.generalized import generalized
from kanon_sql.workbench.population import population_relation
from kanon_sql.workbench.workbench import Workbench


def check(job: Job, table: str | None = None, observer: Observer | None = None) -> CheckResult:
    """Measure a table as it stands (the source, unless another is named) against the job's thresholds: k, l, t, models, risks."""
    observer = observer or Observer()
    run_id = observer.run = new_run_id()
    with opened(job, observer, read_only=True, run=run_id) as backend, Workbench(backend, job, run_id) as bench:
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
            risk=risk.to_json(),
            models=[finding.to_json() for finding in models],
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


def attack(job: Job, release: str | None = None, observer: Observer | None = None) -> AttackResult:
    """Attack a release (the job's own, unless another is named) with the source and with knowledge of the search."""
    observer = observer or Observer()
    if release is None and job.publish is None:
        raise JobError("the job does not say where its release is", "name it with --release")
    run_id = observer.run = new_run_id()
    with opened(job, observer, read_only=True, run=run_id) as backend, Workbench(backend, job, run_id) as bench:
        name = release if release is not None else job.publish.table if job.publish is not None else ""
        relation = backend.relation(name)
        if not backend.exists(relation):
            raise JobError(f"there is no table or view {name}", "name a release with --release, or run the job first")
        observer.step("reading the source")
        bench.prepare()
        observer.step("attacking")
        return attack_release(bench, relation)


def score(job: Job, release: str | None = None, observer: Observer | None = None) -> Score:
    """Every measure of a release (the job's own, unless another is named) against the source as it stands."""
    observer = observer or Observer()
    name = release or (job.publish.table if job.publish is not None else None)
    if name is None:
        raise JobError("the job does not say where it publishes", "name the release with --release schema.table")
    run_id = observer.run = new_run_id()
    with (
        opened(job, observer, read_only=True, run=run_id, file_database=True) as backend,
        Workbench(backend, job, run_id) as bench,
    ):
        if job.utility.weights == "auto":
            bench.prepare()
        else:
            bench.prepare_dictionaries()
        return score_release(bench, backend.relation(name))
