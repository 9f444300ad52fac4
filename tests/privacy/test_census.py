"""A diverse release of a census of eight attributes verifies, and withstands the attacks."""

from __future__ import annotations

from pathlib import Path

import yaml

import kanon_sql
from bench.generate import generate
from kanon_sql.config import load_job

ROWS = 8_000


def test_a_diverse_release_verifies_and_withstands_the_attacks(tmp_path: Path) -> None:
    file = generate("adult-like", tmp_path / "census.duckdb", rows=ROWS, k=5, suppression=0.05)
    document = yaml.safe_load(file.read_text(encoding="utf-8"))
    document["columns"]["occupation"] = {"role": "sensitive"}
    document["privacy"]["l_diversity"] = {"occupation": {"kind": "distinct", "l": 3}}
    file.write_text(yaml.safe_dump(document, sort_keys=False), encoding="utf-8")
    diverse = load_job(file, ["search.algorithm=best-first"])
    result = kanon_sql.run(diverse)
    assert [model["worst"] for model in result.verified["models"]] == [3]
    attacked = kanon_sql.attack(diverse)
    assert attacked.passes
    assert attacked.node == result.plan.node
    assert 0 < attacked.source_rows_unlinked == result.plan.suppressed
    assert attacked.released_rows == ROWS - result.plan.suppressed
