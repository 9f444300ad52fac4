"""Releasing again: an unchanged source, a recoding that is kept, and releases that must not be put together."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import kanon_sql
from kanon_sql.config import load_job
from kanon_sql.errors import CompositionRisk, JobError
from kanon_sql.observer import Observer
from tests.nightly.nights import K, change, check_clean, fill, ledger, write_job
from tests.support import execute, fetch, job_of, make_table


def test_an_unchanged_source_keeps_its_release(engine_url: str, tmp_path: Path) -> None:
    fill(engine_url)
    job = load_job(write_job(tmp_path, engine_url))
    first = kanon_sql.run(job)
    observer = Observer()
    second = kanon_sql.run(job, observer)
    assert (first.unchanged, second.unchanged) == (False, True)
    assert (second.version, second.plan.node, second.verified["k"]) == (1, first.plan.node, first.verified["k"])
    assert "levels/raw" not in [entry.label for entry in observer.statements]
    execute(engine_url, "update people set pay = pay + 1 where id = 7")
    third = kanon_sql.run(job)
    assert (third.unchanged, third.version) == (False, 2)
    assert kanon_sql.run(load_job(job.path, ["privacy.k=5"])).version == 3  # another job is another release
    check_clean(engine_url)


def test_a_release_somebody_touched_is_made_anew(engine_url: str, tmp_path: Path) -> None:
    fill(engine_url)
    job = load_job(write_job(tmp_path, engine_url))
    kanon_sql.run(job)
    execute(engine_url, "delete from release.people__v1 where pay = 3")
    assert kanon_sql.run(job).version == 2


def test_last_nights_recoding_is_kept_while_it_holds(engine_url: str, tmp_path: Path) -> None:
    fill(engine_url)
    execute(engine_url, "delete from people where age = 20 and zip = '800' and id > 24")  # three rows: too few
    job = load_job(write_job(tmp_path, engine_url))
    first = kanon_sql.run(job)
    assert first.plan.node != {"age": 0, "zip": 0}
    values = ", ".join(f"({i}, 20, '800', 1)" for i in range(5000, 5010))
    execute(engine_url, f"insert into people values {values}")
    kept = kanon_sql.run(job)
    assert (kept.plan.algorithm, kept.plan.node) == ("reuse", first.plan.node)
    searched = kanon_sql.run(
        load_job(job.path, ["search.reuse=false", "source.fingerprint=false", "publish.guard=never"])
    )
    assert (searched.plan.algorithm, searched.plan.node) == ("exhaustive", {"age": 0, "zip": 0})


def test_a_changed_recoding_that_singles_people_out_is_not_published(engine_url: str, tmp_path: Path) -> None:
    """The textbook case: each release is k-anonymous, the two together are not."""
    rows = [(i, i // 4, i % 4) for i in range(16)]
    make_table(engine_url, "people", ["id integer", "a integer", "b integer"], rows)
    columns: dict[str, Any] = {"id": {"role": "identifier"}, "a": {"role": "quasi"}, "b": {"role": "quasi"}}

    def job(a: int, b: int, **publish: Any) -> Any:
        levels = {"a": {"min_level": a, "max_level": a}, "b": {"min_level": b, "max_level": b}}
        described = {name: column | levels.get(name, {}) for name, column in columns.items()}
        return job_of(engine_url, "people", described, k=K, base=tmp_path, source={"person": "id"}, publish=publish)

    by_a = kanon_sql.run(job(0, 1))
    assert by_a.composition["status"] == "passed"
    with pytest.raises(
        CompositionRisk, match="16 people are in 16 candidate sets below k = 4 \\(16 who stayed\\)"
    ) as stopped:
        kanon_sql.run(job(1, 0))
    assert stopped.value.exit_code == 1
    assert "--accept-composition" in stopped.value.hint
    assert fetch(engine_url, "select count(distinct a) from release.people") == [(4,)]
    assert (
        kanon_sql.run(job(1, 1)).composition["status"] == "passed"
    )  # a generalization of what was released gives nothing away
    accepted = kanon_sql.run(job(1, 0), accept_composition="the board decided")
    assert accepted.composition["status"] == "accepted"
    assert accepted.composition["accepted"]["why"] == "the board decided"
    registered = fetch(engine_url, f"select figures from kanon.runs where id = '{accepted.run}'")[0][0]
    assert "the board decided" in registered
    assert kanon_sql.run(job(0, 1, guard="never")).composition["status"] == "off"


def test_too_few_sensitive_values_after_intersection_block(engine_url: str, tmp_path: Path) -> None:
    # By a: two values per class. By b: two values per class. Together: one.
    rows = [(i, i // 8, (i // 4) % 2, "xy"[(i // 8 + i // 4) % 2]) for i in range(16)]
    make_table(engine_url, "people", ["id integer", "a integer", "b integer", "s varchar(1)"], rows)

    def job(a: int, b: int) -> Any:
        columns = {
            "id": {"role": "identifier"},
            "a": {"role": "quasi", "min_level": a, "max_level": a},
            "b": {"role": "quasi", "min_level": b, "max_level": b},
            "s": {"role": "sensitive"},
        }
        privacy = {"l_diversity": {"s": {"kind": "distinct", "l": 2}}}
        return job_of(engine_url, "people", columns, k=4, base=tmp_path, source={"person": "id"}, privacy=privacy)

    kanon_sql.run(job(0, 1))
    with pytest.raises(CompositionRisk, match=r"4 sets of k or more fail a privacy model \(s\)"):
        kanon_sql.run(job(1, 0))


def test_the_ledger_names_nobody(engine_url: str, tmp_path: Path) -> None:
    fill(engine_url)
    job = load_job(write_job(tmp_path, engine_url))
    observer = Observer()
    for night in range(5):
        change(engine_url, night)
        kanon_sql.run(job, observer)
    keys = ledger(engine_url, "people", "min(person_key), count(distinct person_key), max(row_key)")[0]
    assert keys[0] > 10**6
    assert keys[1] > 240
    assert keys[2] == 0
    (salt,) = fetch(engine_url, "select salt from kanon.salts")[0]
    assert not any(salt in entry.sql for entry in observer.statements)


def test_another_salt_is_noticed(engine_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(engine_url)
    job = load_job(write_job(tmp_path, engine_url))
    monkeypatch.setenv("KANON_SALT", "one")
    kanon_sql.run(job)
    assert fetch(engine_url, "select count(*) from kanon.salts") == [(0,)]
    change(engine_url, 1)
    monkeypatch.setenv("KANON_SALT", "two")
    with pytest.raises(JobError, match="KANON_SALT is not the salt"):
        kanon_sql.run(job)


def test_without_a_person_key_the_guard_says_that_it_is_off(engine_url: str, tmp_path: Path) -> None:
    fill(engine_url)
    notes: list[str] = []
    file = write_job(tmp_path, engine_url)
    file.write_text(file.read_text().replace("  person: id\n", ""))
    result = kanon_sql.run(load_job(file), Observer(note=notes.append))
    assert result.composition["status"] == "off"
    assert any("names no person key" in note for note in notes)


def nights(url: str, directory: Path, count: int) -> dict[str, int]:
    """Nightly runs over a changing table; where the recoding must change, the guard stops it and somebody answers for it."""
    fill(url)
    job = load_job(write_job(directory, url))
    figures = {"nights": 0, "reused": 0, "searched": 0, "blocked and accepted": 0, "most the ledger remembered": 0}
    ever: set[int] = set()
    for night in range(count):
        if night:
            change(url, night)
        if night % 25 == 24:
            execute(
                url,
                "delete from people where age = 20 and zip = '800'",
                "insert into people values (9000, 20, '800', 1)",
            )
        if night % 25 == 5:
            execute(url, "delete from people where id = 9000")
        try:
            result = kanon_sql.run(job)
        except CompositionRisk:
            figures["blocked and accepted"] += 1
            result = kanon_sql.run(job, accept_composition="a class died out")
        figures["nights"] += 1
        figures["reused" if result.plan.algorithm == "reuse" else "searched"] += 1
        assert result.version == night + 1
        assert result.verified["k"] >= K
        check_clean(url)
        ever |= {int(row[0]) for row in fetch(url, "select id from people")}
        ((remembered,),) = ledger(url, "people", "count(*)")
        assert remembered <= len(ever)  # one entry a person, however many releases there were
        figures["most the ledger remembered"] = max(figures["most the ledger remembered"], remembered)
    return figures


def test_a_week_of_nights(engine_url: str, tmp_path: Path) -> None:
    figures = nights(engine_url, tmp_path, 7)
    assert figures["reused"] == 6


@pytest.mark.long
def test_a_hundred_nights(engine_url: str, tmp_path: Path) -> None:
    figures = nights(engine_url, tmp_path, 100)
    print(f"\n{engine_url.split(':')[0]}: {figures}")
    assert figures["nights"] == 100
    assert figures["blocked and accepted"] >= 1
