"""The frontier of a local recoding: what groups of k rows lose, for a ladder of k, each found from the groups of the next larger one or anew."""

from __future__ import annotations

from dataclasses import replace

from kanon_sql.cluster.ladder import ladder_step
from kanon_sql.errors import JobError, NoSolution
from kanon_sql.evaluate.score import score_release
from kanon_sql.flows.frontier_band import LADDER
from kanon_sql.flows.groups import coded_rows, published_view, searching, settings_of
from kanon_sql.metrics.discernibility import SQUARES
from kanon_sql.observer import Observer
from kanon_sql.search.pareto_frontier import Frontier, FrontierPoint, with_knees
from kanon_sql.workbench.block_answers import BlockAnswers
from kanon_sql.workbench.group_answers import GroupAnswers
from kanon_sql.workbench.group_labels import make_labels
from kanon_sql.workbench.group_privacy import repair
from kanon_sql.workbench.privacy_shape import build_shape
from kanon_sql.workbench.workbench import Workbench

NOTE = (
    "each k begins with the groups of the next larger one, or anew where that loses less, and has few rounds, nothing suppressed: "
    "what a run with search.algorithm: {algorithm} loses at one k may be less"
)


def groups_frontier(bench: Workbench, observer: Observer) -> Frontier:
    """Every k of the ladder, and the job's own, that some grouping reaches, with what it loses."""
    job = bench.job
    coded = replace(coded_rows(bench)[0], budget=0)
    ladder = sorted({k for k in (*LADDER, job.privacy.search_k) if 1 < k <= coded.count // 2}, reverse=True)
    if not ladder:
        raise JobError("the table has too few rows for two groups")
    points: list[FrontierPoint] = []
    rounds = 0
    try:
        with searching(bench, coded, ladder[0]) as (answers, brought_back):
            answers.blocks = BlockAnswers(answers).answer
            for place, k in enumerate(ladder):
                observer.step(f"searching groups (k = {k})")
                bench.job = job.with_k(k)
                answers.k = k
                step = ladder_step(settings_of(bench, coded, k), not place)
                rounds += answers.run(step).rounds
                point = _point(bench, brought_back(), k)
                if point is not None:
                    points.append(point)
    finally:
        bench.job = job
    if not points:
        raise NoSolution("the whole table as one group does not satisfy the privacy models")
    return Frontier(
        metric=job.utility.metric,
        algorithm="groups",
        exact=False,
        nodes=0,
        evaluated=len(ladder),
        statements=len(observer.statements),
        points=with_knees(worth_choosing(points)),
        names=(),
        ceiling=bench.rows,
        notes=(*bench.notes, NOTE.format(algorithm=job.search.algorithm)),
    )


def worth_choosing(points: list[FrontierPoint]) -> list[FrontierPoint]:
    """In ascending k, without those for which a larger k loses no more."""
    kept: list[FrontierPoint] = []
    for point in sorted(points, key=lambda point: -point.k):
        if not kept or point.loss < kept[-1].loss:
            kept.append(point)
    return kept[::-1]


def _point(bench: Workbench, answers: GroupAnswers, k: int) -> FrontierPoint | None:
    """The groups as they would be published; none where the privacy models cannot be satisfied."""
    answers.k = k
    try:
        verdict = repair(answers, build_shape(bench, (SQUARES,), ()).shape, settings_of(bench, answers.coded, k))
    except NoSolution:
        return None
    labels = make_labels(answers)
    published = published_view(bench, answers.coded, answers.assignment, labels, answers.ends)
    score = score_release(bench, published)
    bench.drop_view(published)
    bench.drop_table(labels)
    assert score.published is not None
    bench.drop_table(score.published)
    return FrontierPoint(
        verdict.k, round(score.measures[bench.job.utility.metric], 12), (), int(score.measures["suppressed"])
    )
