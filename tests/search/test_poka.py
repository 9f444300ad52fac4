"""POkA does what its pseudo-code says: the same nodes evaluated, the same result, in fewer statements."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kanon_sql.model.lattice import Lattice, Node
from kanon_sql.search.pareto_frontier import FrontierPoint, dominates, nondominated, point_of
from kanon_sql.search.poka import default_depth, poka
from kanon_sql.search.settings import SearchSettings
from tests.drawn import drawn
from tests.measured_in_numpy import MeasuredTable
from tests.search.frontier_drivers import run_driver
from tests.search.random_tables import measured_tables

Found = tuple[Node | None, int, float]
NOTHING: Found = (None, 0, 0.0)


def as_published(lattice: Lattice, evaluate: Callable[[Node], FrontierPoint], depth: int) -> list[Node]:
    """Functions 1 to 3, line by line, one evaluation at a time, without the lists of section 5.3."""

    def better(q: Found, best: Found) -> bool:
        return q[1] > best[1] or (q[1] == best[1] and q[2] < best[2] and q[0] is not None)

    def steps(one: Node, other: Node) -> int:
        return sum(abs(a - b) for a, b in zip(one, other, strict=True))

    def height_search(p: Node, use_node: bool, n: FrontierPoint) -> Found:
        best = (p, evaluate(p).k, evaluate(p).loss) if use_node else NOTHING
        for c in lattice.successors(p):
            if all(x <= y for x, y in zip(c, n.node, strict=True)) and steps(n.node, c) > 1:
                q = height_search(c, False, n)
            else:
                point = evaluate(c)
                q = height_search(c, True, n) if point.k < n.k and point.loss < n.loss else NOTHING
            if better(q, best):
                best = q
        return best

    def depth_search(p: Node, n: FrontierPoint) -> Found:
        best = NOTHING
        for c in lattice.predecessors(p):
            if steps(n.node, c) == depth:
                if depth == 1:
                    evaluate(c)
                q = height_search(c, depth == 1, n)
            else:
                q = depth_search(c, n)
            if better(q, best):
                best = q
        return best

    node = lattice.top
    optima = [node]
    while evaluate(node).k > 2:
        found = depth_search(node, evaluate(node))[0]
        if found is None:
            break
        node = found
        optima.append(node)
    return optima


@pytest.mark.parametrize("measure", ["glm", "ncp", "rv", "discernibility", "classification"])
@settings(max_examples=drawn(40), deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_the_waves_evaluate_what_the_pseudo_code_evaluates(measure: str, data: st.DataObject) -> None:
    table: MeasuredTable = data.draw(measured_tables())
    depth = data.draw(st.integers(1, 3))
    evaluated: set[Node] = set()

    def evaluate(node: Node) -> FrontierPoint:
        evaluated.add(node)
        verdict = table.measure(node, measure)
        return point_of(verdict, verdict.loss or 0.0)

    optima = as_published(table.lattice, evaluate, depth)
    search = SearchSettings(rows=table.rows, k=2, budget_rows=table.eta, batch=8)
    frontier = run_driver(
        poka(table.lattice, table.objective(measure), search, depth), lambda nodes: table.answer(nodes, measure)
    )
    expected = nondominated([evaluate(node) for node in optima], table.lattice)
    assert [point.node for point in frontier.points] == [point.node for point in expected]
    if depth > 1:
        assert len(expected) == len(optima)
    assert set(table.asked) == evaluated
    assert frontier.evaluated == len(evaluated)
    assert not frontier.exact
    assert not any(dominates(one, other) for one in frontier.points for other in frontier.points)


def test_the_default_depth_is_the_papers() -> None:
    lengths = (6, 3, 3, 3, 1, 1, 4, 1)
    lattice = Lattice(tuple("abcdefgh"), (0,) * 8, lengths, lengths)
    assert lattice.size == 17_920
    assert default_depth(lattice) == 3


def test_a_limit_of_checks_leaves_the_optima_found_so_far() -> None:
    table = MeasuredTable.of_values(
        [[list("aabbccdd"), list("xxxxyyyy"), ["*"] * 8], [list("pqpqpqpq"), ["*"] * 8]], eta=0
    )
    search = SearchSettings(rows=8, k=2, batch=1, check_limit=1)
    frontier = run_driver(poka(table.lattice, table.objective("glm"), search), lambda nodes: table.answer(nodes, "glm"))
    assert [point.k for point in frontier.points] == [8]
    assert any("stopped early" in note for note in frontier.notes)
