"""The drivers without a database: counts answer their questions, and what they ask is looked at."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest

from kanon_sql.cluster.anneal import anneal, default_rounds
from kanon_sql.cluster.auto import choose
from kanon_sql.cluster.block_questions import HalveOpen, StartMerging
from kanon_sql.cluster.finish import length_for
from kanon_sql.cluster.k_member import k_member
from kanon_sql.cluster.mondrian import mondrian
from kanon_sql.cluster.questions import (
    AbsorbSmallGroups,
    AssignClasses,
    CloseGroups,
    Counts,
    CutOpen,
    DissolveCostliest,
    Driver,
    EndClasses,
    Grouping,
    KeepGroups,
    MeasureGroups,
    OpenGroups,
    OpenTable,
    Question,
    RestoreGroups,
    StartClasses,
    Sweep,
)
from kanon_sql.cluster.seed_classes import by_loss
from kanon_sql.cluster.settings import ClusterSettings


def answered(
    driver: Driver, cuts: int = 3, small: int = 2, losses: Iterator[float] | None = None
) -> tuple[list[Question], Grouping]:
    """Drive an algorithm with plausible counts: `cuts` rounds of cutting, then `small` groups that find homes one by one."""
    asked: list[Question] = []
    open_groups, left, free = cuts, small, 100
    answer: Counts | None = None
    while True:
        try:
            question = driver.send(answer)  # type: ignore[arg-type]
        except StopIteration as end:
            return asked, end.value
        asked.append(question)
        if isinstance(question, OpenTable):
            answer = Counts(open=100)
        elif isinstance(question, CutOpen):
            open_groups -= 1
            answer = Counts(open=max(0, 10 * open_groups))
        elif isinstance(question, StartClasses):
            answer = Counts(open=100, levels=((0.0, 0.5, 1.0), (0.0, 0.2)))
        elif isinstance(question, AssignClasses):
            free -= 30
            answer = Counts(open=max(0, free), done=5)
        elif isinstance(question, AbsorbSmallGroups):
            left -= 1
            answer = Counts(done=1, small=left, groups=20, open=left)
        elif isinstance(question, MeasureGroups):
            answer = Counts(small=left, groups=20, open=left, loss=10.0)
            if losses is not None:
                answer = Counts(groups=20, loss=next(losses, 1.0))
        elif isinstance(question, Sweep):
            answer = Counts(done=5, change=-2.5)
        else:
            answer = Counts()


def test_mondrian_cuts_until_nothing_is_open() -> None:
    asked, grouping = answered(mondrian(ClusterSettings(rows=100, k=5)))
    assert [type(question) for question in asked] == [OpenTable, CutOpen, CutOpen, CutOpen, CloseGroups]
    assert asked[1] == CutOpen(stop=9, least=5)
    assert grouping.rounds == 3
    relaxed, _ = answered(mondrian(ClusterSettings(rows=100, k=5, relaxed=True, widest=True)))
    assert relaxed[1] == CutOpen(stop=9, least=3, widest=True, multiple_of=5)


@pytest.mark.parametrize(("trees", "hot_rounds"), [(False, 38), (True, 34)])
def test_anneal_cools_down_and_leaves_no_group_small(trees: bool, hot_rounds: int) -> None:
    asked, _ = answered(anneal(ClusterSettings(rows=10_000, k=5, rounds=40, trees=trees, nodes=1 << 40)), small=6)
    sweeps = [question for question in asked if isinstance(question, Sweep)]
    heats = [sweep.heat for sweep in sweeps]
    hot = [heat for heat in heats if heat]
    assert len(hot) == hot_rounds and hot == sorted(hot, reverse=True)
    assert heats[:4] == [0] * 4 and heats[-1] == 0
    assert hot[0] == pytest.approx(0.8 * 0.5)  # what an operation of the first round gained
    penalties = [sweep.penalty for sweep in sweeps if sweep.heat]
    assert penalties == sorted(penalties)
    assert len({sweep.salt for sweep in sweeps}) == len(sweeps)
    assert sum(isinstance(question, AbsorbSmallGroups) for question in asked) == 6
    assert isinstance(asked[-1], OpenGroups) or any(isinstance(question, OpenGroups) for question in asked)
    assert any(isinstance(question, DissolveCostliest) for question in asked)


def test_anneal_goes_back_where_heat_gains_nothing() -> None:
    for after, restored in ((26.0, 1), (24.0, 0)):
        losses = iter([25.0, 99.0, 99.0, after])  # after the first moves, (absorbing, dissolving), after the heat
        asked, _ = answered(anneal(ClusterSettings(rows=10_000, k=5, rounds=40)), losses=losses)
        kinds = [type(question) for question in asked]
        assert kinds.count(KeepGroups) == 1 and kinds.count(RestoreGroups) == restored


def test_few_rounds_have_no_heat() -> None:
    asked, _ = answered(anneal(ClusterSettings(rows=10_000, k=5, rounds=16)))
    sweeps = [question for question in asked if isinstance(question, Sweep)]
    assert len(sweeps) == 16 and not any(sweep.heat for sweep in sweeps)


def test_auto_goes_by_rows_engine_and_time() -> None:
    assert choose(ClusterSettings(30_000, 5, attributes=8)).algorithm == "anneal"
    assert choose(ClusterSettings(1_000_000, 5, attributes=8)).rounds == 16
    assert choose(ClusterSettings(10_000_000, 5, attributes=8)).rounds == 0
    assert choose(ClusterSettings(30_000, 5, attributes=8, embedded=False)).algorithm == "mondrian"
    many, few = {"attributes": 8, "combinations": 900_000}, {"attributes": 8, "combinations": 100_000}
    assert choose(ClusterSettings(1_000_000, 5, **many)).algorithm == "mondrian"
    assert choose(ClusterSettings(1_000_000, 5, **few)).algorithm == "anneal"
    assert choose(ClusterSettings(10_000_000, 5, **few)).algorithm == "bottom-up"


def test_another_seed_sorts_the_rows_otherwise() -> None:
    salts = [
        [q.salt for q in answered(anneal(ClusterSettings(10_000, 5, rounds=5, seed=seed)))[0] if isinstance(q, Sweep)]
        for seed in (1, 2)
    ]
    assert not set(salts[0]) & set(salts[1])


def test_with_levels_classes_are_peeled_off_first() -> None:
    asked, _ = answered(anneal(ClusterSettings(rows=10_000, k=5, rounds=30, trees=True, nodes=6)))
    assert isinstance(asked[0], StartClasses)
    classes = [node for question in asked if isinstance(question, AssignClasses) for node in question.nodes]
    assert classes == [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)]
    assert isinstance(asked[[isinstance(q, EndClasses) for q in asked].index(True) + 1], MeasureGroups)


@pytest.mark.parametrize("sizes", [(3, 2, 4), (2, 2), (5,)])
def test_nodes_come_in_ascending_loss_each_once(sizes: tuple[int, ...]) -> None:
    levels = tuple(tuple((j * (i + 2)) ** 1.3 for j in range(size)) for i, size in enumerate(sizes))
    nodes = list(by_loss(levels))
    assert sorted(nodes) == sorted(itertools.product(*(range(size) for size in sizes)))
    losses = [sum(levels[i][j] for i, j in enumerate(node)) for node in nodes]
    assert losses == pytest.approx(sorted(losses))


def test_pairs_are_bounded() -> None:
    assert length_for(5, Counts(open=100, groups=5000)) is None
    assert length_for(5, Counts(open=100_000, groups=5000)) is not None
    assert default_rounds(ClusterSettings(30_000, 5)) == 55
    assert default_rounds(ClusterSettings(30_000, 5, trees=True)) == 70
    assert default_rounds(ClusterSettings(73_489, 5, attributes=16)) == 30
    assert default_rounds(ClusterSettings(1_000_000, 5)) == 16


def test_where_rows_repeat_halving_is_tried_beside_mergers_and_heat() -> None:
    asked, _ = answered(anneal(ClusterSettings(rows=10_000, k=5, combinations=3_000)))
    kinds = [type(question) for question in asked]
    assert kinds.count(StartMerging) == 2 and HalveOpen in kinds
    assert any(question.heat for question in asked if isinstance(question, Sweep))


def test_k_member_dissolves_what_blocks_had_left() -> None:
    asked, _ = answered(k_member(ClusterSettings(rows=10_000, k=5)))
    kinds = [type(question) for question in asked]
    assert DissolveCostliest in kinds and isinstance(asked[-1], Sweep)
