"""Kept groups on Spark: the same night, row for row, as on the other engines."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import kanon_sql
from tests.nightly.kept_nights import Attacker, World, kept_job, load, published


@pytest.mark.cluster
def test_nights_are_the_same_on_every_engine(
    duckdb_url: str, postgres_url: str, spark_url: str, tmp_path: Path
) -> None:
    world, attacker = World(random.Random(11)), Attacker()
    world.arrive(40)
    for turn in range(2):
        seen, told = [], []
        for url in (duckdb_url, postgres_url, spark_url):
            load(url, world.rows())
            beside = {"register": {"url": f"duckdb:///{tmp_path / 'register.duckdb'}"}} if url == spark_url else {}
            source = {"person": "id", "fingerprint": False}
            job = kept_job(url, tmp_path, privacy={"margin": 1}, source=source, **beside)
            result = kanon_sql.run(job)
            seen.append(sorted(published(url), key=str))
            told.append(result.plan.figures.get("night"))
        assert seen[0] == seen[1] == seen[2], f"night {turn}"
        assert told[0] == told[1] == told[2]
        attacker.read(seen[0])
        assert attacker.singled_out() == []
        world.leave(2)
        world.arrive(6)
        world.change(1)
