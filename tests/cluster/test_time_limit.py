"""`search.time_limit` without a database: a clock that every question moves on, and what the drivers ask by it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import pytest

from kanon_sql.cluster.anneal import anneal
from kanon_sql.cluster.auto import auto
from kanon_sql.cluster.block_questions import GrowGroups, HalveOpen, MergePairs, OpenRows
from kanon_sql.cluster.bottom_up import bottom_up
from kanon_sql.cluster.k_member import k_member
from kanon_sql.cluster.mondrian import mondrian
from kanon_sql.cluster.questions import (
    AbsorbSmallGroups,
    CloseGroups,
    Counts,
    CutOpen,
    Driver,
    MeasureGroups,
    OpenGroups,
    OpenTable,
    Question,
    RestoreGroups,
    Sweep,
)
from kanon_sql.cluster.settings import ClusterSettings
from kanon_sql.cluster.top_down import top_down

LIMIT = 30.0


def asked_by(
    driver: Driver, cost: Callable[[Question], float], limit: float = LIMIT, notes: list[str] | None = None
) -> tuple[list[Question], float]:
    """What a driver asks where every question costs seconds, and when it ends."""
    asked: list[Question] = []
    answer, seconds = None, 0.0
    while True:
        try:
            question = driver.send(answer)  # type: ignore[arg-type]
        except StopIteration as end:
            if notes is not None:
                notes += end.value.notes
            return asked, seconds
        asked.append(question)
        assert len(asked) < 1000
        seconds += cost(question)
        of = [type(each) for each in asked]
        answer = Counts()
        if isinstance(question, (CutOpen, HalveOpen)):
            left = 0 if question.stop > 1 << 50 else 8 - of.count(type(question))
            answer = Counts(open=max(0, left))
        elif isinstance(question, GrowGroups):
            answer = Counts(done=max(0, 80 - of.count(GrowGroups)), open=100)
        elif isinstance(question, MergePairs):
            answer = Counts(done=10 if (small := 1000 >> of.count(MergePairs)) else 0, small=small)
        elif isinstance(question, (MeasureGroups, AbsorbSmallGroups)):
            answer = Counts(groups=20, loss=100.0 - of.count(Sweep))
        elif isinstance(question, Sweep):
            answer = Counts(done=5, change=-2.5)
        elif isinstance(question, (OpenTable, OpenRows)):
            answer = Counts(open=100)
        answer = dataclasses.replace(answer, seconds=seconds, late=seconds >= limit)


def test_heat_cools_by_the_clock() -> None:
    """A round with heat costs four times one without, which nobody knows before; it has cooled when there is no time left."""
    settings = ClusterSettings(rows=10_000, k=5, attributes=8, time_limit=LIMIT)
    asked, seconds = asked_by(anneal(settings), lambda q: (0.6 if q.heat else 0.15) if isinstance(q, Sweep) else 0.05)
    heats = [question.heat for question in asked if isinstance(question, Sweep) and question.heat]
    assert len(heats) > 20 and heats[-1] < 0.1 * heats[0]
    assert RestoreGroups not in [type(question) for question in asked]
    assert seconds <= LIMIT


def test_a_limit_alone_says_how_long_heat_may_take() -> None:
    wide = ClusterSettings(rows=100_000, k=5, attributes=100, time_limit=1000.0)
    heats = [q.heat for q in asked_by(anneal(wide), lambda _: 1.0, 1000.0)[0] if isinstance(q, Sweep) and q.heat]
    assert len(heats) > 40


@pytest.mark.parametrize("driver", [auto, anneal])
def test_a_cut_that_would_take_the_time_there_is_gives_way_to_a_cheaper_one(
    driver: Callable[[ClusterSettings], Driver],
) -> None:
    settings = ClusterSettings(rows=100_000, k=5, attributes=8, time_limit=LIMIT)
    asked, seconds = asked_by(driver(settings), lambda q: 1.5 if isinstance(q, (CutOpen, Sweep)) else 0.1)
    cuts = [question.multiple_of for question in asked if isinstance(question, CutOpen)]
    assert cuts[0] == 5 and cuts[1:] and not any(cuts[1:])
    assert Sweep in [type(question) for question in asked] and seconds <= LIMIT


def test_growing_that_would_not_end_in_time_ends_at_once() -> None:
    """Eighty turns of a second do not end in thirty: the first one tells."""
    settings = ClusterSettings(rows=10_000, k=5, time_limit=LIMIT)
    asked, seconds = asked_by(k_member(settings), lambda q: 1.0 if isinstance(q, GrowGroups) else 0.1)
    kinds = [type(question) for question in asked]
    assert kinds.count(GrowGroups) < 3 and kinds.count(OpenTable) == 2
    assert kinds.count(Sweep) > 10 and seconds <= LIMIT


def test_mergers_that_would_not_end_in_time_end_at_once() -> None:
    settings = ClusterSettings(rows=10_000, k=5, time_limit=LIMIT)
    asked, seconds = asked_by(bottom_up(settings), lambda q: 14.0 if isinstance(q, MergePairs) else 0.1)
    kinds = [type(question) for question in asked]
    assert kinds.count(MergePairs) == 1 and kinds.count(OpenTable) == 2 and seconds <= LIMIT


def test_halving_ends_in_time() -> None:
    settings = ClusterSettings(rows=10_000, k=5, time_limit=LIMIT)
    asked, seconds = asked_by(top_down(settings), lambda q: 6.0 if isinstance(q, HalveOpen) else 0.1)
    assert isinstance(asked[asked.index(next(q for q in asked if isinstance(q, OpenGroups))) - 1], MeasureGroups)
    assert seconds <= LIMIT


def test_a_round_of_moves_that_would_end_late_is_not_begun() -> None:
    settings = ClusterSettings(rows=10_000, k=5, time_limit=LIMIT)
    _, seconds = asked_by(bottom_up(settings), lambda q: 7.0 if isinstance(q, Sweep) else 0.2)
    assert 20 < seconds <= LIMIT


def test_no_moves_are_begun_after_a_cut_that_ended_late() -> None:
    settings = ClusterSettings(rows=1_000_000, k=5, rounds=16, time_limit=LIMIT)
    asked, _ = asked_by(mondrian(settings), lambda q: 20.0 if isinstance(q, CutOpen) else 0.1)
    assert isinstance(asked[-1], CloseGroups)


def test_a_plan_says_what_a_limit_left_undone() -> None:
    for cost, told in ((0.1, "heat cooled in"), (2.0, "moves, not for heat"), (20.0, "a cut alone")):
        notes: list[str] = []
        settings = ClusterSettings(rows=100_000, k=5, attributes=8, time_limit=LIMIT)
        asked_by(auto(settings), lambda q, cost=cost: cost if isinstance(q, (CutOpen, Sweep)) else 0.1, notes=notes)
        assert told in notes[-1] and "search.time_limit 30 s" in notes[-1]
