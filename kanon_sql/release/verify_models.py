"""The models beyond k, verified on the staged release with plain SQL that shares nothing with the search. It fails closed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kanon_sql.config.privacy_models import k_anonymity, models_beyond_k
from kanon_sql.errors import VerificationFailed
from kanon_sql.frozen import dataclass
from kanon_sql.model.counted import counted
from kanon_sql.model.lattice import Node
from kanon_sql.model.privacy.k_anonymity import KAnonymity
from kanon_sql.model.privacy.l_diversity import DistinctLDiversity
from kanon_sql.model.privacy.model import PrivacyModel
from kanon_sql.model.privacy.t_closeness import TClosenessModel
from kanon_sql.release.recoding import StagedPersons
from kanon_sql.sql import statements
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.generalized import generalized
from kanon_sql.workbench.population import find_population
from kanon_sql.workbench.reading import as_read
from kanon_sql.workbench.workbench import Workbench


@dataclass(frozen=True)
class ModelFinding:
    """What the staged table says of one model: the worst figure of its classes, the threshold, and whether it holds."""

    model: PrivacyModel
    worst: float
    threshold: float
    passes: bool

    def to_dict(self) -> dict[str, object]:
        return {
            "model": self.model.name,
            "label": self.model.label,
            "column": self.model.column,
            "worst": self.worst,
            "threshold": self.threshold,
            "passes": self.passes,
        }


def verify_models(
    bench: Workbench,
    table: Relation,
    columns: Sequence[str],
    node: Node | None = None,
    staged_persons: StagedPersons | None = None,
    counts: Relation | None = None,
) -> list[ModelFinding]:
    """Every model of the job beyond k on the staged table; the one on k too where the job names a person key.

    `columns` are the published quasi-identifiers; `counts`: the staged table, counted by them and its sensitive columns. Who stands
    behind a class is known from the node, or with local recoding from `staged_persons`; from neither, nothing is published. Raises
    VerificationFailed where a model fails.
    """
    findings = measure_models(bench, counts or table, columns, node)
    if bench.job.source.person is not None and node is None:
        if staged_persons is None:
            raise VerificationFailed("nobody can say which persons stand behind the staged release: it was dropped")
        findings.append(fewest_staged_persons(bench, table, columns, staged_persons, k_anonymity(bench.job)))
    require_models(findings)
    return findings


def require_models(findings: Sequence[ModelFinding]) -> None:
    """Raise VerificationFailed where a model fails."""
    for finding in findings:
        if not finding.passes:
            raise VerificationFailed(
                f"the staged release fails {finding.model.label}: a class has {finding.worst:.6g}: it was dropped",
                "the source changed during the run: run again; if it persists, report it with --debug",
            )


def fewest_staged_persons(
    bench: Workbench, table: Relation, columns: Sequence[str], staged_persons: StagedPersons, model: KAnonymity
) -> ModelFinding:
    """The fewest persons behind a class of a local recoding, by an account that agrees with the staged table and with the source."""
    person = bench.job.source.person
    assert person is not None
    published = [column.name for column in bench.backend.describe(table)]
    statement = statements.release.verify_staged_persons(
        bench.dialect,
        table,
        as_read(bench, staged_persons.table, "staged_persons"),
        as_read(bench, bench.source, "source"),
        quasi=columns,
        columns=published,
        person=(staged_persons.person, person),
        raw=staged_persons.raw,
        side=f"{bench.code_prefix}side",
    )
    found = bench.backend.fetch_one(statement)
    fewest, differing, unaccounted = int(found.fewest), int(found.differing), int(found.unaccounted)
    if differing or unaccounted:
        raise VerificationFailed(
            f"of the staged release, {counted(differing or unaccounted, 'row')} cannot be accounted for by the persons behind it: it was dropped",
            "the source or the staged table changed during the run: run again; if it persists, report it with --debug",
        )
    return ModelFinding(model, fewest, model.k, fewest >= model.k)


def measure_models(
    bench: Workbench, table: Relation, columns: Sequence[str], node: Node | None = None
) -> list[ModelFinding]:
    """As verify_models, without judging: `kanon check` asks this of any table that has the columns."""
    findings = []
    have = {column.name for column in bench.backend.describe(table)}
    if bench.job.source.person is not None and node is not None:
        findings.append(_persons(bench, table, columns, node, k_anonymity(bench.job)))
    for model in models_beyond_k(bench.job):
        if not model.needs_population:
            if model.column in have:  # a column that is not published reveals nothing
                findings.append(_judged(model, _sensitive(bench, table, columns, model, model.column)))
        elif node is not None:
            findings.append(_judged(model, _population(bench, table, columns, node, model)))
    return findings


def _judged(model: PrivacyModel, worst: Sequence[float]) -> ModelFinding:
    """The first verification that fails, or the first of all; `worst` is the worst figure of each."""
    findings = [
        ModelFinding(model, asked.shown(figure), asked.threshold, asked.passes(figure))
        for asked, figure in zip(model.verification(), worst, strict=True)
    ]
    return next((finding for finding in findings if not finding.passes), findings[0])


def measure_sensitive(
    bench: Workbench, table: Relation, columns: Sequence[str]
) -> tuple[dict[str, float], dict[str, float]]:
    """For every sensitive column of a table: the fewest distinct values of a class, and the largest equal distance of a class."""
    have = {column.name for column in bench.backend.describe(table)}
    distinct: dict[str, float] = {}
    distance: dict[str, float] = {}
    for name in bench.job.columns_with("sensitive"):
        if name not in have:
            continue
        (values,) = _sensitive(bench, table, columns, DistinctLDiversity(name, 1), name)
        distinct[name] = int(values)
        (distance[name],) = _sensitive(bench, table, columns, TClosenessModel(name, 0.0), name)
    return distinct, distance


def _persons(bench: Workbench, table: Relation, columns: Sequence[str], node: Node, model: KAnonymity) -> ModelFinding:
    person = bench.job.source.person
    assert person is not None
    lowest = bench.lowest_close_key(bench.released_source, person)
    one_row = statements.release.verify_one_row(bench.dialect, bench.released_source, person, lowest)
    counted = bench.backend.fetch_one(one_row)
    if int(counted.rows) == int(counted.persons):  # each row is a person: those of a class are counted as published
        fewest = int(bench.backend.fetch_one(statements.release.verify(bench.dialect, table, columns)).min_class)
    else:
        source = generalized(bench.dialect, bench.released_source, bench.attributes, node, person)
        statement = statements.release.verify_persons(bench.dialect, table, columns, source, person)
        fewest = int(bench.backend.fetch_one(statement).fewest)
    return ModelFinding(model, fewest, model.k, fewest >= model.k)


def _population(
    bench: Workbench, table: Relation, columns: Sequence[str], node: Node, model: PrivacyModel
) -> list[float]:
    person = bench.job.source.person
    everyone = find_population(bench)
    population = generalized(bench.dialect, everyone.relation, bench.attributes, node, everyone.person)
    source = generalized(bench.dialect, bench.released_source, bench.attributes, node, person) if person else None
    figures = [(f"worst_{i}", f"{asked.worst}({asked.figure})") for i, asked in enumerate(model.verification())]
    found = bench.backend.fetch_one(
        statements.release.verify_population(bench.dialect, table, columns, population, figures, source, person)
    )
    return [_figure(worst) for worst in found]


def _sensitive(
    bench: Workbench, table: Relation, columns: Sequence[str], model: PrivacyModel, column: str
) -> list[float]:
    source = as_read(bench, bench.source, "source")
    worst = []
    for asked in model.verification():
        statement = statements.release.verify_model(
            bench.dialect,
            table,
            source,
            columns,
            column,
            asked,
            order=_order(bench, model, column) if asked.ordered else None,
            values=model.named_values,
            lookup=model.hierarchy,
        )
        worst.append(_figure(bench.backend.fetch_one(statement)[0]))
    return worst


def _figure(found: Any) -> float:
    """A figure of no class at all is 0."""
    return float(found) if found is not None else 0.0


def _order(bench: Workbench, model: PrivacyModel, column: str) -> str:
    """The values from low to high: by the job's list (NULL first), or by the column's own order."""
    if model.order is None:
        kind = bench.kinds[column]
        return bench.dialect.ordered(bench.dialect.as_number("whole.s", kind.form), kind.kind)
    text = bench.dialect.as_text("whole.s")
    branches = " ".join(
        f"when {text} = {bench.dialect.literal(value)} then {place}" for place, value in enumerate(model.order)
    )
    return f"case {branches} else -1 end"
