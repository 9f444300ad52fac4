"""The half of a plan that groups rows (local recoding): codes, clustering, privacy, and the plan that describes the groups."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from kanon_sql.cluster.finish import suppress_outliers
from kanon_sql.cluster.questions import Grouping
from kanon_sql.cluster.settings import ClusterSettings
from kanon_sql.config.privacy_models import build_models
from kanon_sql.evaluate.risk import measure_risk
from kanon_sql.evaluate.score import Score, score_release
from kanon_sql.flows.choice import columns_of_groups
from kanon_sql.flows.group_progress import RoundsHeard
from kanon_sql.frozen import dataclass
from kanon_sql.metrics.discernibility import SQUARES
from kanon_sql.model.algorithms import LOCAL_RECODINGS
from kanon_sql.model.measures import MEASURES
from kanon_sql.observer import Observer
from kanon_sql.release.local_recoding import LocalRecoding
from kanon_sql.release.recoding import Chosen
from kanon_sql.results import PlanResult
from kanon_sql.sql import statements
from kanon_sql.sql.boxes import SetCode
from kanon_sql.sql.dialect import CountedRelation, Relation
from kanon_sql.sql.relations import GroupTable
from kanon_sql.sql.render import unused
from kanon_sql.sql.statements.cluster.publishing import Told
from kanon_sql.workbench.blanking import with_blanks
from kanon_sql.workbench.block_answers import BlockAnswers
from kanon_sql.workbench.coding import Coded, build_coding
from kanon_sql.workbench.embedded_groups import EmbeddedGroups, stays
from kanon_sql.workbench.group_answers import GroupAnswers
from kanon_sql.workbench.group_bound import bounded_loss
from kanon_sql.workbench.group_labels import make_labels, told_of
from kanon_sql.workbench.group_limits import GroupLimits
from kanon_sql.workbench.group_privacy import GroupVerdict, check_whole, repair, within_limits
from kanon_sql.workbench.kept_groups import Night
from kanon_sql.workbench.kept_tables import KeptTables
from kanon_sql.workbench.objectives import build_weights
from kanon_sql.workbench.privacy_shape import BuiltPrivacy, build_shape
from kanon_sql.workbench.rules import check_rules
from kanon_sql.workbench.workbench import Workbench

BROUGHT_BACK: dict[GroupTable, Sequence[str]] = {
    GroupTable.ASSIGNMENT: ("rid", "g"),
    GroupTable.BLANKS: ("rid", "g", "mask"),
    GroupTable.GROUP_VALUES: ("attribute", "g", "code"),
}
"""What a search on the embedded engine leaves, and its columns; and what tells the labels of the groups."""


@dataclass(frozen=True)
class Keeping:
    """Groups are kept from night to night: the salt of the digests of persons, the version at hand, and the groups so far, if any.

    `strict`: newcomers enter k or more at a time. `wait`: nights after which a group of the waiting room may lose what it loses.
    """

    salt: str
    version: int
    kept: KeptTables | None = None
    strict: bool = False
    wait: int = 21
    searched_loss: float | None = None
    """What a published row lost (NCP) when these groups were searched for."""


def search_groups(bench: Workbench, observer: Observer, keeping: Keeping | None = None) -> Chosen:
    """Run the job's clustering, mend what violates, and describe the groups; `keeping`: they are kept for the nights to come."""
    coded, privacy = coded_rows(bench, searched_once=keeping is None)
    check_whole(bench, privacy)
    settings = settings_of(bench, coded, max(privacy.shape.k, 1))
    grouping, answers = searched(bench, coded, settings, observer)
    observer.step("checking the groups")
    verdict = within_limits(answers, privacy.shape, repair(answers, privacy.shape, settings))
    assignment, kept = answers.assignment, None
    if keeping is None:
        labels = with_blanks(answers, make_labels(answers))
    else:
        night = Night(bench, coded, keeping.salt, keeping.version, None)
        night.place_everybody()
        night.found_all(answers, night.make_labels(answers))
        assignment, labels = night.settle()
        kept = night.next_tables()
    described = Described(
        assignment, labels, grouping.algorithm, verdict, answers.rounds, grouping.rounds, grouping.figures
    )
    return describe(bench, answers, described, grouping.notes, kept)


