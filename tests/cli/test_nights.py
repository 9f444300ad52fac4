"""Nights of kept groups as a user types them: plan, run, history --nights, simulate --nights."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from tests.cli.commands import kanon
from tests.nightly.kept_nights import World, load
from tests.nightly.test_kept_group_kills import write_job


def test_nights_are_told(engine_url: str, tmp_path: Path) -> None:
    world = World(random.Random(9))
    world.arrive(60)
    load(engine_url, world.rows())
    job = write_job(tmp_path, engine_url)
    auto = ("--set", "privacy.margin=auto")
    first = kanon("run", job, *auto)
    assert first.exit_code == 0, first.err
    assert "assumed: none is stated, none was seen" in " ".join(first.out.split())
    world.leave(3)
    world.arrive(3)
    load(engine_url, world.rows())
    planned = kanon("plan", job, *auto)
    assert "fresh search at k would lose" in " ".join(planned.out.split())
    again = kanon("run", job, "--json", *auto)
    assert again.exit_code == 0, again.err
    told = json.loads(again.out)["figures"]["night"]
    assert told["gone"] == 3 and told["arrived"] == 3 and told["members_before"] == 60
    third = kanon("run", job, *auto)
    assert "5.00% of the people leave each night (seen on 1 night)" in " ".join(third.out.split())
    drawn = kanon("history", job, "--nights").out
    assert "stayed" in drawn and "#" in drawn
    nights = json.loads(kanon("history", job, "--nights", "--json").out)["nights"]
    assert [night["version"] for night in nights] == [1, 2, 3]
    assert nights[1]["stayed"] == told["stayed"]


def test_nights_to_come_are_simulated(duckdb_url: str, tmp_path: Path) -> None:
    world = World(random.Random(10))
    world.arrive(200)
    load(duckdb_url, world.rows())
    job = write_job(tmp_path, duckdb_url)
    typed = kanon("simulate", job, "--nights", 3, "--churn", "2%", "--json")
    assert typed.exit_code == 0, typed.err
    told = json.loads(typed.out)
    assert [night["night"] for night in told["nights"]] == [0, 1, 2, 3]
    assert all(night["published"] + night["waiting"] + night["retired"] == night["rows"] for night in told["nights"])
    assert told["nights"][0]["share"] == 1 and told["nights"][-1]["joined"] + told["nights"][-1]["waiting"] > 0
    assert 0 < told["fresh_loss"] <= told["nights"][0]["loss"] <= 1
    assert "a fresh search at k" in kanon("simulate", job, "--nights", 1).out


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("--nights", 3, "--churn", "much"), "0.5% or 0.005"),
        (("--nights", 3, "--set", "search.algorithm=best-first"), "local recoding"),
    ],
)
def test_what_cannot_be_simulated_is_said(
    duckdb_url: str, tmp_path: Path, given: tuple[object, ...], said: str
) -> None:
    world = World(random.Random(1))
    world.arrive(20)
    load(duckdb_url, world.rows())
    typed = kanon("simulate", write_job(tmp_path, duckdb_url), *given)
    assert typed.exit_code != 0
    assert said in " ".join((typed.out + typed.err).split())
