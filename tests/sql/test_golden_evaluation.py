"""The statements of the evaluation, pinned by golden files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from kanon_sql.sql import statements
from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.published_labels import (
    covers_null,
    element,
    elements,
    interval_high,
    interval_low,
    is_interval,
    is_set,
    set_has,
    set_length,
    without_null,
)
from kanon_sql.sql.relations import WorkNames
from kanon_sql.sql.statement import Statement
from kanon_sql.sql.statements.metrics import ScoredAttribute
from tests.sql.golden_files import DIALECTS, compare

NAMES = WorkNames("kanon_work", "1")
RELEASE = Relation(("release", "people"))
PUBLISHED = NAMES.work("workload_published")


def attribute(dialect: Dialect, index: int, numeric: bool) -> ScoredAttribute:
    return ScoredAttribute(
        index=index,
        dictionary=NAMES.dictionary(index),
        star=2,
        numeric=numeric,
        finite=dialect.cast("value", "double") if numeric else f"cast(null as {dialect.types['double']})",
        resolution=1.0,
        sides=(),
        interval_breaks=(),
        covers_null=covers_null("label"),
        without_null=without_null("label"),
        is_interval=is_interval(dialect, "bare"),
        low=interval_low(dialect, "bare"),
        high=interval_high(dialect, "bare"),
        is_set=is_set("bare"),
        set_has=set_has(dialect, "rest.bare", "members.label_0"),
        set_length=set_length("bare"),
        element=element(dialect, "value", "label_0"),
        elements=elements(dialect, "bare", "has_null = 1"),
    )


def made(dialect: Dialect) -> dict[str, Statement]:
    age, town = attribute(dialect, 0, True), attribute(dialect, 1, False)
    covers, picked, shares = ([NAMES.work(f"{what}_{i}") for i in range(2)] for what in ("cover", "picked", "shares"))
    value = dialect.cast("members_0.value", "double")
    control = ("s0", NAMES.sensitive(0), dialect.as_text("control.value"), "code")
    parts = NAMES.work("workload_parts_0")
    return {
        "metrics/score": statements.metrics.score(dialect, PUBLISHED, [age, town]),
        "metrics/score_classes": statements.metrics.score_classes(dialect, PUBLISHED, 2, [("squares", "n * n")]),
        "evaluate/simulation": statements.evaluate.simulation(dialect, 0, 9, 50, 8, 3, [(7, 11), (13, 17)]),
        "evaluate/value_frequencies": statements.evaluate.value_frequencies(
            dialect, [(0, NAMES.dictionary(0), "q0_1"), (1, NAMES.dictionary(1), None)]
        ),
        "evaluate/cover.numeric": statements.evaluate.cover(dialect, covers[0], PUBLISHED, age),
        "evaluate/cover.categorical": statements.evaluate.cover(dialect, covers[1], PUBLISHED, town),
        "evaluate/workload_parts": statements.evaluate.workload_parts(
            dialect, parts, [(0, 0, 0, 3, 9), (1, 0, 1, 2, 2)]
        ),
        "evaluate/picked": statements.evaluate.picked(dialect, picked[0], parts, age),
        "evaluate/shares.numeric": statements.evaluate.shares(dialect, shares[0], covers[0], picked[0], age),
        "evaluate/shares.categorical": statements.evaluate.shares(dialect, shares[1], covers[1], picked[1], town),
        "evaluate/true_answers": statements.evaluate.true_answers(
            dialect, NAMES.base, [(0, picked[0]), (1, picked[1])], (0, NAMES.dictionary(0), age.finite)
        ),
        "evaluate/released_answers": statements.evaluate.released_answers(
            dialect, PUBLISHED, [(0, shares[0]), (1, shares[1])], (0, covers[0], NAMES.dictionary(0), age.finite)
        ),
        "evaluate/sample_classes": statements.evaluate.sample_classes(dialect, RELEASE, ["age", "to wn"], 5, 12),
        "evaluate/size_histogram": statements.evaluate.size_histogram(dialect, RELEASE, ["age", "to wn"]),
        "evaluate/sample_sources": statements.evaluate.sample_sources(
            dialect, NAMES.base, [(0, NAMES.dictionary(0), "label_1"), (1, NAMES.dictionary(1), None)], True, 5, 10
        ),
        "evaluate/largest_class": statements.evaluate.largest_class(dialect, NAMES.base, [(0, 1), (2, 0)], False, 5),
        "evaluate/class_labels": statements.evaluate.class_labels(
            dialect, [(0, NAMES.dictionary(0), 1, 3), (2, NAMES.dictionary(2), 0, 17)]
        ),
        "evaluate/label_values": statements.evaluate.label_values(
            dialect, [(0, NAMES.dictionary(0), "label_1", ["20-39", "it's"]), (1, NAMES.dictionary(1), None, [])]
        ),
        "evaluate/tree_source": statements.evaluate.tree_source(
            dialect, NAMES.base, [(0, NAMES.dictionary(0), value), (1, NAMES.dictionary(1), None)], control
        ),
        "evaluate/tree_release": statements.evaluate.tree_release(
            dialect,
            PUBLISHED,
            [(0, covers[0], NAMES.dictionary(0), value), (1, covers[1], NAMES.dictionary(1), None)],
            "target",
        ),
    }


@pytest.mark.parametrize("engine", DIALECTS)
def test_golden(engine: str, golden: Callable[[Path, str], None]) -> None:
    compare(engine, made(DIALECTS[engine]), golden)
