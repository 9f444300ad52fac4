"""The half of a plan that groups rows (local recoding): codes, clustering, privacy, and the plan that describes the groups."""

from __future__ import annotations

import contextlib
from typing import Any

from kanon_sql.cluster.finish import suppress
from kanon_sql.cluster.questions import Grouping
from kanon_sql.cluster.settings import ClusterSettings
from kanon_sql.config.privacy_models import build_models
from kanon_sql.evaluate.risk import measure_risk
from kanon_sql.evaluate.score import Score, score_release
from kanon_sql.metrics.discernibility import SQUARES
from kanon_sql.model.algorithms import LOCAL_RECODINGS
from kanon_sql.model.measures import MEASURES
from kanon_sql.observer import Observer
from kanon_sql.release.local_recoding import LocalRecoding
from kanon_sql.release.recoding import Chosen
from kanon_sql.results import PlanResult
from kanon_sql.sql import statements
from kanon_sql.sql.boxes import SetCode
from kanon_sql.sql.dialect import Relation
from kanon_sql.workbench.blanking import with_blanks
from kanon_sql.workbench.block_rounds import BlockRounds
from kanon_sql.workbench.coding import Coded, build_coding
from kanon_sql.workbench.embedded_groups import EmbeddedGroups, stays
from kanon_sql.workbench.group_labels import make_labels
from kanon_sql.workbench.group_privacy import repair
from kanon_sql.workbench.objectives import build_weights
from kanon_sql.workbench.privacy_shape import build_shape
from kanon_sql.workbench.rounds import Rounds
from kanon_sql.workbench.rules import check_rules
from kanon_sql.workbench.workbench import Workbench

CARRIED_BACK = {"assign": ("rid", "g"), "blanks": ("rid", "g", "mask")}
"""What a search on the embedded engine leaves, and its columns."""


def search_groups(bench: Workbench, observer: Observer) -> Chosen:
    """Run the job's clustering, mend what violates, and describe the groups."""
    search = bench.job.search
    weights = build_weights(bench)
    warnings = (*weights.warnings, *check_rules(bench).warnings)
    bench.notes += [warning for warning in warnings if warning not in bench.notes]
    privacy = build_shape(bench, (SQUARES,), ())
    coded = build_coding(bench, weights)
    settings = ClusterSettings(
        rows=coded.count,
        k=max(privacy.shape.k, 1),
        rounds=search.rounds,
        block=search.block,
        seed=search.seed,
        relaxed=search.relaxed,
        widest=search.cut == "widest",
        trees=bool(coded.boxes.asking().trees),
        ruled=bool(check_rules(bench).rules),
        objective=search.objective,
        attributes=len(bench.attributes),
        embedded=bench.backend.capabilities.embedded or stays(bench, coded) is None,
        time_limit=search.time_limit,
    )
    grouping, rounds = _searched(bench, coded, settings, observer)
    observer.step("checking the groups")
    verdict = repair(rounds, privacy.shape)
    labels = with_blanks(rounds, make_labels(bench, coded, rounds.tables["assign"]))
    published = _published(bench, rounds, labels)
    score = score_release(bench, published)
    plan = PlanResult(
        algorithm=grouping.algorithm,
        exact=False,
        gap=None,
        k=verdict.k,
        rows=bench.rows,
        suppressed=int(score.measures["suppressed"]),
        classes=int(score.measures["classes"]),
        utility={name: score.measures[name] for name in MEASURES if name in score.measures},
        groups=verdict.groups,
        rules=_rules(rounds),
        checks=rounds.rounds,
        risk=_risk(bench, published),
        guarantees=[model.statement for model in build_models(bench.job)],
        notes=[*bench.notes, *grouping.notes],
        figures=_figures(score, grouping.rounds),
    )
    return Chosen(LocalRecoding(coded.units, rounds.tables["assign"], labels), plan)


def _searched(bench: Workbench, coded: Coded, settings: ClusterSettings, observer: Observer) -> tuple[Grouping, Rounds]:
    """The groups of the job's algorithm, in the database: found there, or on the embedded engine and brought back."""
    found = Rounds(bench, coded, settings.k)
    why = stays(bench, coded)
    if why is not None:
        if why and bench.job.search.embedded != "never":
            bench.notes.append(f"search.embedded: the search for groups stayed in the database: {why}")
        return _driven(found, settings, observer), found
    with contextlib.closing(EmbeddedGroups(bench, coded)) as embedded:
        rounds = Rounds(embedded, embedded.coded, settings.k)
        grouping = _driven(rounds, settings, observer)
        for what, columns in CARRIED_BACK.items():
            if what in rounds.tables:
                embedded.bring_back(rounds.tables[what], columns)
                found.tables[what] = rounds.tables[what]
                found.versions[what] = rounds.versions[what]
    found.rounds = rounds.rounds
    bench.notes.append(
        f"searched on the embedded engine: the codes and counts of {bench.combinations} combinations left the database, "
        "and their groups came back"
    )
    return grouping, found


def _driven(rounds: Rounds, settings: ClusterSettings, observer: Observer) -> Grouping:
    rounds.progress = observer.checks
    rounds.blocks = BlockRounds(rounds).answer
    grouping = rounds.run(LOCAL_RECODINGS[rounds.bench.job.search.algorithm].driver(settings))
    if rounds.coded.budget:
        rounds.run(suppress(settings))
    return grouping


def _published(bench: Workbench, rounds: Rounds, labels: Relation) -> Relation:
    view = bench.names.work("groups")
    columns = [(f"label_{i}", attribute.name) for i, attribute in enumerate(bench.attributes)]
    quasi = {attribute.name for attribute in bench.attributes}
    beside = [(bench.names.sensitive(i), f"s{i}", name) for i, name in enumerate(bench.sensitive) if name not in quasi]
    statement = statements.cluster.publishing.published_groups(
        bench.dialect, view, rounds.coded.units, rounds.tables["assign"], labels, columns, beside
    )
    bench.make_view("groups", statement)
    return view


def _risk(bench: Workbench, published: Relation) -> dict[str, Any]:
    columns = [attribute.name for attribute in bench.attributes]
    return measure_risk(bench.backend, published, columns, bench.job.privacy.risk_threshold).to_dict()


def _figures(score: Score, rounds: int) -> dict[str, Any]:
    return {
        "rounds": rounds,
        "class_sizes": score.class_sizes,
        "largest_class": score.measures["largest_class"],
        "median_class": score.measures["median_class"],
        "attributes": {
            name: {figure: part[figure] for figure in ("ncp", "glm", "labels", "weight")}
            for name, part in score.attributes.items()
        },
    }


def _rules(rounds: Rounds) -> list[dict[str, Any]]:
    """Each rule, whether every group keeps to it, and the rows of those that do not."""
    bench, width = rounds.bench, len(rounds.bench.attributes)
    codes = [code for code in rounds.coded.boxes.codes if isinstance(code, SetCode) and code.index >= width]
    if not codes:
        return []
    rounds.make_boxes()
    statement = statements.cluster.publishing.broken_groups(bench.dialect, rounds.tables["boxes"], codes)
    broken = {int(index): (int(groups), int(rows)) for index, groups, rows in bench.backend.fetch(statement)}
    return [
        {
            "column": bench.attributes[checked.attribute].name,
            "rule": str(checked.rule),
            "importance": checked.rule.importance,
            "holds": broken[width + place][0] == 0,
            "broken_groups": broken[width + place][0],
            "broken_rows": broken[width + place][1],
        }
        for place, checked in enumerate(check_rules(bench).rules)
    ]
