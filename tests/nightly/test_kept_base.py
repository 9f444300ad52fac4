"""The base frequency set refreshed, not rebuilt: the same release as counting anew, and only what changed is read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import kanon_sql
from kanon_sql.config import load_job
from kanon_sql.errors import ColumnError
from tests.nightly.nights import people, write_job
from tests.support import execute, fetch, make_table


def job_for(url: str, directory: Path, **source: Any) -> Any:
    file = write_job(directory, url, source=source, publish={"guard": "never"}, search={"reuse": False})
    if "changed_at" in source:
        file.write_text(file.read_text().replace("  pay:\n", "  changed:\n    role: drop\n  pay:\n"))
    return load_job(file)


def parts_read(result: Any) -> tuple[int, int]:
    (note,) = [note for note in result.plan.notes if "refreshed" in note]
    words = note.split()
    return int(words[6]), int(words[8])


def same_as_anew(url: str, job: Any, result: Any) -> None:
    anew = kanon_sql.plan(job)
    assert (result.plan.node, result.plan.k, result.plan.classes, result.plan.rows, result.plan.utility) == (
        anew.node,
        anew.k,
        anew.classes,
        anew.rows,
        anew.utility,
    )


def test_rows_that_are_only_added(engine_url: str, tmp_path: Path) -> None:
    rows = [(i * 50_000, age, zip_, pay) for i, age, zip_, pay in people(100)]
    make_table(engine_url, "people", ["id bigint", "age integer", "zip varchar(5)", "pay integer"], rows)
    job = job_for(engine_url, tmp_path, append_key="id")
    assert parts_read(kanon_sql.run(job)) == (50, 50)
    assert kanon_sql.run(job).unchanged
    execute(engine_url, "insert into people values (9000000, 20, '800', 1), (9000001, 21, '810', 1)")
    result = kanon_sql.run(job)
    assert parts_read(result) == (1, 51)  # the new one
    same_as_anew(engine_url, job, result)
    other = load_job(job.path, ["columns.zip={role: drop}"])
    result = kanon_sql.run(other)  # another job of this name counts other columns
    assert parts_read(result) == (51, 51)
    same_as_anew(engine_url, other, result)
    schema = "kanon_work" if engine_url.startswith("postgres") else "kanon_kept"
    kept = fetch(engine_url, f"select table_name from information_schema.tables where table_schema = '{schema}'")
    assert len([name for (name,) in kept if name != "kept_runs"]) == 1


def test_rows_that_change(engine_url: str, tmp_path: Path) -> None:
    rows = [(i, a, z, p, f"2026-01-{1 + i % 20:02d} 10:00:00") for i, a, z, p in people(120)]
    rows[0] = (*rows[0][:4], None)
    columns = ["id integer", "age integer", "zip varchar(5)", "pay integer", "changed timestamp"]
    make_table(engine_url, "people", columns, rows)
    job = job_for(engine_url, tmp_path, changed_at="changed")
    assert parts_read(kanon_sql.run(job)) == (21, 21)
    # One row changes (it leaves its part for today's), one goes, one comes.
    execute(
        engine_url,
        "update people set age = 23, changed = timestamp '2026-02-01 02:00:00' where id = 5",
        "delete from people where id = 47",
        "insert into people values (500, 20, '800', 3, timestamp '2026-02-01 01:00:00')",
    )
    result = kanon_sql.run(job)
    # The two parts that lost a row, and today's.
    assert parts_read(result) == (3, 22)
    same_as_anew(engine_url, job, result)
    # The same row changes again on the same day: the number of rows stays.
    execute(engine_url, "update people set zip = '820', changed = timestamp '2026-02-01 03:00:00' where id = 5")
    result = kanon_sql.run(job)
    assert not result.unchanged
    assert parts_read(result) == (1, 22)
    same_as_anew(engine_url, job, result)


def test_a_text_tells_no_changes(engine_url: str, tmp_path: Path) -> None:
    make_table(engine_url, "people", ["id integer", "age integer", "zip varchar(5)", "pay integer"], people(60))
    with pytest.raises(ColumnError, match="is of type"):
        kanon_sql.run(job_for(engine_url, tmp_path, append_key="zip"))


def test_persons_with_several_rows_are_counted_anew(engine_url: str, tmp_path: Path) -> None:
    rows = [(i % 60, a, z, p) for i, a, z, p in people(120)]
    make_table(engine_url, "people", ["id integer", "age integer", "zip varchar(5)", "pay integer"], rows)
    result = kanon_sql.run(job_for(engine_url, tmp_path, append_key="id"))
    assert any("counted anew" in note for note in result.plan.notes)
