"""Figures of whole tables equal pycanon's, where it has the model and follows its definition.

Left out: its recursive (c,l)-diversity sorts the counts in ascending order, so its r_1 is the rarest value, not the most frequent;
its enhanced beta takes the minimum with -ln p after the maximum over values, not for each value.
"""

from __future__ import annotations

import random
from pathlib import Path

import pandas
import pytest
from pycanon import anonymity

from kanon_sql.backends.connect import open_backend
from kanon_sql.evaluate.risk import measure_risk
from kanon_sql.release.verify_models import measure_models, measure_sensitive
from kanon_sql.workbench.workbench import Workbench
from tests.privacy.worlds import ILLS, World

COLUMNS = ["town", "age"]


@pytest.mark.parametrize("seed", range(4))
def test_whole_tables_measure_as_in_pycanon(engine_url: str, tmp_path: Path, seed: int) -> None:
    draw = random.Random(seed)
    rows = [
        (draw.choice("abcd"), draw.randrange(4), draw.choice([*ILLS, "flu"]), draw.choice([1, 2, 3, 10]), number)
        for number in range(300)
    ]
    privacy = {
        "k": 2,
        "l_diversity": {"ill": {"kind": "entropy", "l": 2}},
        "p_sensitive": {"ill": 2, "cost": 2},
        "alpha": {"ill": 0.5, "cost": 0.5},
        "beta_likeness": {"ill": {"beta": 1, "kind": "basic"}},
        "t_closeness": {"ill": 0.3, "cost": {"t": 0.3, "distance": "ordered"}},
    }
    world = World(rows, [], privacy, [], False)
    backend = open_backend(engine_url, tmp_path, read_only=False)
    world.write(backend)
    with Workbench(backend, world.job("duckdb:///unused", tmp_path), "1") as bench:
        bench.open_source()
        found = {(f.model.name, f.model.column): f.worst for f in measure_models(bench, bench.source, COLUMNS)}
        distinct, distance = measure_sensitive(bench, bench.source, COLUMNS)
        risk = measure_risk(backend, bench.source, COLUMNS, 0.1)
    backend.close()

    frame = pandas.DataFrame(rows, columns=["town", "age", "ill", "cost", "person"])
    for column in ("ill", "cost"):
        assert found["p_sensitive", column] == anonymity.l_diversity(frame, COLUMNS, [column])
        assert distinct[column] == anonymity.l_diversity(frame, COLUMNS, [column])
        assert found["alpha_k", column] == pytest.approx(anonymity.alpha_k_anonymity(frame, COLUMNS, [column])[0])
        assert found["t_closeness", column] == pytest.approx(anonymity.t_closeness(frame, COLUMNS, [column]))
    assert distance["ill"] == pytest.approx(anonymity.t_closeness(frame, COLUMNS, ["ill"]))
    assert int(found["entropy_l_diversity", "ill"]) == anonymity.entropy_l_diversity(frame, COLUMNS, ["ill"])
    assert found["beta_likeness", "ill"] == pytest.approx(anonymity.basic_beta_likeness(frame, COLUMNS, ["ill"]))
    assert risk.smallest == anonymity.k_anonymity(frame, COLUMNS)
