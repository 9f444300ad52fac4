"""`publish.guard: always`: who comes and who goes do so k at a time, and who waits is counted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import kanon_sql
from kanon_sql.config import Job
from kanon_sql.errors import CompositionRisk
from tests.support import execute, fetch, job_of, make_table

K = 3


def strict(url: str, base: Path, **privacy: Any) -> Job:
    columns = {
        "id": {"role": "identifier"},
        "a": {"role": "quasi", "max_level": 0},
        "s": {"role": "sensitive"},
        "mark": {"role": "keep"},
    }
    wanted = {"suppression": 0.9, "accept": ["nearly_unique_columns"]} | privacy
    publish = {"table": "rel.t", "guard": "always", "wait": 2}
    return job_of(url, "t", columns, K, base, source={"person": "id"}, privacy=wanted, publish=publish)


def marks(url: str) -> set[int]:
    return {int(mark) for (mark,) in fetch(url, "select mark from rel.t")}


def test_who_comes_waits_for_others_and_who_goes_takes_others_along(engine_url: str, tmp_path: Path) -> None:
    rows = [(i, i // 10, "xy"[i % 2], i) for i in range(30)]
    make_table(engine_url, "t", ["id integer", "a integer", "s varchar(1)", "mark integer"], rows)
    job = strict(engine_url, tmp_path)
    kanon_sql.run(job)
    assert len(marks(engine_url)) == 30
    execute(engine_url, "insert into t values (100, 0, 'x', 100)")
    second = kanon_sql.run(job)
    assert (second.composition["night"]["waiting"], 100 in marks(engine_url)) == (1, False)
    execute(engine_url, "insert into t values (101, 0, 'y', 101), (200, 2, 'x', 200)")
    third = kanon_sql.run(job)
    assert (third.composition["night"]["waiting"], third.composition["night"]["nights_waited"]) == (3, 1)
    execute(engine_url, "insert into t values (102, 0, 'x', 102)")
    fourth = kanon_sql.run(job)
    assert {100, 101, 102} <= marks(engine_url)
    assert fourth.composition["night"]["joined"] == 3
    # One of the ten of a = 1 leaves: two more go with them, and stay away.
    execute(engine_url, "delete from t where id = 15")
    fifth = kanon_sql.run(job)
    gone = set(range(10, 20)) - marks(engine_url)
    assert len(gone) == K
    assert fifth.composition["night"]["withheld"] == 2 + 1  # and 200 still waits
    execute(engine_url, "insert into t values (300, 2, 'x', 300)")
    sixth = kanon_sql.run(job)
    assert set(range(10, 20)) - marks(engine_url) == gone
    assert "1 person waits since 2 nights or longer" in sixth.composition["message"]


def test_models_hold_for_every_cell(engine_url: str, tmp_path: Path) -> None:
    """Three of one value come to a class of many: together with last night's release it is plain what they have."""
    rows = [(i, i // 10, "xy"[i % 2], i) for i in range(30)]
    make_table(engine_url, "t", ["id integer", "a integer", "s varchar(1)", "mark integer"], rows)
    job = strict(engine_url, tmp_path, l_diversity={"s": {"kind": "distinct", "l": 2}})
    kanon_sql.run(job)
    execute(engine_url, "insert into t values (100, 0, 'x', 100), (101, 0, 'x', 101), (102, 0, 'x', 102)")
    second = kanon_sql.run(job)
    assert not {100, 101, 102} & marks(engine_url)
    assert second.composition["poor_sets"] == {"s": 1}
    execute(engine_url, "insert into t values (103, 0, 'y', 103)")
    kanon_sql.run(job)
    assert {100, 101, 102, 103} <= marks(engine_url)


def test_kept_groups_without_room_are_refused_with_what_they_ask_for(duckdb_url: str, tmp_path: Path) -> None:
    """They are kept already: what is missing is a budget, and the message says how much of it."""
    rows = [(i, 20 + i // 10, "xy"[i % 2]) for i in range(60)]
    make_table(duckdb_url, "t", ["id integer", "a integer", "s varchar(1)"], rows)
    columns = {"id": {"role": "identifier"}, "a": {"role": "quasi"}, "s": {"role": "sensitive"}}
    sections = {"source": {"person": "id"}, "search": {"algorithm": "mondrian"}}
    publish = {"table": "rel.t", "guard": "always"}
    job = job_of(duckdb_url, "t", columns, K, tmp_path, publish=publish, **sections)
    kanon_sql.run(job)
    execute(duckdb_url, "delete from t where id = 15")
    with pytest.raises(CompositionRisk, match="rows would be left out, 0 may be") as refused:
        kanon_sql.run(job)
    assert "privacy.suppression" in str(refused.value.hint) and "made anew" not in str(refused.value.hint)
