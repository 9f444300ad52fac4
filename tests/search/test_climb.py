"""The way up from an open node: what it leaves low in the end."""

from __future__ import annotations

from kanon_sql.model.lattice import Lattice
from kanon_sql.model.verdict import Verdict
from kanon_sql.search.climb import Climb
from kanon_sql.search.failure_forecast import FailureForecast

LATTICE = Lattice(("a", "b", "c", "d"), (0, 0, 0, 0), (1, 1, 1, 1), (1, 1, 1, 1))
PARTS = ((0.0, 0.25),) * 4
BUDGET = 10


def learnt() -> FailureForecast:
    """From a table in which b and d make rows rare, and a and c hardly do."""
    forecast = FailureForecast(LATTICE, BUDGET)
    for _ in range(50):
        for node in LATTICE.nodes():
            suppressed = 40 * (node[1] == 0) + 40 * (node[3] == 0) + (node[0] == 0) + (node[2] == 0)
            passes = suppressed <= BUDGET
            forecast.learn(Verdict(node, passes, 0, 0, suppressed, k_passes=passes), not passes)
    return forecast


def test_without_weights_the_steps_that_cost_alike_come_in_order() -> None:
    climb = Climb(LATTICE, PARTS, LATTICE.bottom)
    assert [climb.node(position) for position in range(5)] == [
        (0, 0, 0, 0),
        (1, 0, 0, 0),
        (1, 1, 0, 0),
        (1, 1, 1, 0),
        (1, 1, 1, 1),
    ]


def test_with_weights_those_that_make_nodes_fail_stay_low_the_longest() -> None:
    climb = Climb(LATTICE, PARTS, LATTICE.bottom, weights=learnt())
    assert climb.node(2) == (1, 0, 1, 0)


def test_a_ceiling_is_not_passed_with_weights_either() -> None:
    climb = Climb(LATTICE, PARTS, LATTICE.bottom, (1, 0, 1, 1), learnt())
    assert climb.node(99) == (1, 0, 1, 1)
