"""A night of kept groups: survivors stay, newcomers join or wait, the waiting room is grouped by the job's own algorithm."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from kanon_sql.cluster.finish import cut_groups
from kanon_sql.errors import NoSolution
from kanon_sql.flows.groups import Described, Keeping, coded_rows, describe, searched, settings_of
from kanon_sql.model.counted import counted
from kanon_sql.observer import Observer
from kanon_sql.release.recoding import Chosen
from kanon_sql.results import PlanResult
from kanon_sql.sql.class_shape import ClassShape
from kanon_sql.sql.relations import GroupTable
from kanon_sql.workbench.group_answers import GroupAnswers
from kanon_sql.workbench.group_privacy import judged, repair
from kanon_sql.workbench.kept_groups import Night, Waiting
from kanon_sql.workbench.privacy_shape import BuiltPrivacy
from kanon_sql.workbench.workbench import Workbench


def keep_groups(bench: Workbench, observer: Observer, keeping: Keeping) -> Chosen:
    """The groups of the last release as they stand tonight."""
    kept = keeping.kept
    assert kept is not None
    observer.step("keeping the groups of the last release")
    coded, privacy = coded_rows(bench)
    at_k = dataclasses.replace(privacy.shape, k=bench.job.privacy.k)
    night = Night(bench, coded, keeping.salt, keeping.version, kept)
    night.place_everybody()
    night.keep_groups(bench.job.privacy.k, join=not keeping.strict)
    night.rest(at_k)
    waiting = night.waiting_room(max(privacy.shape.k, 1))
    if waiting is not None:
        _group_the_waiting(bench, observer, night, waiting, privacy, keeping)
    _split_large_groups(bench, night, max(privacy.shape.k, 1), at_k)
    assignment, labels = night.settle()
    answers = night.answers(assignment)
    verdict, _ = judged(answers, at_k)
    if not verdict.groups:
        raise NoSolution(
            f"no group of version {kept.version} has k = {bench.job.privacy.k} of its founders left, and too few wait for a new one",
            'begin anew knowingly: kanon run --rebase "why"',
        )
    told = night.figures() | {"kept_version": kept.version}
    groups = Described(assignment, labels, "kept groups", verdict, answers.rounds, 0)
    chosen = describe(bench, answers, groups, [night_in_words(told, keeping.version)], night.next_tables())
    losses = {"loss": published_loss(chosen.plan), "searched_loss": keeping.searched_loss}
    notes = [*chosen.plan.notes, *([loss_in_words(losses)] if keeping.searched_loss is not None else [])]
    figures = chosen.plan.figures | {"night": told | losses}
    return dataclasses.replace(chosen, plan=dataclasses.replace(chosen.plan, notes=notes, figures=figures))


def published_loss(plan: PlanResult) -> float | None:
    """The NCP of a published row: in a plan's own figure, a row that is withheld counts as wholly lost."""
    published = plan.rows - plan.suppressed
    return (
        (plan.utility["ncp"] * plan.rows - plan.suppressed) / published if published and "ncp" in plan.utility else None
    )


def loss_in_words(losses: Mapping[str, float | None], fresh: bool = False) -> str:
    """What a published row loses tonight, against the search that founded the groups, or against a fresh one."""
    loss, other = losses["loss"] or 0.0, losses["searched_loss"] or 0.0
    which = "a fresh search at k would lose" if fresh else "when the groups were searched for it was"
    times = f", {loss / other:.2f} times as much" if other else ""
    return f"a published row loses {loss:.4f} (NCP); {which} {other:.4f}{times}"


def _group_the_waiting(
    bench: Workbench, observer: Observer, night: Night, waiting: Waiting, privacy: BuiltPrivacy, keeping: Keeping
) -> None:
    """The job's own algorithm on who waits, at k and the margin; what loses little enough is founded."""
    observer.step("grouping who waits")
    try:
        settings = settings_of(bench, waiting.coded, max(privacy.shape.k, 1))
        _, answers = searched(bench, waiting.coded, settings, observer)
        repair(answers, privacy.shape, settings)
    except NoSolution:
        return  # the models ask for more than those who wait can give: they wait on
    night.accept(waiting, answers, night.make_labels(answers), keeping.version - keeping.wait)


def _split_large_groups(bench: Workbench, night: Night, least: int, shape: ClassShape) -> None:
    """Groups with founders for two are cut where that loses less, and where all parts satisfy the privacy models."""
    large = night.large_groups(2 * least)
    if large is None:
        return
    answers = GroupAnswers(bench, large.coded, least, "split_")
    answers.tables[GroupTable.ASSIGNMENT] = large.whole
    answers.run(cut_groups(least, bench.job.search.cut == "widest"))
    if judged(answers, shape)[0].violating_rows:
        return
    night.split(large, answers, night.make_labels(answers), least)


def night_in_words(told: dict[str, int], version: int) -> str:
    """Who stayed, joined, waits and left the release, and why, in a sentence or two."""
    kept = (
        f"{told['groups_kept']:,} of {counted(told['groups_before'], 'group')} of version {told['kept_version']} kept"
    )
    said = [f"{told['stayed']:,} rows stayed"]
    if told["joined"] or told["founded"]:
        said.append(f"{told['joined']:,} joined a group that holds them")
    if told["founded"]:
        said.append(f"{told['founded']:,} who had waited founded new groups")
    if told["waiting"]:
        nights = version - told["waiting_since"] + 1
        said.append(f"{told['waiting']:,} wait for a group (the longest for {counted(nights, 'night')})")
    if told["resting"]:
        said.append(f"{told['resting']:,} rest tonight, because their groups do not satisfy the privacy models")
    left = told["gone"] + told["moved"]
    why = f", because of {left:,} who left or changed" if left else ""
    if told["retired_tonight"]:
        said.append(
            f"{told['retired_tonight']:,} leave the release for good{why}: fewer than k of their groups are left"
        )
    if told["retired"] > told["retired_tonight"]:
        said.append(f"{told['retired'] - told['retired_tonight']:,} had left it before")
    return f"{kept}: {', '.join(said)}"
