"""A night whose best node does not compose with what was released takes one that does; only where none does it is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import kanon_sql
from kanon_sql.config import Job
from kanon_sql.errors import CompositionRisk
from tests.nightly.test_guard import hundred
from tests.support import execute, fetch, job_of, make_table

K = 5


def free(url: str, base: Path, target: str = "rel.t", **sections: Any) -> Job:
    """Both columns as they are, in fives or withheld: the search decides."""
    columns: dict[str, Any] = {"id": {"role": "identifier"}}
    columns |= {name: {"role": "quasi", "levels": [5, "*"]} for name in ("a", "b")}
    publish = {"table": target} | sections.pop("publish", {})
    return job_of(url, "t", columns, K, base, source={"person": "id"}, publish=publish, **sections)


def candidates(url: str, tables: list[str]) -> int:
    """The fewest persons who look the same in all releases, by the levels' own arithmetic."""
    shown = []
    for table in tables:
        columns = [f"count(distinct {name})" for name in ("a", "b")]
        counts = fetch(url, f"select {', '.join(columns)} from {table}")[0]
        for name, count in zip(("a", "b"), counts, strict=True):
            shown += [f"{name}"] if count == 10 else [f"{name} / 5"] if count == 2 else []
    whole = [column.replace("/", "//" if url.startswith("duckdb") else "/") for column in shown]
    grouped = f"select count(*) as c from t group by {', '.join(whole)}" if whole else "select count(*) as c from t"
    return int(fetch(url, f"select min(c) from ({grouped}) as g")[0][0])


def test_a_second_job_takes_a_node_that_composes(engine_url: str, tmp_path: Path) -> None:
    hundred(engine_url)
    first = kanon_sql.run(free(engine_url, tmp_path, "rel.first"))
    weights = {"utility": {"metric": "glm"}}
    second = kanon_sql.run(free(engine_url, tmp_path, "rel.second", **weights))
    assert second.composition["status"] == "passed"
    assert first.plan.node is not None
    execute(engine_url, "insert into t select id + 100, a, b from t where id < 30")
    third = free(engine_url, tmp_path, "rel.third")
    third = third.model_copy(
        update={"columns": third.columns | {"a": third.columns["a"].model_copy(update={"weight": 9.0})}}
    )
    kanon_sql.run(third)
    assert candidates(engine_url, ["rel.first", "rel.second", "rel.third"]) >= K


def test_a_node_that_fails_gives_way_to_its_generalizations(engine_url: str, tmp_path: Path) -> None:
    """Last night's node fails, and the best of tonight would part people whom last night's release has together."""
    rows = [(i, i // 10, i % 10) for i in range(100)]
    make_table(engine_url, "t", ["id integer", "a integer", "b integer"], rows)
    columns = {
        "id": {"role": "identifier"},
        "a": {"role": "quasi", "weight": 2.0, "levels": [5, "*"]},
        "b": {"role": "quasi", "levels": [5, "*"]},
    }
    job = job_of(engine_url, "t", columns, K, tmp_path, source={"person": "id"}, publish={"table": "rel.t"})
    first = kanon_sql.run(job)
    assert first.plan.node == {"a": 0, "b": 1}
    # One more class of two persons: by a and fives of b it is too small; nobody of the hundred has changed.
    execute(engine_url, "insert into t values (200, 11, 1), (201, 11, 1)")
    second = kanon_sql.run(job)
    assert second.plan.node is not None
    assert second.plan.node != first.plan.node
    assert all(second.plan.node[name] >= first.plan.node[name] for name in ("a", "b"))
    assert second.composition["below"] == {}


def test_what_would_pass_is_said_where_nothing_does(engine_url: str, tmp_path: Path) -> None:
    hundred(engine_url)
    job = free(engine_url, tmp_path)
    kanon_sql.run(job)
    groups = fetch(engine_url, "select a, b from rel.t limit 1")[0]
    assert groups is not None
    # All but two of one cell leave: whatever class the two get, two people are all that is left of it.
    first = "a = 0 and b < 5"
    execute(engine_url, f"delete from t where {first} and id > 1")
    with pytest.raises(CompositionRisk, match="no other node composes") as stopped:
        kanon_sql.run(job)
    assert "privacy.suppression: 0.02" in stopped.value.hint
    passing = free(engine_url, tmp_path, privacy={"suppression": 0.03})
    done = kanon_sql.run(passing)
    assert done.composition["night"]["retired"] + done.plan.suppressed >= 2
    assert fetch(engine_url, "select count(*) from rel.t")[0][0] <= 95


def test_a_plan_tells_what_the_guard_would_say(engine_url: str, tmp_path: Path) -> None:
    hundred(engine_url)
    job = free(engine_url, tmp_path)
    assert not any("composition guard" in note for note in kanon_sql.plan(job).notes)
    kanon_sql.run(job)
    (told,) = [note for note in kanon_sql.plan(job).notes if "composition guard" in note]
    assert "no candidate set below k = 5 together with version 1" in told
    assert "0 left" in told
    execute(engine_url, "delete from t where a = 0 and b < 5 and id > 1")
    (told,) = [note for note in kanon_sql.plan(job).notes if "composition guard" in note]
    assert "a run would look for a node that composes" in told
