"""PostgreSQL holds a view to the collations of its columns: a release is published whatever the one before it had."""

from __future__ import annotations

import pytest

import kanon_sql
from tests.support import execute, fetch, job_of, make_table

COLUMNS = {"id": {"role": "identifier"}, "town": {"role": "quasi"}, "name": {"role": "keep"}}


@pytest.mark.parametrize(("first", "then"), [("datafly", "mondrian"), ("mondrian", "datafly")])
def test_another_way_of_recoding_follows(postgres_url: str, first: str, then: str) -> None:
    make_table(
        postgres_url, "people", ["id integer", "town text", "name text"], [(i, "abcd"[i % 4], "x") for i in range(40)]
    )
    for algorithm in (first, then):
        publish = {"table": "release.people", "guard": "never"}
        kanon_sql.run(job_of(postgres_url, "people", COLUMNS, search={"algorithm": algorithm}, publish=publish))
        assert fetch(postgres_url, OF_TOWN) == [("default",)]


def test_a_view_of_another_collation_is_made_anew(postgres_url: str) -> None:
    make_table(
        postgres_url, "people", ["id integer", "town text", "name text"], [(i, "abcd"[i % 4], "x") for i in range(40)]
    )
    job = job_of(postgres_url, "people", COLUMNS, publish={"table": "release.people", "guard": "never"})
    kanon_sql.run(job)
    execute(
        postgres_url,
        'alter table people alter column name type text collate "C"',
        "insert into people values (40, 'a', 'y')",
    )
    assert kanon_sql.run(job).version == 2
    assert fetch(postgres_url, OF_TOWN.replace("town", "name")) == [("C",)]


OF_TOWN = (
    "select collname from pg_attribute a join pg_collation c on c.oid = a.attcollation "
    "where attrelid = 'release.people'::regclass and attname = 'town'"
)