def coded_rows(bench: Workbench, *, searched_once: bool = False) -> tuple[Coded, BuiltPrivacy]:
    """The rows, coded, and what the job asks of a group. `searched_once`: after a search elsewhere, labels are all that reads them."""
    weights = build_weights(bench)
    warnings = (*weights.warnings, *check_rules(bench).warnings)
    bench.notes += [warning for warning in warnings if warning not in bench.notes]
    privacy = build_shape(bench, (SQUARES,), ())
    read_once = (lambda rows: stays(bench, rows) is None) if searched_once else None
    return build_coding(bench, weights, read_once), privacy


def settings_of(bench: Workbench, coded: Coded, k: int) -> ClusterSettings:
    search = bench.job.search
    return ClusterSettings(
        rows=coded.count,
        k=k,
        rounds=search.rounds,
        block=search.block,
        seed=search.seed,
        relaxed=search.relaxed,
        widest=search.cut == "widest",
        trees=bool(coded.boxes.asking().trees),
        combinations=bench.combinations,
        ruled=bool(check_rules(bench).rules),
        objective=search.objective,
        attributes=len(bench.attributes),
        nodes=bench.lattice.size,
        embedded=bench.backend.capabilities.embedded or stays(bench, coded.count) is None,
        time_limit=search.time_limit,
    )


@dataclass(frozen=True)
class Described:
    """Groups to be described: who is in which, what each publishes, and how they came about."""

    assignment: Relation
    labels: Relation
    algorithm: str
    verdict: GroupVerdict
    checks: int
    rounds: int
    figures: Mapping[str, object] = field(default_factory=dict)


def describe(
    bench: Workbench,
    answers: GroupAnswers,
    groups: Described,
    notes: Sequence[str],
    kept: Mapping[str, Relation] | None = None,
) -> Chosen:
    """The plan of groups, and the recoding that publishes them."""
    coded = answers.coded
    told = answers.ends if groups.assignment == answers.tables.get(GroupTable.ASSIGNMENT) else None
    published = published_view(bench, coded, groups.assignment, groups.labels, told)
    score = score_release(bench, published)
    choice, example_rows = columns_of_groups(bench, coded.boxes.codes, score)
    plan = PlanResult(
        algorithm=groups.algorithm,
        exact=False,
        gap=None,
        k=groups.verdict.k,
        rows=bench.rows,
        suppressed=int(score.measures["suppressed"]),
        classes=int(score.measures["classes"]),
        utility={name: score.measures[name] for name in MEASURES if name in score.measures},
        groups=groups.verdict.groups,
        rules=_rules(answers),
        checks=groups.checks,
        risk=_risk(bench, score),
        guarantees=[model.statement for model in build_models(bench.job)],
        notes=[*bench.notes, *notes],
        figures=_figures(score, groups.rounds) | dict(groups.figures),
        choice=choice,
        example_rows=example_rows,
    )
    recoding = LocalRecoding(coded.units, groups.assignment, groups.labels, kept=kept is not None)
    return Chosen(recoding, plan, kept)


@contextlib.contextmanager
def searching(
    bench: Workbench, coded: Coded, k: int, search: str = ""
) -> Iterator[tuple[GroupAnswers, Callable[[], GroupAnswers]]]:
    """Who answers a search, in the database or on the embedded engine, and what brings the groups it has found to the database.

    `search` tells the tables of two searches on one workbench apart.
    """
    found = GroupAnswers(bench, coded, k, search)
    why = stays(bench, coded.count)
    if why is not None:
        if why:
            bench.notes.append(f"search.embedded: the search for groups stayed in the database: {why}")
        yield found, lambda: found
        return
    with contextlib.closing(EmbeddedGroups(bench, coded)) as embedded:
        answers = GroupAnswers(embedded, embedded.coded, k, search)

        def brought_back() -> GroupAnswers:
            found.drop_replaced()
            found.boxes_are_current = False
            told = told_of(bench, coded)
            tell_labels(answers, told)
            for table, columns in {**BROUGHT_BACK, GroupTable.GROUP_ENDS: told.columns}.items():
                if table in answers.tables:
                    _forget(bench, {answers.tables[table], found.tables.get(table, answers.tables[table])})
                    embedded.bring_back(answers.tables[table], columns)
                    found.tables[table], found.versions[table] = answers.tables[table], answers.versions[table]
            found.ends_are_current = True
            found.rounds = answers.rounds
            return found

        yield answers, brought_back
    bench.notes.append(
        f"searched on the embedded engine: the codes and counts of {bench.combinations} combinations left the database, "
        "and their groups came back"
    )


