"""Nights of kept groups with kills in between: nothing is lost, and whoever holds every release never finds fewer than k."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
import yaml

from tests.nightly.kept_nights import COLUMNS, Attacker, K, World, load, published
from tests.nightly.nights import tables_of
from tests.nightly.runs import Runs, forked_runs
from tests.support import fetch

STEPS = ("levels/raw", "nights/placed", "nights/members", "release/verify", "nights/keep", "release/swap", "commit")
"""Where a night may be killed: nothing built yet, half-way, the groups settled, staged, written, switched, for all to see."""


def write_job(directory: Path, url: str) -> Path:
    document = {
        "version": 1,
        "source": {"url": url, "table": "people", "person": "id", "fingerprint": False},
        "privacy": {"k": K, "margin": 2, "accept": ["nearly_unique_columns", "published_combinations"]},
        "columns": COLUMNS,
        "utility": {"metric": "glm"},
        "search": {"algorithm": "mondrian"},
        "publish": {"table": "release.people", "keep": 1},
    }
    file = directory / "job.yml"
    file.write_text(yaml.safe_dump(document, sort_keys=False), encoding="utf-8")
    return file


def version(url: str) -> int:
    return int(fetch(url, "select max(version) from kanon.releases where state = 'current'")[0][0])


def nights(url: str, directory: Path, runs: Runs, count: int) -> dict[str, int]:
    """Some nights; before each good run of every other one, a run is killed."""
    chosen = random.Random(13)
    world, attacker = World(random.Random(7)), Attacker()
    world.arrive(80)
    told = {"nights": 0, "kills": 0, "published before the kill": 0, "least published": 100}
    job = write_job(directory, url)
    for night in range(count):
        load(url, world.rows())
        if night % 2:
            before = version(url)
            order = {"at": chosen.choice(STEPS), "nth": 1, "when": chosen.choice(["before", "after"]), "who": "client"}
            answer = runs.run(job, **order)
            told["kills"] += answer.get("status") == -9
            if version(url) != before:  # killed after the commit: a reader may have read it
                told["published before the kill"] += 1
                attacker.read(published(url))
                assert attacker.singled_out() == []
        answer = runs.run(job)
        assert answer["exit"] == 0, answer
        attacker.read(published(url))
        assert attacker.singled_out() == [], f"night {night}"
        kept = [name for name in tables_of(url, "kanon_ledger") if name.startswith("groups_")]
        assert len(kept) == 3 and all(name.endswith(f"_v{version(url)}") for name in kept)
        share = 100 * len(published(url)) // len(world.people)
        told["least published"] = min(told["least published"], share)
        told["nights"] += 1
        world.leave(chosen.randint(0, 2))
        world.arrive(chosen.randint(0, 4))
        world.change(chosen.randint(0, 1))
    return told


def test_a_few_nights_with_kills(engine_url: str, tmp_path: Path) -> None:
    with forked_runs() as runs:
        told = nights(engine_url, tmp_path, runs, 6)
    assert told["nights"] == 6 and told["kills"] >= 2


@pytest.mark.long
def test_a_hundred_nights_with_kills(engine_url: str, tmp_path: Path) -> None:
    with forked_runs() as runs:
        told = nights(engine_url, tmp_path, runs, 100)
    print(f"\n{engine_url.split(':')[0]}: {told}")
    assert told["nights"] == 100 and told["kills"] >= 30
