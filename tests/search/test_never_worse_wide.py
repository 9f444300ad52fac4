"""On lattices too large to be listed, with proofs cut short: no more loss with a larger budget, nor with more time. Work is counted instead of
seconds, so that all searches are cut at the same point."""

from __future__ import annotations

import itertools

import pytest

from kanon_sql.search.questions import StopSearch
from kanon_sql.search.search_state import SearchState, Steps, run_steps
from kanon_sql.search.settings import SearchSettings
from tests.drawn import drawn
from tests.search.wide_tables import METRICS, MODELS, SHAPES, WideTable, Work

LIMIT = 300.0
CUTS = [LIMIT * place / 100 for place in range(1, 101)]


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Work:
    return Work(monkeypatch)


@pytest.mark.parametrize("ends", [True, False])
def test_what_is_found_after_the_answer_counts_only_where_the_search_ends(ends: bool) -> None:
    table = WideTable(0, "narrow")
    settings = SearchSettings(table.rows, table.k, table.rows - 1)
    state = SearchState(table.lattice, table.objective, settings)

    def steps() -> Steps:
        yield from state.evaluate([table.lattice.top])
        state.settle_answer()
        yield from state.evaluate([(*table.lattice.top[:-1], table.lattice.top[-1] - 1)])
        if not ends:
            raise StopSearch("enough")

    driver = run_steps("two nodes", state, steps(), exact=True)
    question = next(driver)
    with pytest.raises(StopIteration) as stop:
        while True:
            question = driver.send(table.answer(question, table.rows - 1))
    found = stop.value.value
    assert state.best_key is not None and (found.best.node == table.lattice.top) == (not ends)
    assert found.seen[0].node == found.best.node
    assert found.exact == ends


@pytest.mark.parametrize("kind", range(12))
def test_wherever_it_is_cut_a_larger_budget_is_no_worse(work: Work, kind: int) -> None:
    shape, metric, model = list(SHAPES)[kind % 4], METRICS[kind % 3], MODELS[kind // 4]
    for seed in range(drawn(1)):
        table = WideTable(seed, shape, model, metric)
        assert table.lattice.size > 128
        searches = [table.searched(budget, LIMIT, work) for budget in table.budgets()]
        for cut in CUTS:
            losses = [one.at(cut) for one in searches]
            assert losses == sorted(losses, reverse=True), (seed, cut)


@pytest.mark.parametrize("shape", SHAPES)
def test_what_it_returns_is_what_it_had_when_it_was_cut(work: Work, shape: str) -> None:
    """So the losses above are those of searches with a limit; and more time brings no more loss."""
    table = WideTable(3, shape, metric="ncp")
    cut_short = 0
    for budget in table.budgets()[::4]:
        whole = table.searched(budget, LIMIT, work)
        losses = []
        for limit in (20.0, 40.0, 120.0):
            found = table.searched(budget, limit, work)
            losses.append(round(found.outcome.gap + float(str((found.outcome.figures or {})["lower_bound"])), 9))
            cut_short += not found.outcome.exact
            assert found.outcome.best is not None
            assert losses[-1] == pytest.approx(table.verdict(found.outcome.best.node).loss)
            # The question that was under way at the limit is still answered.
            assert whole.at(limit + 50) - 1e-9 <= losses[-1] <= whole.at(limit) + 1e-9
        assert losses == sorted(losses, reverse=True)
    assert cut_short >= 3


def test_a_search_that_ends_takes_what_its_proof_found(work: Work) -> None:
    ends = 0
    for seed in range(drawn(4)):
        table = WideTable(seed, "narrow")
        nodes = [table.verdict(node) for node in itertools.islice(table.lattice.nodes(), 20_000)]
        for budget in table.budgets()[:4]:
            found = table.searched(budget, 100_000.0, work)
            least = min(verdict.loss or 0.0 for verdict in nodes if verdict.suppressed <= budget)
            if table.lattice.size <= 20_000 and found.outcome.exact:
                assert found.outcome.best is not None
                assert table.verdict(found.outcome.best.node).loss == pytest.approx(least)
                ends += 1
    assert ends > 3
