"""What readers of a release find: the right to read it, and comments that say what they read."""

from __future__ import annotations

from pathlib import Path

import pytest
import sqlalchemy

import kanon_sql
from kanon_sql.config.load import load_job
from kanon_sql.errors import JobError
from tests.nightly.nights import change, fill, write_job
from tests.support import execute, fetch


def comments_of(url: str) -> dict[str | None, str | None]:
    if url.startswith("duckdb"):
        sql = (
            "select column_name, comment from duckdb_columns() where table_name = 'people' and schema_name = 'release' "
            "union all select null, comment from duckdb_views() where view_name = 'people'"
        )
    else:
        sql = (
            "select attname, col_description(attrelid, attnum) from pg_attribute "
            "where attrelid = 'release.people'::regclass and attnum > 0 "
            "union all select null, obj_description('release.people'::regclass)"
        )
    return dict(iter(fetch(url, sql)))


def test_comments_tell_what_a_release_is(engine_url: str, tmp_path: Path) -> None:
    fill(engine_url)
    job = load_job(write_job(tmp_path, engine_url, publish={"guard": "never"}))
    first = kanon_sql.run(job)
    said = comments_of(engine_url)
    assert said[None] == f"kanon_sql: k-anonymous release, k = {first.verified['k']}; version 1, run {first.run}"
    assert str(said["age"]).startswith("kanon_sql: published: ")
    assert "(level " in str(said["zip"])
    assert said["pay"] is None
    change(engine_url, 1)
    second = kanon_sql.run(job)
    assert f"version 2, run {second.run}" in str(comments_of(engine_url)[None])
    kanon_sql.rollback(job)
    assert f"version 1, run {first.run}" in str(comments_of(engine_url)[None])


def test_a_comment_of_somebody_else_stays(engine_url: str, tmp_path: Path) -> None:
    fill(engine_url)
    job = load_job(write_job(tmp_path, engine_url, publish={"guard": "never"}))
    kanon_sql.run(job)
    execute(engine_url, "comment on view release.people is 'ask Anna'")
    change(engine_url, 1)
    kanon_sql.run(job)
    assert comments_of(engine_url)[None] == "ask Anna"


def test_readers_of_the_job_may_read(postgres_url: str, tmp_path: Path) -> None:
    fill(postgres_url)
    role = "Reader of " + postgres_url.rpartition("/")[2]
    job = load_job(write_job(tmp_path, postgres_url, publish={"readers": [role], "guard": "never"}))
    with pytest.raises(JobError, match="there is no role Reader"):
        kanon_sql.run(job)
    doctor = kanon_sql.doctor(job)
    assert [found.message for found in doctor.found if "no role" in found.message]
    execute(postgres_url, f'create role "{role}" login')
    try:
        kanon_sql.run(job)
        reader = sqlalchemy.make_url(postgres_url).set(username=role).render_as_string(hide_password=False)
        assert fetch(reader, "select count(*) from release.people")[0][0] > 0
        with pytest.raises(Exception, match="denied"):
            fetch(reader, "select count(*) from release.people__v1")
        with pytest.raises(Exception, match="denied"):
            fetch(reader, "select count(*) from people")
        assert f'grant usage on schema "release" to "{role}"' in kanon_sql.grants(job)
    finally:
        execute(postgres_url, f'drop owned by "{role}"', f'drop role "{role}"')


def test_readers_without_grants_are_noted(duckdb_url: str, tmp_path: Path) -> None:
    fill(duckdb_url)
    notes: list[str] = []
    kanon_sql.run(
        load_job(write_job(tmp_path, duckdb_url, publish={"readers": ["x"]})), kanon_sql.Observer(note=notes.append)
    )
    assert any("publish.readers has no effect" in note for note in notes)
