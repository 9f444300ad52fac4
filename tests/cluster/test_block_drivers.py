"""Drivers that work inside blocks, without a database: a list of answers leads them through their questions."""

from __future__ import annotations

from kanon_sql.cluster.block_questions import (
    EndGrowing,
    GrowGroups,
    HalveOpen,
    MergePairs,
    OpenRows,
    PlaceLeftovers,
    SettleBlanks,
    StartGrowing,
    StartMerging,
)
from kanon_sql.cluster.bottom_up import bottom_up
from kanon_sql.cluster.euclidean import euclidean
from kanon_sql.cluster.k_member import k_member
from kanon_sql.cluster.questions import CloseGroups, Counts, CutOpen, Driver, MeasureGroups, OpenTable, Question, Sweep
from kanon_sql.cluster.settings import ClusterSettings
from kanon_sql.cluster.spatial_distance import spatial_distance
from kanon_sql.cluster.top_down import top_down
from kanon_sql.cluster.udrv_suppress import udrv_suppress


def asked(driver: Driver, answers: dict[type, list[Counts]]) -> list[Question]:
    """The questions of a driver; a kind of question without an answer left is told that nothing is to be done."""
    questions: list[Question] = []
    try:
        question = next(driver)
        while len(questions) < 200:
            questions.append(question)
            left = answers.get(type(question), [])
            question = driver.send(left.pop(0) if left else Counts())
    except StopIteration:
        return questions
    raise AssertionError("the driver does not end")


def test_a_table_larger_than_a_block_is_cut_first() -> None:
    questions = asked(
        k_member(ClusterSettings(rows=1000, k=5, block=200)), {CutOpen: [Counts(open=800), Counts(open=0)]}
    )
    assert [type(question) for question in questions[:4]] == [OpenTable, CutOpen, CutOpen, CloseGroups]
    assert questions[1] == CutOpen(200, 50)
    assert questions[4] == StartGrowing(whole=False, spatial=False)


def test_beyond_a_rules_border_a_block_may_be_small() -> None:
    questions = asked(bottom_up(ClusterSettings(rows=1000, k=5, block=200, ruled=True)), {})
    assert questions[1] == CutOpen(200, 5)


def test_a_block_holds_several_groups_whatever_it_is_told() -> None:
    questions = asked(k_member(ClusterSettings(rows=1000, k=50, block=100)), {})
    assert questions[1] == CutOpen(400, 100)


def test_groups_grow_until_no_block_has_the_rows() -> None:
    settings = ClusterSettings(rows=100, k=5)
    growing = {GrowGroups: [Counts(done=2), Counts(done=1)], PlaceLeftovers: [Counts(open=3)]}
    questions = asked(spatial_distance(settings), growing)
    assert questions[0] == StartGrowing(whole=True, spatial=True)
    kinds = [type(question) for question in questions]
    assert kinds[1:7] == [GrowGroups] * 3 + [PlaceLeftovers] * 2 + [EndGrowing]
    assert kinds.index(EndGrowing) < kinds.index(Sweep)


def test_clusters_merge_until_no_pair_is_left() -> None:
    merging = {MergePairs: [Counts(done=4, small=3), Counts(done=1, small=1)]}
    questions = asked(bottom_up(ClusterSettings(rows=100, k=5, objective="merged")), merging)
    assert questions[0] == StartMerging(whole=True, measure="loss")
    assert questions[1:4] == [MergePairs("merged")] * 3
    assert isinstance(questions[4], MeasureGroups)


def test_euclidean_weighs_the_merged_cluster() -> None:
    questions = asked(euclidean(ClusterSettings(rows=100, k=5)), {})
    assert questions[:2] == [StartMerging(whole=True, measure="ranges"), MergePairs("merged")]


def test_blanks_are_settled_before_groups_are_split() -> None:
    questions = asked(udrv_suppress(ClusterSettings(rows=100, k=5)), {})
    assert questions[:3] == [StartMerging(True, "research_value", suppress=True), MergePairs("gain"), SettleBlanks()]
    assert not any(isinstance(question, Sweep) for question in questions)


def test_top_down_halves_until_nothing_is_open() -> None:
    halving = {OpenRows: [Counts(open=100)], HalveOpen: [Counts(open=60), Counts(open=0)]}
    questions = asked(top_down(ClusterSettings(rows=100, k=5, seed=3)), halving)
    assert questions[:4] == [OpenRows(), HalveOpen(9, 3, 3), HalveOpen(9, 3, 3), CloseGroups()]


def test_without_rounds_there_is_no_final_pass() -> None:
    questions = asked(top_down(ClusterSettings(rows=100, k=5, rounds=0)), {})
    assert not any(isinstance(question, Sweep) for question in questions)
