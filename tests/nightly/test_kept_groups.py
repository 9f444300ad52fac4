"""Kept groups: whoever holds every release never finds fewer than k, and a night changes only what must change."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import kanon_sql
from tests.drawn import drawn
from tests.nightly.kept_nights import QUASI, Attacker, K, World, covers, kept_job, load, published
from tests.support import fetch


def night(url: str, base: Path, world: World, attacker: Attacker, **sections: object) -> kanon_sql.RunResult:
    """Publish the world as it is, and let the attacker read it."""
    load(url, world.rows())
    result = kanon_sql.run(kept_job(url, base, **sections))
    rows = published(url)
    for number, labels, _ in rows:
        held = world.people[number]
        assert any(all(covers(label, value) for label, value in zip(labels, row[1:5], strict=True)) for row in held), (
            f"{labels} is not true of person {number}"
        )
    attacker.read(rows)
    return result


@settings(max_examples=drawn(3), deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_nobody_is_singled_out_over_random_nights(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("nights")
    url = f"duckdb:///{folder / 'world.duckdb'}"
    world, attacker = World(random.Random(data.draw(st.integers(0, 99)))), Attacker()
    world.arrive(data.draw(st.integers(40, 90)))
    algorithm = data.draw(st.sampled_from(["mondrian", "anneal", "bottom-up", "udrv-suppress"]))
    margin = data.draw(st.integers(0, 2))
    for _ in range(data.draw(st.integers(2, 5))):
        night(url, folder, world, attacker, algorithm=algorithm, privacy={"margin": margin})
        assert attacker.singled_out() == []
        world.leave(data.draw(st.integers(0, 8)))
        world.arrive(data.draw(st.integers(0, 12)))
        world.change(data.draw(st.integers(0, 4)))


def test_a_night_changes_only_what_must_change(engine_url: str, tmp_path: Path) -> None:
    world, attacker = World(random.Random(5)), Attacker()
    world.arrive(90)
    first = night(engine_url, tmp_path, world, attacker, privacy={"margin": 2})
    assert first.plan.algorithm == "mondrian"
    before = {number: (labels, illness) for number, labels, illness in published(engine_url)}
    assert len(before) == 90
    gone = set(world.chosen.sample(sorted(world.people), 3))
    for number in gone:
        del world.people[number]
    world.arrive(3)
    second = night(engine_url, tmp_path, world, attacker, privacy={"margin": 2})
    after = {number: (labels, illness) for number, labels, illness in published(engine_url)}
    stayed = set(before) - gone
    told = second.plan.figures["night"]
    retired = stayed - set(after)
    assert {number: after[number] for number in stayed - retired} == {n: before[n] for n in stayed - retired}
    assert second.plan.algorithm == "kept groups"
    assert told["stayed"] == len(stayed - retired)
    assert told["retired"] == len(retired)
    assert told["joined"] + told["founded"] + told["waiting"] == 3
    assert {labels for labels, _ in after.values()} <= {labels for labels, _ in before.values()}
    assert attacker.singled_out() == []


def test_who_was_retired_stays_out_and_who_waits_is_grouped(duckdb_url: str, tmp_path: Path) -> None:
    world, attacker = World(random.Random(2)), Attacker()
    world.arrive(3 * K)
    night(duckdb_url, tmp_path, world, attacker)
    labels = {labels for _, labels, _ in published(duckdb_url)}
    one = next(labels_ for labels_ in sorted(labels, key=str))
    members = [number for number, mine, _ in published(duckdb_url) if mine == one]
    for number in members[: len(members) - K + 1]:
        del world.people[number]
    survivors = set(members[len(members) - K + 1 :])
    told = night(duckdb_url, tmp_path, world, attacker).plan.figures["night"]
    assert told["retired_tonight"] == told["retired"] == len(survivors) == K - 1
    assert not survivors & {number for number, _, _ in published(duckdb_url)}
    world.arrive(4 * K)
    told = night(duckdb_url, tmp_path, world, attacker).plan.figures["night"]
    assert told["retired"] == K - 1 and told["retired_tonight"] == 0
    assert not survivors & {number for number, _, _ in published(duckdb_url)}
    assert told["joined"] + told["founded"] + told["waiting"] == 4 * K
    assert attacker.singled_out() == []


def test_large_groups_are_cut_while_nobody_has_left_them(engine_url: str, tmp_path: Path) -> None:
    world, attacker = World(random.Random(6)), Attacker()
    world.arrive(90)
    night(engine_url, tmp_path, world, attacker, privacy={"margin": 2 * K})
    before = {number: labels for number, labels, _ in published(engine_url)}
    gone = sorted(world.people)[0]
    del world.people[gone]
    loss = night(engine_url, tmp_path, world, attacker, privacy={"margin": 0}).plan.utility["ncp"]
    after = {number: labels for number, labels, _ in published(engine_url)}
    assert attacker.singled_out() == []
    assert len(set(after.values())) > len(set(before.values()))
    # Whom somebody left is not told more finely: the parts' labels would tell what the leaver held.
    assert {number: labels for number, labels in after.items() if before[number] == before[gone]} == {
        number: labels for number, labels in before.items() if labels == before[gone] and number != gone
    }
    whole = kept_job(engine_url, tmp_path, privacy={"margin": 2 * K}, search={"reuse": False, "algorithm": "mondrian"})
    assert loss < 0.9 * kanon_sql.plan(whole).utility["ncp"]


def test_a_person_with_several_rows_counts_once(engine_url: str, tmp_path: Path) -> None:
    world, attacker = World(random.Random(3)), Attacker()
    world.arrive(60, rows=3)
    for _ in range(3):
        night(engine_url, tmp_path, world, attacker, privacy={"margin": 1})
        counted = fetch(
            engine_url,
            f"select min(persons) from (select count(distinct seen) as persons from release.people group by {', '.join(QUASI)}) as classes",
        )
        assert int(counted[0][0]) >= K
        world.leave(2)
        world.arrive(3, rows=3)
        world.change(2)


def test_as_many_statements_for_many_groups_as_for_few(tmp_path: Path) -> None:
    asked, groups = [], []
    for people in (30, 120):
        folder = tmp_path / str(people)
        folder.mkdir()
        url = f"duckdb:///{folder / 'world.duckdb'}"
        world = World(random.Random(8))
        world.arrive(people)
        load(url, world.rows())
        kanon_sql.run(kept_job(url, folder))
        world.leave(1)
        load(url, world.rows())
        observer = kanon_sql.Observer()
        groups.append(kanon_sql.run(kept_job(url, folder), observer).plan.groups)
        asked.append([entry.label for entry in observer.statements if entry.label.startswith("nights/")])
    assert groups[1] > 3 * groups[0]
    assert asked[0] == asked[1] and len(asked[0]) < 25


def test_without_a_person_key_groups_are_not_kept(duckdb_url: str, tmp_path: Path) -> None:
    world = World(random.Random(4))
    world.arrive(40)
    load(duckdb_url, world.rows())
    notes: list[str] = []

    job = kept_job(duckdb_url, tmp_path, source={})
    kanon_sql.run(job, kanon_sql.Observer(note=notes.append))
    assert any("source.person" in note for note in notes)
    assert fetch(
        duckdb_url, "select count(*) from information_schema.tables where table_name like 'groups%members%'"
    ) == [(0,)]
