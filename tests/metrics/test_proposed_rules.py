"""The rules that init proposes."""

from __future__ import annotations

from kanon_sql.backends.columns import ColumnInfo
from kanon_sql.onboarding.rules import propose_rules
from kanon_sql.onboarding.summary import ColumnSummary


def column(
    name: str, kind: str, distinct: int = 50, low: float | None = None, high: float | None = None
) -> ColumnSummary:
    return ColumnSummary(ColumnInfo(name, kind, kind), 1000, 1000, distinct, low, high)


def test_ages_of_majority_and_retirement() -> None:
    assert [rule["cut"] for rule in propose_rules(column("age", "integer", low=0, high=90), [])] == [18, 65]
    assert [rule["cut"] for rule in propose_rules(column("AgeAtDeath", "integer", low=17, high=60), [])] == [18]
    assert propose_rules(column("age", "integer", low=20, high=60), []) == []
    assert propose_rules(column("age_in_days", "integer", low=0, high=30_000), []) == []
    assert propose_rules(column("hours", "integer", low=0, high=90), []) == []


def test_the_largest_groups_apart() -> None:
    (rule,) = propose_rules(column("race", "text", 5), ["White", "Black", "Asian"])
    assert rule["apart"] == ["White", "Black"]
    assert propose_rules(column("sex", "text", 2), ["m", "f"]) == []
    assert propose_rules(column("town", "text", 500), []) == []
