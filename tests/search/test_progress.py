"""What is shown of a search while it runs, and kept of it: best loss, proven bound, checks, time left."""

from __future__ import annotations

import dataclasses

from kanon_sql.search.best_first import best_first
from kanon_sql.search.progress import MOST, SearchProgress, Timeline
from tests.search.answering import Answerer
from tests.search.test_exact_searches import random_problem


def test_a_search_tells_how_it_gets_on() -> None:
    problem = random_problem(3)
    heard: list[SearchProgress] = []
    settings = dataclasses.replace(problem.settings, check_limit=10_000, heard=heard.append)
    outcome = Answerer(problem.table, problem.lattice, problem.objective).run(
        best_first(problem.lattice, problem.objective, settings)
    )
    losses = [now.loss for now in heard if now.loss is not None]
    bounds = [now.bound for now in heard if now.bound is not None]
    assert losses == sorted(losses, reverse=True) and bounds == sorted(bounds)
    assert heard[-1].gap == 0 and outcome.exact
    timeline = (outcome.figures or {})["timeline"]
    assert isinstance(timeline, list) and timeline[-1]["loss"] == heard[-1].loss == timeline[-1]["bound"]


def test_the_time_left_follows_the_pace_of_the_gap_and_the_limit() -> None:
    timeline = Timeline(time_limit=100.0)
    assert timeline.note(1, 1.0, None, float("-inf")).seconds_left == 99.0
    timeline.note(2, 10.0, 0.8, 0.0)
    timeline.note(3, 20.0, 0.8, 0.4)
    left = timeline.note(4, 30.0, 0.8, 0.6).seconds_left
    assert left is not None and abs(left - 10.0) < 1e-9
    assert Timeline().note(1, 1.0, 0.5, 0.1).seconds_left is None


def test_a_long_timeline_is_thinned_out() -> None:
    timeline = Timeline()
    for i in range(10 * MOST):
        timeline.note(i, float(i), 1.0 - i / (20 * MOST), 0.0)
    assert MOST // 2 <= len(timeline.moments) <= MOST
    assert timeline.moments[-1].checks == 10 * MOST - 1
