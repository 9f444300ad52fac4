"""A census with a lattice of POkA's shape, 17,920 nodes, 1% suppressed: brute force is the truth.

The rows are the generator's (bench/adult_like.py), so that the proof runs everywhere; `python -m bench.frontier` measures Adult itself.
"""

from __future__ import annotations

import random

import pytest

from kanon_sql.model.lattice import Node
from kanon_sql.model.verdict import Verdict
from kanon_sql.search.dominance import Dominance
from kanon_sql.search.node_sets import positions
from kanon_sql.search.pareto import pareto
from kanon_sql.search.pareto_frontier import Frontier, FrontierPoint, nondominated, point_of
from kanon_sql.search.poka import poka
from kanon_sql.search.settings import SearchSettings
from tests.adult_of_the_paper import census_table
from tests.measured_in_numpy import MeasuredTable
from tests.search.frontier_drivers import run_driver

# On one worker: the truth is measured once.
pytestmark = pytest.mark.xdist_group("census")

ROWS = 6_000
Truth = tuple[MeasuredTable, dict[Node, Verdict], list[FrontierPoint]]


@pytest.fixture(scope="module")
def glm_truth() -> Truth:
    table = census_table(ROWS)
    assert table.lattice.size == 17_920
    verdicts = table.measure_all("glm")
    return table, verdicts, nondominated([point_of(v, v.loss or 0.0) for v in verdicts.values()], table.lattice)


def settings_of(table: MeasuredTable, batch: int = 32) -> SearchSettings:
    return SearchSettings(rows=table.rows, k=2, budget_rows=table.eta, batch=batch)


def true_optima(frontier: Frontier, truth: list[FrontierPoint]) -> int:
    known = {(point.k, point.loss) for point in truth}
    return sum((point.k, point.loss) in known for point in frontier.points)


def test_the_roll_up_measures_what_a_plain_grouping_measures(glm_truth: Truth) -> None:
    table, verdicts, _ = glm_truth
    for node in random.Random(3).sample(list(verdicts), 20):
        plain = table.measure(node, "glm")
        assert (plain.k, plain.suppressed) == (verdicts[node].k, verdicts[node].suppressed)
        assert plain.loss == pytest.approx(verdicts[node].loss, abs=1e-12)


def test_the_frontier_is_exact_with_few_nodes_measured(glm_truth: Truth) -> None:
    table, verdicts, truth = glm_truth
    driver = pareto(table.lattice, table.objective("glm"), settings_of(table))
    frontier = run_driver(driver, lambda nodes: [verdicts[node] for node in nodes], remembers=table)
    assert frontier.exact
    assert [(p.k, p.loss) for p in frontier.points] == [(p.k, p.loss) for p in truth]
    assert frontier.evaluated <= 0.05 * frontier.nodes
    assert frontier.evaluated < 0.7 * evaluated_in_random_order(table, verdicts)


def evaluated_in_random_order(table: MeasuredTable, verdicts: dict[Node, Verdict]) -> int:
    """The same bounds, open nodes taken at random, as many per statement."""
    dominance = Dominance(table.lattice, table.objective("glm"), table.eta, with_l=False)
    chance = random.Random(1)
    while dominance.open:
        still_open = list(positions(dominance.open))
        chosen = chance.sample(still_open, min(32, len(still_open)))
        dominance.add([verdicts[dominance.sets.nodes[place]] for place in chosen])
    return len(dominance.measured)


@pytest.mark.parametrize(("depth", "least", "most"), [(1, 0.3, 0.05), (2, 0.8, 0.2), (None, 0.9, 0.35)])
def test_poka_finds_most_of_it(glm_truth: Truth, depth: int | None, least: float, most: float) -> None:
    table, verdicts, truth = glm_truth
    driver = poka(table.lattice, table.objective("glm"), settings_of(table), depth)
    frontier = run_driver(driver, lambda nodes: [verdicts[node] for node in nodes])
    assert true_optima(frontier, truth) >= least * len(truth)
    assert frontier.evaluated <= most * frontier.nodes
