"""Simulation: the thesis's table 12, the closed form, the same tables on every engine, and the outlook of a real table."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from pathlib import Path

import pytest

from kanon_sql.backends.connect import open_backend
from kanon_sql.errors import JobError
from kanon_sql.evaluate.anonymity_probability import (
    cells_of_frequencies,
    chance,
    crossed,
    equal_cells,
    rows_below_k,
    rows_needed,
)
from kanon_sql.evaluate.simulate import TABLE_12, Shape, Simulated, _rounds, simulate_shape
from kanon_sql.flows.simulate import simulate
from kanon_sql.sql.statements.evaluate import PRIME
from tests.cli.commands import kanon
from tests.support import class_sizes, job_of, make_table


def simulated(url: str, shape: Shape, seed: int = 1, most_rows: int | None = None) -> Simulated:
    backend = open_backend(url, Path.cwd(), read_only=False)
    try:
        return simulate_shape(backend, shape, seed, most_rows)
    finally:
        backend.close()


@pytest.mark.parametrize("shape", TABLE_12, ids=lambda shape: f"{shape.attributes}-{shape.k}-{shape.rows}")
def test_table_12_within_sampling_error(shape: Shape) -> None:
    result = simulated("duckdb:///:memory:", shape, most_rows=8_000_000)
    assert result.agrees, (result.rate, shape.printed, result.error)
    assert abs(result.rate - result.estimate) <= result.error + 0.03


def test_the_tables_are_those_of_the_hash_on_every_engine(engine_url: str) -> None:
    shape = Shape(3, 5, 90, 40)
    rounds = _rounds(7, shape)
    successes, below = 0, 0
    for repetition in range(shape.repetitions):
        sizes: Counter[int] = Counter()
        for i in range(shape.rows):
            x = repetition * shape.rows + i
            for factor, shift in rounds:
                x = pow((x * factor + shift) % PRIME, 3, PRIME)
            sizes[x % 8] += 1
        successes += min(sizes.values()) >= shape.k
        below += sum(n for n in sizes.values() if n < shape.k)
    result = simulated(engine_url, shape, seed=7)
    assert (result.successes, result.below_k) == (successes, below / shape.repetitions)
    assert 0 < result.successes < shape.repetitions


def test_the_closed_form_against_all_tables() -> None:
    """Two cells, every table of 8 rows: cells depend on each other, so the estimate is near, not exact."""
    passing = sum(
        all(n == 0 or n >= 3 for n in (sum(table), 8 - sum(table))) for table in itertools.product((0, 1), repeat=8)
    )
    assert abs(chance(equal_cells(2), 8, 3) - passing / 256) < 0.05
    expected = sum(
        sum(n for n in (sum(table), 8 - sum(table)) if n < 3) for table in itertools.product((0, 1), repeat=8)
    )
    assert math.isclose(rows_below_k(equal_cells(2), 8, 3), expected / 256)


def test_cells_of_crossed_attributes_keep_their_number_and_mass() -> None:
    one = cells_of_frequencies([(1, 3), (10, 2), (77, 1)])
    both = crossed(crossed({1.0: 1.0}, one), one)
    assert math.isclose(sum(both.values()), 36)
    assert math.isclose(sum(p * n for p, n in both.items()), 1)


def test_rows_needed_is_the_last_crossing() -> None:
    cells = equal_cells(2**7)
    needed = rows_needed(cells, 5, 0.95)
    assert needed is not None
    assert chance(cells, needed, 5) >= 0.95 > chance(cells, needed - 1, 5)
    assert rows_needed({1e-15: 1e15}, 5, 0.95) is None


def test_too_many_combinations_are_refused() -> None:
    with pytest.raises(JobError, match="too many"):
        simulated("duckdb:///:memory:", Shape(20, 5, 100, 1, values=3))


def test_outlook_of_a_table(engine_url: str) -> None:
    rows = [(i % 2, i % 7, i % 50 if i < 100 else 50) for i in range(300)]
    make_table(engine_url, "people", ["a integer", "b integer", "c integer"], rows)
    job = job_of(engine_url, "people", {name: {"role": "quasi"} for name in "abc"}, k=5)
    found = simulate(job)
    assert [step.attribute for step in found.steps] == ["a", "b", "c"]
    for place, step in enumerate(found.steps):
        sizes = class_sizes(row[: place + 1] for row in rows)
        assert step.actual_below_k == sum(n for n in sizes.values() if n < 5)
    assert (found.publishable, found.rows) == (2, 300)
    assert [step.values for step in found.steps] == [2, 7, 51]


def test_commands(duckdb_url: str) -> None:
    typed = kanon("simulate", "--attributes", 4, "--rows", 200, "--repetitions", 20, "--json")
    assert typed.exit_code == 0, typed.err
    assert '"rate"' in typed.out
    assert kanon("simulate", "--attributes", 4).exit_code == 2
