"""Dates, booleans, doubles that are not numbers: every measure of a plan is what its release scores."""

from __future__ import annotations

import math

import pytest

from kanon_sql.evaluate.score import score_release
from kanon_sql.release.recoding import GlobalRecoding
from kanon_sql.search.questions import ScoreNodes
from kanon_sql.workbench.answers import Answers
from kanon_sql.workbench.objectives import build_objective
from kanon_sql.workbench.privacy_shape import build_shape
from tests.metrics.benches import bench_of

DEFINED = ["weight double precision", "born date", "member boolean", "seen timestamp with time zone"]
COLUMNS = {
    "weight": {"role": "quasi", "levels": [0.5, "*"], "rules": [{"cut": 1.25}, {"apart": [0.5, 2]}]},
    "born": {"role": "quasi", "levels": ["month", "year", "*"]},
    "member": {"role": "quasi"},
    "seen": {"role": "quasi", "levels": ["day", "*"]},
}
WEIGHTS = [math.nan, math.inf, -math.inf, None, 0.5, 1.25, 2.0, 0.5]


@pytest.mark.parametrize("node", [(0, 0, 0, 0), (1, 1, 0, 1), (1, 2, 1, 0), (0, 1, 0, 2), (2, 3, 1, 2), (1, 3, 0, 2)])
def test_a_plan_is_what_its_release_scores(engine_url: str, node: tuple[int, ...]) -> None:
    rows = [
        (
            WEIGHTS[n % 8],
            f"20{n % 3:02d}-0{1 + n % 2}-11" if n % 7 else None,
            n % 2 == 0 if n % 5 else None,
            f"2020-01-0{1 + n % 2} 12:00:00+00",
        )
        for n in range(48)
    ]
    with bench_of(engine_url, DEFINED, rows, COLUMNS, privacy={"k": 2, "suppression": 0.99}) as bench:
        built = build_objective(bench)
        assert built.warnings == ()
        shape = build_shape(bench, built.sums, built.columns).shape
        (verdict,) = Answers(bench, built.objective, built.cells, shape).answer(ScoreNodes((node,)))
        planned = built.utility(verdict)
        assert verdict.loss == pytest.approx(planned["glm"])
        release = bench.names.work("release")
        bench.made.append(("table", release))
        GlobalRecoding(node, shape, verdict.suppressed).stage(bench, release)
        score = score_release(bench, release)
    assert score.node == node
    assert all(math.isfinite(value) for value in planned.values())
    assert {name: score.measures[name] for name in planned} == {
        name: pytest.approx(value, rel=1e-9, abs=1e-9) for name, value in planned.items()
    }
    assert 0 <= planned["rv"] <= 1
