"""Frontiers as data: domination, knees, JSON there and back, and two compared."""

from __future__ import annotations

import json

import pytest

from kanon_sql.search.pareto_frontier import (
    Frontier,
    FrontierPoint,
    compare_frontiers,
    dominates,
    frontier_from_json,
    with_knees,
)


def frontier(*figures: tuple[int, float], metric: str = "glm") -> Frontier:
    points = with_knees([FrontierPoint(k, loss, (i, 0), 0) for i, (k, loss) in enumerate(figures)])
    highest = max(k for k, _ in figures)
    return Frontier(metric, "pareto", True, 12, 5, 2, points, ("age", "sex"), highest, ((1, highest),))


def test_domination_needs_no_worse_in_all_and_better_in_one() -> None:
    assert dominates(FrontierPoint(3, 0.5, (0,), 0), FrontierPoint(2, 0.5, (1,), 0))
    assert dominates(FrontierPoint(2, 0.4, (0,), 0), FrontierPoint(2, 0.5, (1,), 0))
    assert not dominates(FrontierPoint(2, 0.5, (0,), 0), FrontierPoint(2, 0.5, (1,), 0))
    assert not dominates(FrontierPoint(9, 0.5, (0,), 0, l=1), FrontierPoint(2, 0.5, (1,), 0, l=2))
    assert dominates(FrontierPoint(9, 0.5, (0,), 0, l=2), FrontierPoint(2, 0.5, (1,), 0, l=2))


def test_the_knee_is_the_last_k_before_loss_jumps() -> None:
    marked = frontier((1, 0.0), (2, 0.05), (4, 0.1), (8, 0.15), (16, 0.8), (32, 0.85), (64, 1.0))
    assert [point.k for point in marked.points if point.knee] == [8]


def test_a_jump_in_two_steps_has_one_knee_where_it_starts() -> None:
    marked = frontier((1, 0.0), (2, 0.02), (4, 0.04), (8, 0.4), (16, 0.8), (32, 0.9), (64, 1.0))
    assert [point.k for point in marked.points if point.knee] == [4]


def test_a_loss_that_follows_log_k_has_no_knee_and_k_1_is_none() -> None:
    assert not any(point.knee for point in frontier(*((2**i, i / 6) for i in range(7))).points)
    assert not any(point.knee for point in frontier((1, 0.0), (2, 0.9), (1024, 1.0)).points)


def test_the_document_has_the_stable_keys_and_comes_back() -> None:
    original = frontier((1, 0.0), (4, 0.25), (9, 1.0))
    document = json.loads(json.dumps(original.to_dict(seconds=1.5)))
    assert {"metric", "algorithm", "exact", "nodes", "evaluated", "points", "seconds"} <= set(document)
    assert document["points"][1]["node"] == {"age": 1, "sex": 0}
    assert {"k", "loss", "node", "suppressed"} <= set(document["points"][1])
    assert [point["k"] for point in document["points"]] == [1, 4, 9]
    assert frontier_from_json(document) == original


def test_at_k_takes_the_cheapest_point_that_reaches_it() -> None:
    found = frontier((1, 0.0), (4, 0.25), (9, 1.0))
    assert [(found.at_k(k) or found.points[0]).k for k in (1, 2, 4, 5, 9)] == [1, 4, 4, 9, 9]
    assert found.at_k(10) is None


def test_two_frontiers_are_compared_at_every_k_of_either() -> None:
    changes = compare_frontiers(frontier((1, 0.0), (4, 0.25), (9, 1.0)), frontier((1, 0.0), (5, 0.2), (8, 1.0)))
    assert [(c.k, c.before, c.after, c.difference) for c in changes] == [
        (1, 0.0, 0.0, 0.0),
        (4, 0.25, 0.2, -0.05),
        (5, 1.0, 0.2, -0.8),
        (8, 1.0, 1.0, 0.0),
        (9, 1.0, None, None),
    ]
    with pytest.raises(ValueError, match="different losses"):
        compare_frontiers(frontier((1, 0.0)), frontier((1, 0.0), metric="ncp"))
