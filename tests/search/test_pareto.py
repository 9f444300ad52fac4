"""The exact frontier agrees with brute force, and says no more than it has proven."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import fields, replace
from functools import partial
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kanon_sql.errors import JobError
from kanon_sql.model.lattice import Lattice, Node, is_generalization
from kanon_sql.model.verdict import Verdict
from kanon_sql.search.dominance import Dominance
from kanon_sql.search.node_sets import NodeSets, positions
from kanon_sql.search.pareto import pareto
from kanon_sql.search.pareto_frontier import Frontier, FrontierPoint, nondominated, point_of
from kanon_sql.search.questions import KBound
from kanon_sql.search.settings import SearchSettings
from tests.drawn import drawn
from tests.measured_in_numpy import MeasuredTable
from tests.search.frontier_drivers import run_driver
from tests.search.random_tables import measured_tables

MEASURES = ("glm", "ncp", "rv", "discernibility", "classification")
quietly = settings(max_examples=drawn(30), deadline=None, suppress_health_check=list(HealthCheck))


def settings_of(table: MeasuredTable, **changes: Any) -> SearchSettings:
    return replace(SearchSettings(rows=table.rows, k=2, budget_rows=table.eta, batch=4), **changes)


def brute_force(table: MeasuredTable, measure: str) -> list[FrontierPoint]:
    """Straight from the definition: every node against every other."""
    verdicts = [table.measure(node, measure) for node in table.lattice.nodes()]
    points = {
        (verdict.k, verdict.l, verdict.loss): point_of(verdict, verdict.loss or 0.0, table.sensitive is not None)
        for verdict in verdicts
    }.values()
    return [point for point in points if not any(_beats(other, point) for other in points)]


def _beats(one: FrontierPoint, other: FrontierPoint) -> bool:
    no_worse = one.loss <= other.loss and all(a >= b for a, b in zip(one.privacy, other.privacy, strict=True))
    better = one.loss < other.loss or any(a > b for a, b in zip(one.privacy, other.privacy, strict=True))
    return no_worse and better


def figures(points: object) -> list[tuple[object, ...]]:
    return sorted({(*point.privacy, point.loss) for point in points})  # type: ignore[attr-defined]


def run(table: MeasuredTable, measure: str, stop_after: int | None = None, **changes: Any) -> Frontier:
    driver = pareto(
        table.lattice, table.objective(measure), settings_of(table, **changes), with_l=table.sensitive is not None
    )
    return run_driver(driver, lambda nodes: table.answer(nodes, measure), stop_after, remembers=table)


class _Judge(MeasuredTable):
    """Holds every bound that measured nodes prove together against the node's own k."""

    proven = 0

    def bounded(self, bounds: Iterable[KBound]) -> list[Verdict]:
        verdicts = super().bounded(bounds)
        for verdict in verdicts:
            if not verdict.passes:
                assert self.measure(verdict.node, "glm").k <= verdict.k
                _Judge.proven += 1
        return verdicts


@pytest.mark.parametrize("with_l", [False, True])
def test_what_measured_nodes_say_together_is_true_and_spares_nodes(with_l: bool) -> None:
    asked = {True: 0, False: 0}
    for seed in range(4):
        table = random_table(random.Random(seed), with_l)
        for remembers in (True, False):
            table.asked.clear()
            judge = _Judge(**{one.name: getattr(table, one.name) for one in fields(table)}) if remembers else None
            driver = pareto(table.lattice, table.objective("glm"), settings_of(table), with_l=with_l)
            frontier = run_driver(driver, partial(table.answer, measure="glm"), remembers=judge)
            assert frontier.exact
            assert figures(frontier.points) == figures(brute_force(table, "glm"))
            asked[remembers] += frontier.evaluated
    assert _Judge.proven
    assert asked[True] < asked[False]


