"""Run a frontier driver against a table measured in numpy, or against verdicts known beforehand."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from typing import Any

from kanon_sql.model.lattice import Node
from kanon_sql.model.verdict import Verdict
from kanon_sql.search.pareto_frontier import Frontier
from kanon_sql.search.questions import MeasureNodes, StopSearch

Answerer = Callable[[Iterable[Node]], list[Verdict]]


def run_driver(driver: Generator[Any, Any, Frontier], answer: Answerer, stop_after: int | None = None) -> Frontier:
    """Answer every question; after `stop_after` questions throw StopSearch. No node may be asked for twice."""
    asked: set[Node] = set()
    questions = 0
    try:
        question = next(driver)
        while True:
            assert isinstance(question, MeasureNodes)
            assert question.nodes
            assert asked.isdisjoint(question.nodes)
            asked.update(question.nodes)
            if stop_after is not None and questions == stop_after:
                question = driver.throw(StopSearch("the test says so"))
                raise AssertionError("a driver that was stopped asks no more")
            questions += 1
            question = driver.send(answer(question.nodes))
    except StopIteration as end:
        frontier: Frontier = end.value
        assert frontier.statements == questions
        return frontier