def tell_labels(answers: GroupAnswers, told: Told) -> None:
    """Put down what tells the labels of the groups, where the rows are at hand as codes."""
    publishing, coded = statements.cluster.publishing, answers.coded
    answers.make(GroupTable.GROUP_ENDS, publishing.group_ends, answers.assignment, coded.rows, told)
    if told.wide:
        answers.make(GroupTable.GROUP_VALUES, publishing.group_values, answers.assignment, coded.units, told.wide)


def _forget(bench: Workbench, tables: set[Relation]) -> None:
    """Drop what was brought back before."""
    old = [("table", table) for table in tables if ("table", table) in bench.made]
    if old:
        bench.backend.drop_work(old)
        bench.made[:] = [made for made in bench.made if made not in old]


def searched(
    bench: Workbench, coded: Coded, settings: ClusterSettings, observer: Observer, search: str = ""
) -> tuple[Grouping, GroupAnswers]:
    """The groups of the job's algorithm, in the database."""
    with searching(bench, coded, settings.k, search) as (answers, brought_back):
        return _driven(answers, settings, observer), brought_back()


def _driven(answers: GroupAnswers, settings: ClusterSettings, observer: Observer) -> Grouping:
    told = RoundsHeard(observer, answers.bench.rows, len(answers.bench.attributes))
    answers.blocks = BlockAnswers(answers).answer
    limits = GroupLimits(answers)
    limits.withhold()
    grouping = answers.run(told.heard(LOCAL_RECODINGS[answers.bench.job.search.algorithm].driver(settings)))
    if answers.coded.budget:
        answers.run(told.heard(suppress_outliers(settings)))
    bound = bounded_loss(answers)
    limits.settle(settings)
    if bound is None:
        return grouping
    note = bound.note(answers.bench.job.utility.metric, settings.k)
    return replace(grouping, notes=(*grouping.notes, note), figures=bound.figures())


def published_view(
    bench: Workbench, coded: Coded, assignment: Relation, labels: Relation, told: Relation | None
) -> CountedRelation:
    """The release as it would be, counted, as a view; `told`: what tells how many rows a group has, if anything does."""
    columns = [(f"label_{i}", attribute.name) for i, attribute in enumerate(bench.attributes)]
    quasi = {attribute.name for attribute in bench.attributes}
    beside = [(bench.names.sensitive(i), f"s{i}", name) for i, name in enumerate(bench.sensitive) if name not in quasi]
    shown = [name for _, name in columns] + [name for _, _, name in beside]
    view = CountedRelation(bench.names.groups.parts, unused("kanon_n", shown))
    statement = statements.cluster.publishing.published_groups(
        bench.dialect, view, coded.units, assignment, labels, columns, beside, bench.counts_persons, told
    )
    bench.make_view(view, statement)
    return view


def _risk(bench: Workbench, score: Score) -> dict[str, Any]:
    columns = [f"label_{i}" for i in range(len(bench.attributes))]
    assert score.published is not None
    threshold = bench.job.privacy.risk_threshold
    return measure_risk(bench.backend, score.published, columns, threshold, rows="sum(n)").to_dict()


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


def _rules(answers: GroupAnswers) -> list[dict[str, Any]]:
    """Each rule, whether every group keeps to it, and the rows of those that do not."""
    bench, width = answers.bench, len(answers.bench.attributes)
    codes = [code for code in answers.coded.boxes.codes if isinstance(code, SetCode) and code.index >= width]
    if not codes:
        return []
    answers.make_boxes()
    statement = statements.cluster.publishing.broken_groups(bench.dialect, answers.tables[GroupTable.BOXES], codes)
    broken = {int(row.rule): (int(row.groups), int(row.rows)) for row in bench.backend.fetch(statement)}
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
