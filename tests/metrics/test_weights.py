"""Weights: given and normalised, or from the associations in the data."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from kanon_sql.workbench.associations import associations
from kanon_sql.workbench.objectives import build_objective, build_weights
from tests.metrics.benches import bench_of

DEFINED = ["x integer", "y double precision", "u varchar(9)", "v varchar(9)"]
COLUMNS: dict[str, Any] = {name: {"role": "quasi"} for name in ("x", "y", "u", "v")}


def pearson(xs: list[Any], ys: list[Any]) -> float:
    pairs = [(x, y) for x, y in zip(xs, ys, strict=True) if x is not None and y is not None]
    if len({x for x, _ in pairs}) < 2 or len({y for _, y in pairs}) < 2:
        return 0.0
    return float(abs(np.corrcoef([x for x, _ in pairs], [y for _, y in pairs])[0, 1]))


def correlation_ratio(xs: list[Any], groups: list[Any]) -> float:
    pairs = [(x, g) for x, g in zip(xs, groups, strict=True) if x is not None]
    if len({x for x, _ in pairs}) < 2:
        return 0.0
    mean = sum(x for x, _ in pairs) / len(pairs)
    between = 0.0
    for group in {g for _, g in pairs}:
        members = [x for x, g in pairs if g == group]
        between += len(members) * (sum(members) / len(members) - mean) ** 2
    return math.sqrt(between / sum((x - mean) ** 2 for x, _ in pairs))


def cramers_v(us: list[Any], vs: list[Any]) -> float:
    n, rows, columns = len(us), Counter(us), Counter(vs)
    if min(len(rows), len(columns)) < 2:
        return 0.0
    together = Counter(zip(us, vs, strict=True))
    chi2 = sum(
        (together[u, v] - rows[u] * columns[v] / n) ** 2 / (rows[u] * columns[v] / n) for u in rows for v in columns
    )
    return math.sqrt(chi2 / n / (min(len(rows), len(columns)) - 1))


ROW = st.tuples(
    st.one_of(st.none(), st.integers(1000, 1009)),
    st.one_of(st.none(), st.integers(0, 8).map(lambda n: n / 2)),
    st.sampled_from([None, "a", "b", "c"]),
    st.sampled_from([None, "p", "q"]),
)


@settings(
    max_examples=12,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(rows=st.lists(ROW, min_size=2, max_size=30))
def test_associations_equal_the_reference(engine_url: str, rows: list[tuple[Any, ...]]) -> None:
    with bench_of(engine_url, DEFINED, rows, COLUMNS) as bench:
        found = associations(bench)
    x, y, u, v = (list(column) for column in zip(*rows, strict=True))
    expected = {
        (0, 1): pearson(x, y),
        (0, 2): correlation_ratio(x, u),
        (0, 3): correlation_ratio(x, v),
        (1, 2): correlation_ratio(y, u),
        (1, 3): correlation_ratio(y, v),
        (2, 3): cramers_v(u, v),
    }
    for (i, j), value in expected.items():
        assert found.matrix[i][j] == pytest.approx(value, abs=1e-6), (i, j)
        assert found.matrix[j][i] == found.matrix[i][j]
    free = [1 - sum(found.matrix[i][j] for j in range(4) if j != i) / 3 for i in range(4)]
    if sum(free) > 1e-6:
        assert found.weights == pytest.approx([f / sum(free) for f in free])
    assert sum(found.weights) == pytest.approx(1)


def test_an_independent_attribute_weighs_more_and_a_repeated_one_is_named(engine_url: str) -> None:
    """u repeats x; v goes with nothing."""
    rows = [(n % 4, float(n % 4), "abcd"[n % 4], "pq"[(n // 4) % 2]) for n in range(32)]
    with bench_of(engine_url, DEFINED, rows, COLUMNS, utility={"metric": "rv", "weights": "auto"}) as bench:
        built = build_objective(bench)
        passes = [e for e in bench.backend.trace.entries if e.label == "metrics/associations"]
    assert built.associations is not None
    assert built.weights == pytest.approx((1 / 6, 1 / 6, 1 / 6, 1 / 2))
    assert sum(built.weights) == pytest.approx(1)
    named = {(pair["drop"], pair["keep"]) for pair in built.associations.to_drop}
    assert {frozenset(pair) for pair in named} == {frozenset(p) for p in (("x", "y"), ("x", "u"), ("y", "u"))}
    assert any("candidate to drop" in warning for warning in built.warnings)
    assert len(passes) == 1, "six pairs, one statement, one pass each"


def test_given_weights_are_normalised(engine_url: str) -> None:
    columns = {name: {"role": "quasi", "weight": w} for name, w in zip("xyuv", (2, 1, 1, 0), strict=True)}
    with bench_of(engine_url, DEFINED, [(1, 1.0, "a", "p"), (2, 2.0, "b", "q")], columns) as bench:
        assert build_weights(bench).values == (0.5, 0.25, 0.25, 0.0)