def random_table(chance: random.Random, with_l: bool) -> MeasuredTable:
    """Some 200 rows with four columns whose values are skewed, so that small classes differ from node to node."""
    values = [[int(6 * chance.random() ** 2) for _ in range(200)] for _ in range(4)]
    columns = [[value, [one // 2 for one in value], [one // 4 for one in value], ["*"] * 200] for value in values]
    sensitive = [chance.randrange(4) for _ in range(200)] if with_l else None
    return MeasuredTable.of_values(columns, eta=chance.randrange(2, 12), sensitive=sensitive)


@pytest.mark.parametrize("measure", MEASURES)
@quietly
@given(table=measured_tables())
def test_brute_force_agrees_point_by_point(measure: str, table: MeasuredTable) -> None:
    frontier = run(table, measure)
    assert frontier.exact
    assert figures(frontier.points) == figures(brute_force(table, measure))
    assert [point.k for point in frontier.points] == sorted({point.k for point in frontier.points})
    assert frontier.evaluated == len(table.asked) <= table.lattice.size
    assert frontier.proven == ((1, table.rows),)
    for point in frontier.points:
        assert table.measure(point.node, measure).k == point.k


@pytest.mark.parametrize("measure", MEASURES)
@quietly
@given(table=measured_tables(with_l=True))
def test_brute_force_agrees_with_l_as_a_third_dimension(measure: str, table: MeasuredTable) -> None:
    frontier = run(table, measure)
    assert frontier.exact
    assert figures(frontier.points) == figures(brute_force(table, measure))


@pytest.mark.parametrize("measure", ["discernibility", "classification"])
@quietly
@given(table=measured_tables())
def test_the_loss_without_suppression_is_a_floor(measure: str, table: MeasuredTable) -> None:
    """The answerer may send what a node would cost had nothing been suppressed; the frontier stays the same."""
    plain = table.with_eta(0)

    def answer(nodes: object) -> list[Verdict]:
        return [
            replace(table.measure(node, measure), sums={"plain_loss": plain.measure(node, measure).loss})
            for node in nodes  # type: ignore[attr-defined]
        ]

    frontier = run_driver(pareto(table.lattice, table.objective(measure), settings_of(table)), answer)
    assert figures(frontier.points) == figures(brute_force(table, measure))


@pytest.mark.parametrize("measure", ["glm", "discernibility"])
@pytest.mark.parametrize("with_l", [False, True])
@quietly
@given(data=st.data())
def test_a_stopped_search_says_which_k_are_proven(measure: str, with_l: bool, data: st.DataObject) -> None:
    table = data.draw(measured_tables(with_l=with_l))
    frontier = run(table, measure, stop_after=data.draw(st.integers(0, 4)), batch=3)
    truth = brute_force(table, measure)
    assert frontier.exact == (frontier.proven == ((1, table.rows),) and figures(frontier.points) == figures(truth))
    for k in range(1, table.rows + 1):
        if any(low <= k <= high for low, high in frontier.proven):
            found = frontier.at_k(k)
            assert found is not None
            assert found.loss == min(point.loss for point in truth if point.k >= k)


@quietly
@given(table=measured_tables(), limit=st.integers(1, 20))
def test_a_limit_of_checks_ends_the_search(table: MeasuredTable, limit: int) -> None:
    frontier = run(table, "glm", check_limit=limit, batch=3)
    assert frontier.evaluated <= limit
    if frontier.evaluated < limit:
        assert frontier.exact


@quietly
@given(data=st.data())
def test_a_lattice_with_levels_left_out_is_searched_within_its_bounds(data: st.DataObject) -> None:
    table = data.draw(measured_tables())
    star = table.lattice.star
    bottom = tuple(data.draw(st.integers(0, level)) for level in star)
    top = tuple(data.draw(st.integers(low, level)) for low, level in zip(bottom, star, strict=True))
    table.lattice = Lattice(table.names, bottom, top, star)
    for measure in ("glm", "discernibility"):
        frontier = run(table, measure)
        assert frontier.exact
        assert figures(frontier.points) == figures(brute_force(table, measure))
        assert frontier.ceiling == table.measure(top, measure).k
    assert all(node in table.lattice for node in table.asked)


@quietly
@given(table=measured_tables(with_l=True))
def test_the_bounds_the_proof_rests_on_hold(table: MeasuredTable) -> None:
    """k never falls by generalizing; l bounds only where it is said to; no loss lies below its bound or floor."""
    for measure in ("glm", "discernibility", "classification"):
        objective = table.objective(measure)
        dominance = Dominance(table.lattice, objective, table.eta, with_l=True)
        verdicts = {node: table.measure(node, measure) for node in table.lattice.nodes()}
        measured = {node: dominance._measured(verdict) for node, verdict in verdicts.items()}
        for special, below in verdicts.items():
            assert below.loss is not None
            assert objective.bound(special) <= below.loss + 1e-9
            for general, above in verdicts.items():
                if is_generalization(general, special):
                    assert below.k <= above.k
                    assert above.loss is not None
                    assert measured[special].floor <= above.loss + 1e-9
                    if measured[general].bounds_l:
                        assert below.l is not None
                        assert above.l is not None
                        assert below.l <= above.l


def test_l_is_not_monotone_with_a_budget() -> None:
    """Why a generalization's l is used only under a condition: outliers merged into a class enter the release."""
    rows = [["a"] * 3 + ["x", "y", "z"], ["A"] * 3 + ["X"] * 3, ["*"] * 6]
    table = MeasuredTable.of_values([rows], eta=3, sensitive=["s", "t", "u", "s", "s", "s"]).with_eta(3)
    below, above = table.measure((0,), "glm"), table.measure((1,), "glm")
    assert (below.k, below.l, below.suppressed) == (3, 3, 3)
    assert (above.k, above.l, above.suppressed) == (3, 1, 0)
    dominance = Dominance(table.lattice, table.objective("glm"), table.eta, with_l=True)
    assert not dominance._measured(above).bounds_l


def test_a_lattice_that_cannot_be_listed_is_refused_with_a_hint() -> None:
    top = (9,) * 12
    lattice = Lattice(tuple(f"a{i}" for i in range(12)), (0,) * 12, top, top)
    table = MeasuredTable.of_values([[["x", "y"], ["*", "*"]]], 0)
    with pytest.raises(JobError) as refused:
        next(pareto(lattice, table.objective("glm"), settings_of(table)))
    assert "poka" in refused.value.hint


def test_sets_of_nodes_are_what_their_names_say() -> None:
    lattice = Lattice(("a", "b", "c"), (1, 0, 0), (3, 2, 1), (3, 2, 1))
    chance = random.Random(7)
    cost = {node: chance.random() for node in lattice.nodes()}
    sets = NodeSets(lattice, cost.__getitem__)
    for node in lattice.nodes():
        below = {sets.nodes[place] for place in positions(sets.below(node))}
        above = {sets.nodes[place] for place in positions(sets.above(node))}
        assert below == {other for other in lattice.nodes() if is_generalization(node, other)}
        assert above == {other for other in lattice.nodes() if is_generalization(other, node)}
    dear = {sets.nodes[place] for place in positions(sets.from_loss(0.5))}
    assert dear == {node for node, loss in cost.items() if loss >= 0.5}


def test_of_equal_figures_one_node_stands_for_all() -> None:
    lattice = Lattice(("a", "b"), (0, 0), (1, 2), (1, 2))
    same: list[Node] = [(1, 0), (0, 1)]
    points = [FrontierPoint(3, 0.5, node, 0) for node in same]
    assert nondominated(points, lattice) == [FrontierPoint(3, 0.5, (0, 1), 0)]
