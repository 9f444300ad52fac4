"""Rules, weights and targets that make no sense: each a clear message."""

from __future__ import annotations

from typing import Any

import pytest

from kanon_sql.errors import JobError, RuleError
from kanon_sql.workbench.rules import check_rules
from tests.metrics.benches import bench_of
from tests.support import job_of


def job_with(age: dict[str, Any] | None = None, race: dict[str, Any] | None = None, **utility: Any) -> object:
    columns = {
        "age": {"role": "quasi"} | (age or {}),
        "race": {"role": "quasi"} | (race or {}),
        "ill": {"role": "sensitive"},
    }
    return job_of("duckdb:///:memory:", "t", columns, utility=utility)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"age": {"weight": -1}}, "columns.age.weight"),
        ({"age": {"weight": float("inf")}}, "columns.age.weight"),
        ({"age": {"weight": 0}, "race": {"weight": 0}}, "weights of all quasi-identifiers are 0"),
        ({"age": {"rules": [{"cut": 65, "importance": 5}, {"cut": 65, "importance": 20}]}}, "contradict"),
        ({"age": {"rules": [{"cut": 65}, {"cut": 65}]}}, "is written twice"),
        (
            {"race": {"rules": [{"apart": ["a", "b"], "importance": 5}, {"apart": ["b", "a"], "importance": 2}]}},
            "contradict",
        ),
        ({"race": {"rules": [{"apart": [["a", "b"], ["b", "c"]]}]}}, "both sides"),
        ({"race": {"rules": [{"apart": [[], "c"]}]}}, "empty"),
        ({"race": {"rules": [{"apart": ["a", "b"], "importance": -3}]}}, "importance"),
        ({"race": {"rv": [1, -0.5]}}, "columns.race.rv"),
    ],
)
def test_what_no_table_is_needed_for(given: dict[str, Any], says: str) -> None:
    with pytest.raises(JobError) as raised:
        job_with(**given)
    assert says in raised.value.message
    assert "job.yml:" in raised.value.message, "it names the line"


def test_rules_of_a_column_that_is_not_generalized() -> None:
    columns = {"age": {"role": "quasi"}, "ill": {"role": "sensitive", "rules": [{"apart": ["a", "b"]}]}}
    with pytest.raises(RuleError, match=r"columns\.ill\.rules"):
        job_of("duckdb:///:memory:", "t", columns)


def test_a_target_that_is_not_a_column() -> None:
    with pytest.raises(JobError, match="not a column") as raised:
        job_with(metric="classification", target="il")
    assert "ill" in raised.value.hint


def warnings_of(url: str, race: list[dict[str, Any]], age: list[dict[str, Any]], **more: Any) -> tuple[str, ...]:
    rows = [
        (30 + n % 40, ("White", "Black", "white", "Asian")[0 if n < 10 else 1 if n < 15 else 2 if n < 16 else 3])
        for n in range(20)
    ]
    columns = {
        "age": {"role": "quasi", "levels": [10, "*"], "rules": age} | more,
        "race": {"role": "quasi", "rules": race},
    }
    with bench_of(url, ["age integer", "race varchar(20)"], rows, columns, k=3) as bench:
        return check_rules(bench).warnings


def test_a_value_that_does_not_occur_is_told_with_the_nearest(engine_url: str) -> None:
    (warning,) = warnings_of(engine_url, [{"apart": ["Whte", "Black"]}], [])
    assert "columns.race.rules" in warning
    assert "'Whte' does not occur" in warning
    assert "did you mean 'White'?" in warning


def test_only_values_of_k_rows_are_suggested(engine_url: str) -> None:
    """`white` is nearest, but one row has it."""
    (warning,) = warnings_of(engine_url, [{"apart": ["whitee", "Black"]}], [])
    assert "'white'" not in warning
    assert "did you mean 'White'?" in warning


@pytest.mark.parametrize(("cut", "where"), [(200, "above every value"), (3, "below every value")])
def test_a_cut_outside_the_range(engine_url: str, cut: float, where: str) -> None:
    (warning,) = warnings_of(engine_url, [], [{"cut": cut}])
    assert where in warning
    assert not any(str(age) in warning for age in range(30, 50)), "the range itself is not told"


def test_a_rule_that_min_level_breaks_can_never_hold(engine_url: str) -> None:
    (warning,) = warnings_of(engine_url, [], [{"cut": 35}], min_level=1)
    assert "can never hold" in warning


def test_rules_that_are_fine_say_nothing(engine_url: str) -> None:
    assert warnings_of(engine_url, [{"apart": ["White", "Black"]}], [{"cut": 40}]) == ()
