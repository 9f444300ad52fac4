"""Run a frontier driver against a table measured in numpy, or against verdicts known beforehand."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from typing import Any

from kanon_sql.model.lattice import Node
from kanon_sql.model.verdict import Verdict
from kanon_sql.search.pareto_frontier import Frontier
from kanon_sql.search.questions import BoundK, MeasureNodes, StopSearch
from tests.measured_in_numpy import MeasuredTable

Answerer = Callable[[Iterable[Node]], list[Verdict]]


def run_driver(
    driver: Generator[Any, Any, Frontier],
    answer: Answerer,
    stop_after: int | None = None,
    remembers: MeasuredTable | None = None,
) -> Frontier:
    """Answer every question; after `stop_after` questions throw StopSearch. No node may be asked for twice.

    `remembers`: the table whose small classes answer what measured nodes say of others together; none: nobody remembers them.
    """
    asked: set[Node] = set()
    questions = 0
    try:
        question = next(driver)
        while True:
            if isinstance(question, BoundK):
                assert all(asked.issuperset(bound.generalizations) for bound in question.bounds)
                assert asked.isdisjoint(bound.node for bound in question.bounds)
                question = driver.send([] if remembers is None else remembers.bounded(question.bounds))
                continue
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
