"""The guard follows persons, not spellings: over every release of all jobs that read the same people, whatever else is forgotten."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import kanon_sql
from kanon_sql.config import Job
from kanon_sql.errors import CompositionRisk, KanonError
from tests.nightly.nights import ledger
from tests.support import execute, fetch, job_of, make_table

K = 5


def hundred(url: str) -> None:
    """A hundred persons: a = id / 10, b = id % 10, so that a and b together single everybody out."""
    make_table(url, "t", ["id integer", "a integer", "b integer"], [(i, i // 10, i % 10) for i in range(100)])


def publishes(url: str, base: Path, column: str, target: str = "rel.t", **sections: Any) -> Job:
    """A job that publishes one column as it is, and nothing else."""
    columns: dict[str, Any] = {"id": {"role": "identifier"}}
    for name in ("a", "b"):
        columns[name] = {
            "role": "quasi",
            "min_level": 0 if name == column else 1,
            "max_level": 0 if name == column else 1,
        }
    source = {"person": "id"} | sections.pop("source", {})
    publish = {"table": target} | sections.pop("publish", {})
    return job_of(url, sections.pop("table", "t"), columns, K, base, source=source, publish=publish, **sections)


def schema(url: str) -> str:
    return "main" if url.startswith("duckdb") else "public"


def test_a_second_job_on_the_same_source(engine_url: str, tmp_path: Path) -> None:
    hundred(engine_url)
    kanon_sql.run(publishes(engine_url, tmp_path, "a", "rel.first"))
    with pytest.raises(CompositionRisk, match="100 people are in 100 candidate sets below k = 5") as stopped:
        kanon_sql.run(publishes(engine_url, tmp_path, "b", "rel.second"))
    assert "rel.first" in stopped.value.message
    coarser = publishes(engine_url, tmp_path, "neither", "rel.third")
    assert kanon_sql.run(coarser).composition["status"] == "passed"


def test_another_audience_is_another_ledger(engine_url: str, tmp_path: Path) -> None:
    hundred(engine_url)
    kanon_sql.run(publishes(engine_url, tmp_path, "a", "rel.first", publish={"audience": "ministry"}))
    apart = kanon_sql.run(publishes(engine_url, tmp_path, "b", "rel.second", publish={"audience": "university"}))
    assert (apart.composition["status"], apart.composition["audience"]) == ("passed", "university")
    with pytest.raises(CompositionRisk):
        kanon_sql.run(publishes(engine_url, tmp_path, "a", "rel.third", publish={"audience": "university"}))


@pytest.mark.parametrize("spelled", ["target", "source"])
def test_another_spelling(engine_url: str, tmp_path: Path, spelled: str) -> None:
    hundred(engine_url)
    kanon_sql.run(publishes(engine_url, tmp_path, "a"))
    others: dict[str, Any] = {
        "target": {"target": 'rel."t"'},
        "source": {"table": f'{schema(engine_url)}."t"', "target": "rel.other"},
    }
    with pytest.raises(CompositionRisk, match="100 people"):
        kanon_sql.run(publishes(engine_url, tmp_path, "b", **others[spelled]))


def test_a_release_dropped_by_hand(engine_url: str, tmp_path: Path) -> None:
    hundred(engine_url)
    kanon_sql.run(publishes(engine_url, tmp_path, "a"))
    execute(engine_url, "drop view rel.t", "drop table rel.t__v1")
    with pytest.raises(CompositionRisk, match="100 people"):
        kanon_sql.run(publishes(engine_url, tmp_path, "b"))


def test_a_salt_of_ones_own_and_a_register_that_moved(
    engine_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hundred(engine_url)
    monkeypatch.setenv("KANON_SALT", "a salt")
    kanon_sql.run(publishes(engine_url, tmp_path, "a", "rel.first"))
    moved = {"url": f"duckdb:///{tmp_path / 'elsewhere.duckdb'}"}
    with pytest.raises(CompositionRisk, match="100 people"):
        kanon_sql.run(publishes(engine_url, tmp_path, "b", "rel.second", register=moved))


def test_a_register_that_moved_with_its_salt(engine_url: str, tmp_path: Path) -> None:
    hundred(engine_url)
    kanon_sql.run(publishes(engine_url, tmp_path, "a", "rel.first"))
    moved = {"url": f"duckdb:///{tmp_path / 'elsewhere.duckdb'}"}
    with pytest.raises(CompositionRisk, match="this register does not have its salt"):
        kanon_sql.run(publishes(engine_url, tmp_path, "b", "rel.second", register=moved))
    anew = kanon_sql.run(publishes(engine_url, tmp_path, "b", "rel.second", register=moved), rebase="another register")
    assert anew.composition["rebased"]["why"] == "another register"


def test_another_person_key_or_source_of_the_same_job(engine_url: str, tmp_path: Path) -> None:
    hundred(engine_url)
    execute(engine_url, "alter table t add column ssn integer", "update t set ssn = id + 1000")
    columns = {name: {"role": "identifier"} for name in ("id", "ssn")}

    def job(person: str, column: str) -> Job:
        quasi = {name: {"role": "quasi", "min_level": int(name != column)} for name in ("a", "b")}
        return job_of(
            engine_url, "t", columns | quasi, K, tmp_path, source={"person": person}, publish={"table": "rel.t"}
        )

    kanon_sql.run(job("id", "a"))
    with pytest.raises(CompositionRisk, match="nobody can say who was in version 1") as stopped:
        kanon_sql.run(job("ssn", "b"))
    assert "--rebase" in stopped.value.hint


def test_what_was_published_without_the_guard_is_not_forgotten(engine_url: str, tmp_path: Path) -> None:
    hundred(engine_url)
    kanon_sql.run(publishes(engine_url, tmp_path, "a", publish={"guard": "never"}))
    with pytest.raises(CompositionRisk, match="nobody can say who was in version 1"):
        kanon_sql.run(publishes(engine_url, tmp_path, "b"))


def test_keep_makes_nobody_forget(engine_url: str, tmp_path: Path) -> None:
    hundred(engine_url)
    keep = {"keep": 1}
    kanon_sql.run(publishes(engine_url, tmp_path, "a", publish=keep))
    for night in range(3):
        execute(engine_url, f"insert into t values ({200 + night}, 0, 0)")
        kanon_sql.run(publishes(engine_url, tmp_path, "neither", publish=keep))
    assert fetch(engine_url, "select count(*) from kanon.releases where state = 'dropped'")[0][0] >= 1
    with pytest.raises(CompositionRisk, match="candidate sets below k = 5"):
        kanon_sql.run(publishes(engine_url, tmp_path, "b", publish=keep))


def test_people_without_a_name_are_followed(engine_url: str, tmp_path: Path) -> None:
    """Half of the rows have no person: with either release alone nobody notices, with both each of them is alone."""
    rows = [(i if i % 2 else None, i // 20, i // 2 % 10) for i in range(200)]
    make_table(engine_url, "t", ["id integer", "a integer", "b integer"], rows)
    kanon_sql.run(publishes(engine_url, tmp_path, "a"))
    assert ledger(engine_url, "people", "count(*)") == [(200,)]
    with pytest.raises(CompositionRisk):
        kanon_sql.run(publishes(engine_url, tmp_path, "b"))
    execute(engine_url, "insert into t values (null, 3, 3)")
    again = kanon_sql.run(publishes(engine_url, tmp_path, "a"))
    assert again.composition["night"]["withheld"] == 0
    assert ledger(engine_url, "people", "count(*)") == [(201,)]


def visits(url: str) -> Job:
    """2,000 persons of three rows each."""
    series = "range(6000) as r(i)" if url.startswith("duckdb") else "generate_series(0, 5999) as r(i)"
    execute(
        url,
        "create table visits as select cast(i % 2000 as integer) as person, cast((i * 7919 + i / 2000 * 31) % 60 as integer) as age, "
        f"cast((i * 104729 + i / 2000 * 17) % 5 as integer) as ward from {series}",
    )
    columns = {
        "person": {"role": "identifier"},
        "age": {"role": "quasi", "levels": [5, 10, "*"]},
        "ward": {"role": "quasi"},
    }
    return job_of(url, "visits", columns, K, source={"person": "person"}, privacy={"suppression": 0.01})


def test_one_change_among_people_of_several_rows(engine_url: str, tmp_path: Path) -> None:
    job = visits(engine_url)
    first = kanon_sql.run(job)
    assert first.plan.rows == 6000
    execute(
        engine_url,
        "update visits set age = age + 1 where person = 7 and ward = (select min(ward) from visits where person = 7)",
    )
    second = kanon_sql.run(job)
    assert second.version == 2
    assert second.composition["sets_below"] <= 1
    assert second.composition["status"] in ("passed", "noted")
    assert second.composition["night"]["withheld"] <= 1
    assert second.verified["k"] >= K


def test_a_coarser_node_for_people_of_several_rows(engine_url: str, tmp_path: Path) -> None:
    job = visits(engine_url)
    first = kanon_sql.run(job)
    assert first.plan.node is not None
    coarser = {name: level + 1 if name == "age" else level for name, level in first.plan.node.items()}
    columns = {
        "person": {"role": "identifier"},
        "age": {"role": "quasi", "levels": [5, 10, "*"], "min_level": coarser["age"], "max_level": coarser["age"]},
        "ward": {"role": "quasi"},
    }
    again = job_of(engine_url, "visits", columns, K, source={"person": "person"}, privacy={"suppression": 0.01})
    second = kanon_sql.run(again)
    assert second.composition["changed"]
    assert (second.composition["status"], second.composition["night"]["withheld"]) == ("passed", 0)


def test_one_register_for_two_databases(tmp_path: Path) -> None:
    register = {"url": f"duckdb:///{tmp_path / 'register.duckdb'}"}
    one, two = (f"duckdb:///{tmp_path / name}.duckdb" for name in ("one", "two"))
    for url in (one, two):
        hundred(url)
    kanon_sql.run(publishes(one, tmp_path, "a", register=register))
    kanon_sql.run(publishes(two, tmp_path, "a", register=register))
    with pytest.raises(CompositionRisk, match="100 people"):
        kanon_sql.run(publishes(one, tmp_path, "b", register=register))


def test_a_ledger_restored_from_an_old_backup(engine_url: str, tmp_path: Path) -> None:
    hundred(engine_url)
    job = publishes(engine_url, tmp_path, "a")
    kanon_sql.run(job)
    tables = {name: f"kanon_ledger.{_table(engine_url, name)}" for name in ("people", "cells", "nights")}
    execute(engine_url, *(f"create table {name}_backup as select * from {table}" for name, table in tables.items()))
    execute(engine_url, "insert into t select id + 100, a, b from t")
    kanon_sql.run(job)
    for name, table in tables.items():
        execute(engine_url, f"delete from {table}", f"insert into {table} select * from {name}_backup")
    execute(engine_url, "insert into t select id + 500, a, b from t")
    with pytest.raises(KanonError, match="is not what it was after its last release"):
        kanon_sql.run(job)


def _table(url: str, what: str) -> str:
    found = fetch(url, "select table_name from information_schema.tables where table_schema = 'kanon_ledger'")
    return next(str(name) for (name,) in found if str(name).startswith(f"{what}_"))


def test_a_person_is_not_taken_for_a_row_without_one(engine_url: str, tmp_path: Path) -> None:
    """Whose name is what the digest of a nameless row was made of: the row's key tells them apart, though nobody is nameless any more."""
    named = [(f"p{i}", 3, 7) for i in range(20)]
    make_table(engine_url, "t", ["id varchar(20)", "a integer", "b integer"], [*named, (None, 3, 7)])
    job = publishes(engine_url, tmp_path, "a")
    assert kanon_sql.run(job).composition["night"]["joined"] == 21
    execute(engine_url, "delete from t where id is null")
    execute(engine_url, "insert into t values ('1:31:7', 3, 7)")
    night = kanon_sql.run(job).composition["night"]
    assert (night["stayed"], night["joined"]) == (20, 1)
