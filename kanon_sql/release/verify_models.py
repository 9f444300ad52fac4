"""The models beyond k, verified on the staged release with plain SQL that shares nothing with the search. It fails closed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from kanon_sql.config.privacy_models import build_models, sensitive_hierarchy, shown
from kanon_sql.errors import VerificationFailed
from kanon_sql.model.lattice import Node
from kanon_sql.model.privacy.alpha_k import AlphaK
from kanon_sql.model.privacy.beta_likeness import BetaLikeness
from kanon_sql.model.privacy.delta_presence import DeltaPresence
from kanon_sql.model.privacy.k_anonymity import KAnonymity
from kanon_sql.model.privacy.k_map import KMap
from kanon_sql.model.privacy.l_diversity import DistinctLDiversity, EntropyLDiversity, RecursiveLDiversity
from kanon_sql.model.privacy.model import TOLERANCE, PrivacyModel
from kanon_sql.model.privacy.p_sensitive import PSensitive
from kanon_sql.model.privacy.t_closeness import TCloseness
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
    behind: StagedPersons | None = None,
) -> list[ModelFinding]:
    """Every model of the job beyond k on the staged table; the one on k too where the job names a person key.

    `columns` are the published quasi-identifiers. Who stands behind a class is known from the node, or with local recoding from
    `behind`; from neither, nothing is published. Raises VerificationFailed where a model fails.
    """
    findings = measure_models(bench, table, columns, node)
    if bench.job.source.person is not None and node is None:
        if behind is None:
            raise VerificationFailed("nobody can say which persons stand behind the staged release: it was dropped")
        findings += [
            persons_behind(bench, table, columns, behind, model)
            for model in build_models(bench.job)
            if isinstance(model, KAnonymity)
        ]
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


def persons_behind(
    bench: Workbench, table: Relation, columns: Sequence[str], behind: StagedPersons, model: KAnonymity
) -> ModelFinding:
    """The fewest persons behind a class of a local recoding, by an account that agrees with the staged table and with the source."""
    person = bench.job.source.person
    assert person is not None
    published = [column.name for column in bench.backend.describe(table)]
    statement = statements.release.verify_behind(
        bench.dialect,
        table,
        as_read(bench, behind.table, "behind"),
        as_read(bench, bench.source, "source"),
        quasi=columns,
        columns=published,
        person=(behind.person, person),
        raw=behind.raw,
        side=f"{bench.code_prefix}side",
    )
    found = bench.backend.fetch_one(statement)
    fewest, differing, unaccounted = int(found.fewest), int(found.differing), int(found.unaccounted)
    if differing or unaccounted:
        raise VerificationFailed(
            f"{differing or unaccounted} rows of the staged release are not those of the persons behind them: it was dropped",
            "the source or the staged table changed during the run: run again; if it persists, report it with --debug",
        )
    return ModelFinding(model, fewest, model.k, fewest >= model.k)


def measure_models(
    bench: Workbench, table: Relation, columns: Sequence[str], node: Node | None = None
) -> list[ModelFinding]:
    """As verify_models, without judging: `kanon check` asks this of any table that has the columns."""
    findings = []
    have = {column.name for column in bench.backend.describe(table)}
    for model in build_models(bench.job):
        if model.column is not None and model.column not in have:
            continue  # a column that is not published reveals nothing
        if isinstance(model, KAnonymity):
            if bench.job.source.person is not None and node is not None:
                findings.append(_persons(bench, table, columns, node, model))
        elif model.needs_population:
            if node is not None:
                findings.append(_population(bench, table, columns, node, model))
        else:
            findings.append(_sensitive(bench, table, columns, model))
    return findings


def measure_sensitive(
    bench: Workbench, table: Relation, columns: Sequence[str]
) -> tuple[dict[str, float], dict[str, float]]:
    """For every sensitive column of a table: the fewest distinct values of a class, and the largest equal distance of a class."""
    have = {column.name for column in bench.backend.describe(table)}
    source = as_read(bench, bench.source, "source")
    distinct: dict[str, float] = {}
    distance: dict[str, float] = {}
    for name in bench.job.columns_with("sensitive"):
        if name not in have:
            continue
        for figure, into in (("distinct", distinct), ("equal", distance)):
            statement = statements.release.verify_model(bench.dialect, table, source, columns, name, figure)
            found = bench.backend.fetch_one(statement)[0]
            into[name] = 0.0 if found is None else int(found) if figure == "distinct" else float(found)
    return distinct, distance


def _persons(bench: Workbench, table: Relation, columns: Sequence[str], node: Node, model: KAnonymity) -> ModelFinding:
    person = bench.job.source.person
    assert person is not None
    source = generalized(bench.dialect, bench.source, bench.attributes, node, person)
    row = bench.backend.fetch_one(statements.release.verify_persons(bench.dialect, table, columns, source, person))
    fewest = int(row[0])
    return ModelFinding(model, fewest, model.k, fewest >= model.k)


def _population(
    bench: Workbench, table: Relation, columns: Sequence[str], node: Node, model: PrivacyModel
) -> ModelFinding:
    person = bench.job.source.person
    everyone = find_population(bench)
    population = generalized(bench.dialect, everyone.relation, bench.attributes, node, everyone.person)
    source = generalized(bench.dialect, bench.source, bench.attributes, node, person) if person else None
    found = bench.backend.fetch_one(
        statements.release.verify_population(bench.dialect, table, columns, population, source, person)
    )
    fewest, largest, least = float(found.fewest), float(found.largest), float(found.least)
    if isinstance(model, KMap):
        return ModelFinding(model, fewest, model.k, fewest >= model.k)
    assert isinstance(model, DeltaPresence)
    if largest > model.maximum + TOLERANCE:
        return ModelFinding(model, largest, model.maximum, False)
    if least < model.minimum - TOLERANCE:
        return ModelFinding(model, least, model.minimum, False)
    return ModelFinding(model, largest, model.maximum, True)


def _sensitive(bench: Workbench, table: Relation, columns: Sequence[str], model: PrivacyModel) -> ModelFinding:
    figure, settings = _figure(bench, model)
    assert model.column is not None
    statement = statements.release.verify_model(
        bench.dialect, table, as_read(bench, bench.source, "source"), columns, model.column, figure, **settings
    )
    found = bench.backend.fetch_one(statement)[0]
    worst = float(found) if found is not None else 0.0
    if isinstance(model, DistinctLDiversity | PSensitive):
        threshold: float = model.l if isinstance(model, DistinctLDiversity) else model.p
        return ModelFinding(model, worst, threshold, worst >= threshold)
    if isinstance(model, EntropyLDiversity):
        return ModelFinding(model, math.exp(worst), model.l, worst >= math.log(model.l) - TOLERANCE)
    if isinstance(model, RecursiveLDiversity):
        return ModelFinding(model, worst, 0.0, worst < -TOLERANCE)
    if isinstance(model, TCloseness):
        return ModelFinding(model, worst, model.t, worst <= model.t + TOLERANCE)
    if isinstance(model, AlphaK):
        return ModelFinding(model, worst, model.alpha, worst <= model.alpha + TOLERANCE)
    assert isinstance(model, BetaLikeness)
    threshold = model.beta if model.kind == "basic" else 0.0
    return ModelFinding(model, worst, threshold, worst <= threshold + TOLERANCE)


def _figure(bench: Workbench, model: PrivacyModel) -> tuple[str, dict[str, object]]:
    if isinstance(model, DistinctLDiversity | PSensitive):
        return "distinct", {}
    if isinstance(model, EntropyLDiversity):
        return "entropy", {}
    if isinstance(model, RecursiveLDiversity):
        return "recursive", {"l": model.l, "c": model.c}
    if isinstance(model, AlphaK):
        return "share", {"values": model.values}
    if isinstance(model, BetaLikeness):
        return ("gain", {}) if model.kind == "basic" else ("excess", {"beta": model.beta})
    assert isinstance(model, TCloseness)
    assert model.column is not None
    if model.distance == "hierarchical":
        return "hierarchical", {"lookup": sensitive_hierarchy(bench.job, model.column), "height": model.height}
    return model.distance, {"order": _order(bench, model.column)}


def _order(bench: Workbench, column: str) -> str:
    """The values from low to high: by the job's list (NULL first), or by the column's own order."""
    order = bench.job.privacy.t_closeness[column].order
    if order is None:
        kind = bench.kinds[column]
        return bench.dialect.ordered(bench.dialect.as_number("s", kind.form), kind.kind)
    text = bench.dialect.as_text("s")
    branches = " ".join(
        f"when {text} = {bench.dialect.literal(shown(value))} then {place}" for place, value in enumerate(order)
    )
    return f"case {branches} else -1 end"
