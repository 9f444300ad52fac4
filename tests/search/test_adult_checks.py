"""The optimum on Adult, and how many checks it takes: fewer than the leading tool in memory needs (181; 1,160; 1,217)."""

from __future__ import annotations

from pathlib import Path

import pytest

from kanon_sql.model.algorithms import LATTICE_SEARCHES
from kanon_sql.model.lattice import Node
from kanon_sql.search.settings import SearchSettings
from tests.search.adult import Adult

# On one worker: the table is read and coded once.
pytestmark = pytest.mark.xdist_group("adult")


@pytest.fixture(scope="module")
def adult(shared_data: Path) -> Adult:
    return Adult(shared_data)


def limits(adult: Adult, k: int, share: float) -> SearchSettings:
    return SearchSettings(rows=adult.rows, k=k, budget_rows=int(share * adult.rows))


@pytest.mark.parametrize(
    ("k", "share", "node", "fewer_than"),
    [
        (3, 0.0, (0, 4, 0, 1, 3, 2, 2, 1, 1), 204),
        (5, 0.0, (0, 4, 1, 1, 3, 2, 2, 1, 0), 91),
        (5, 0.01, (0, 3, 1, 1, 2, 2, 1, 1, 0), 284),
        (5, 0.05, (0, 3, 0, 0, 2, 1, 1, 2, 0), 400),
        (10, 0.0, (0, 4, 1, 1, 3, 2, 2, 1, 0), 160),
    ],
)
def test_best_first_needs_few_checks(adult: Adult, k: int, share: float, node: Node, fewer_than: int) -> None:
    settings = limits(adult, k, share)
    driver = LATTICE_SEARCHES["best-first"].driver(adult.lattice, adult.glm, settings)
    outcome = adult.run(driver, k, settings.budget_rows, adult.glm)
    assert outcome.best is not None and outcome.exact
    assert outcome.best.node == node
    assert outcome.checks < fewer_than


@pytest.mark.parametrize("name", ["global", "hybrid", "best-first"])
def test_the_known_least_loss_and_height(adult: Adult, name: str) -> None:
    settings = limits(adult, 5, 0.0)
    outcome = adult.run(LATTICE_SEARCHES[name].driver(adult.lattice, adult.glm, settings), 5, 0, adult.glm)
    assert outcome.best is not None
    assert round(adult.glm.loss(outcome.best), 6) == 0.635544
    outcome = adult.run(LATTICE_SEARCHES[name].driver(adult.lattice, adult.height, settings), 5, 0, adult.height)
    assert outcome.best is not None
    assert adult.height.loss(outcome.best) == 14
