"""Walks that look for alternatives ask together, and end where each would by itself."""

from __future__ import annotations

from collections.abc import Generator

from kanon_sql.model.lattice import Node
from kanon_sql.model.verdict import Verdict
from kanon_sql.search.alternatives import Walk, _side_by_side
from kanon_sql.search.questions import Answer, CheckNodes


def verdict(node: Node) -> Verdict:
    return Verdict(node=node, passes=sum(node) > 3, min_class=1, classes=1, suppressed=sum(node), k=1, kept_classes=1)


def walk(*steps: tuple[Node, ...]) -> Walk:
    """Asks step by step, and ends with the first node that passes."""
    for nodes in steps:
        answer = yield CheckNodes(nodes)
        assert [found.node for found in answer] == list(nodes)
        if passing := [found for found in answer if found.passes]:
            return passing[0]
    return None


def driven(
    driver: Generator[CheckNodes, Answer, list[Verdict | None]],
) -> tuple[list[Verdict | None], list[CheckNodes]]:
    asked: list[CheckNodes] = []
    try:
        question = next(driver)
        while True:
            asked.append(question)
            question = driver.send([verdict(node) for node in question.nodes])
    except StopIteration as end:
        return end.value, asked


WALKS = (
    (((0, 1), (1, 0)), ((1, 1),), ((2, 2), (3, 1))),
    (((1, 0), (0, 2)), ((4, 4), (1, 1))),
    (),
    (((1, 1),), ((0, 1),), ((0, 2),)),
)


def test_each_ends_as_it_would_alone() -> None:
    found, asked = driven(_side_by_side([walk(*steps) for steps in WALKS]))
    assert found == [driven(_side_by_side([walk(*steps)]))[0][0] for steps in WALKS]
    assert found == [verdict((2, 2)), verdict((4, 4)), None, None]
    assert len(asked) == 3
    nodes = [node for question in asked for node in question.nodes]
    assert len(nodes) == len(set(nodes))  # none is asked for twice


def test_nobody_walks() -> None:
    assert driven(_side_by_side([])) == ([], [])
