"""The statements that score a release: its frequency set, and every measure from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.render import render
from kanon_sql.sql.statement import Statement


@dataclass(frozen=True)
class ScoredAttribute:
    """What the statement needs of an attribute: its dictionary and levels, how its labels are read, what its cells are worth.

    `sides` are the conditions of each rule's two sides over the dictionary, `interval_breaks` when an interval (ends.low, ends.high)
    breaks each rule. Expressions that read a label speak of `label`, of a label without NULL as `bare`.
    """

    index: int
    dictionary: Relation
    star: int
    numeric: bool
    lookup: bool
    finite: str
    weight: float
    resolution: float
    granularity_power: float
    rules_power: float
    rules_base: float
    rules_whole: float
    importances: tuple[float, ...]
    sides: tuple[tuple[str, str], ...]
    interval_breaks: tuple[str, ...]
    expert: tuple[float, ...]
    covers_null: str
    without_null: str
    is_interval: str
    low: str
    high: str
    is_set: str
    set_has: str
    set_length: str
    element: str


def published(
    dialect: Dialect, table: Relation, release: Relation, labels: Sequence[str], target: str | None
) -> Statement:
    return render(dialect, "metrics/published", table=table, release=release, labels=labels, target=target)


def score(dialect: Dialect, published: Relation, attributes: Sequence[ScoredAttribute], majority: bool) -> Statement:
    return render(dialect, "metrics/score", published=published, attributes=attributes, majority=majority)
