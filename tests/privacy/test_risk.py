"""Risks of linking, by hand on a small table, with persons and with a population."""

from __future__ import annotations

from pathlib import Path

import pytest

from kanon_sql.backends.connect import open_backend
from kanon_sql.evaluate.risk import measure_risk, node_risk
from kanon_sql.model.privacy.presets import PRESETS, k_of_threshold
from kanon_sql.sql.generalized import generalized
from kanon_sql.workbench.privacy_shape import build_shape
from kanon_sql.workbench.reading import as_read
from kanon_sql.workbench.workbench import Workbench
from tests.privacy.worlds import World

ROWS = [
    ("a", 0, "flu", 1, 1),
    ("a", 0, "flu", 1, 1),
    ("a", 0, "flu", 1, 2),
    ("b", 1, "flu", 1, 3),
    ("b", 1, "ulcer", 2, 4),
    ("c", 4, "flu", 1, 5),
]
EVERYONE = [*ROWS, ("b", 1, None, None, 6), ("b", 1, None, None, 7), ("d", 4, None, None, 8), (None, 9, None, None, 9)]


@pytest.mark.parametrize("persons", [False, True])
def test_risks_of_a_table(engine_url: str, tmp_path: Path, persons: bool) -> None:
    privacy = {"k": 2, "k_map": 2, "population": {"table": "everyone"}, "suppression": 0.4}
    world = World(ROWS, EVERYONE, privacy, [], persons)
    backend = open_backend(engine_url, tmp_path, read_only=False)
    world.write(backend)
    with Workbench(backend, world.job("duckdb:///unused", tmp_path), "1") as bench:
        bench.prepare()
        everyone = generalized(backend.dialect, backend.relation("everyone"), bench.attributes, (0, 0))
        person = "person" if persons else None
        risk = measure_risk(
            backend, as_read(bench, bench.source, "risk", labels=True), ["town", "age"], 0.4, person, everyone
        )
        assert (risk.rows, risk.classes, risk.smallest) == (6, 3, 1)
        assert risk.prosecutor == 1
        assert risk.marketer == pytest.approx(3 / 5 if persons else 3 / 6)
        assert risk.unique_share == pytest.approx(1 / 6)
        # Rows above 0.4: classes of one or two; with persons the first class is two persons as well.
        assert risk.share_above == pytest.approx(1.0 if persons else 0.5)
        assert risk.journalist == 1  # (c, 4) fits one person
        assert risk.journalist_marketer == pytest.approx((3 / 3 + 2 / 4 + 1 / 1) / 6)

        shape = build_shape(bench, (), ()).shape
        kept = node_risk(bench, shape, (0, 0), 0.4)  # the unique row is suppressed
        assert (kept.rows, kept.classes, kept.smallest) == (5, 2, 2)
        assert kept.prosecutor == 0.5
        assert kept.journalist == pytest.approx(1 / (2 if persons else 3))  # of the population, persons are counted too
        assert kept.journalist_marketer == pytest.approx((3 / (2 if persons else 3) + 2 / 4) / 5)
        assert kept.unique_share == 0
    backend.close()


def test_a_threshold_means_the_least_k_that_keeps_it() -> None:
    assert k_of_threshold(0.09) == 12  # 1/11 > 0.09
    assert k_of_threshold(0.1) == 10
    assert k_of_threshold(1 / 11) == 11
    assert k_of_threshold(0.05) == 20
    assert k_of_threshold(0.2) == 5
    assert k_of_threshold(1 / 3) == 3
    assert {name: preset.k for name, preset in PRESETS.items()} == {"hipaa": 11, "ema": 12, "strict": 20}
