"""The types of published columns name nothing that was not published."""

from __future__ import annotations

from pathlib import Path

import duckdb
import psycopg
import pytest

from tests.redteam.reader import read_table
from tests.truth.jobs import TARGET, execute, run, write_job


@pytest.mark.parametrize("role", ["quasi", "sensitive", "keep"])
@pytest.mark.parametrize("algorithm", ["exhaustive", "mondrian"])
def test_an_enum_does_not_list_its_values(duckdb_url: str, tmp_path: Path, role: str, algorithm: str) -> None:
    execute(
        duckdb_url,
        "create type ill as enum ('flu', 'cold', 'plague')",
        "create table t as select i as id, i % 2 as a, (case when i = 40 then 'plague' when i % 3 = 0 then 'flu' else 'cold' end)::ill as x "
        "from range(41) r(i)",
    )
    columns = {"id": {"role": "identifier"}, "a": {"role": "quasi"}, "x": {"role": role}}
    privacy = {"k": 3, "suppression": 0.1}
    assert (
        run(write_job(tmp_path, duckdb_url, columns, privacy=privacy, search={"algorithm": algorithm})).exit_code == 0
    )
    with duckdb.connect(duckdb_url.removeprefix("duckdb:///"), read_only=True) as connection:
        shown = str(connection.execute(f"describe {TARGET}").fetchall())
    assert "plague" not in shown, shown


def test_no_enum_and_no_domain_on_postgres(postgres_url: str, tmp_path: Path) -> None:
    execute(
        postgres_url,
        "create type ill as enum ('flu', 'cold', 'plague')",
        "create domain place as text check (value in ('here', 'there', 'hell'))",
        "create table t as select i as id, i % 2 as a, (case when i % 3 = 0 then 'flu' else 'cold' end)::ill as x, "
        "array['flu'::ill] as y, 'here'::place as z, 'there'::place as w from generate_series(1, 40) i",
    )
    columns = {
        "id": {"role": "identifier"},
        "a": {"role": "quasi"},
        "x": {"role": "quasi"},
        "y": {"role": "keep"},
        "z": {"role": "keep"},
        "w": {"role": "quasi"},
    }
    assert run(write_job(tmp_path, postgres_url, columns)).exit_code == 0
    types = read_table(postgres_url, TARGET).types
    assert {types[name] for name in "xyzw"} == {"text"}, types


def test_a_text_column_is_published_with_the_collation_of_the_database(postgres_url: str, tmp_path: Path) -> None:
    """Readers join it with columns of their own: another collation would make that an error."""
    execute(
        postgres_url,
        "create type ill as enum ('flu', 'cold')",
        "create table t as select i as id, (case when i % 3 = 0 then 'flu' else 'cold' end)::ill as x from generate_series(1, 40) i",
    )
    columns = {"id": {"role": "identifier"}, "x": {"role": "quasi"}}
    assert run(write_job(tmp_path, postgres_url, columns)).exit_code == 0
    with psycopg.connect(postgres_url.replace("postgresql+psycopg:", "postgresql:")) as connection:
        query = f"select attcollation::regcollation::text from pg_attribute where attrelid = '{TARGET}'::regclass and attname = 'x'"
        found = connection.execute(query).fetchone()  # type: ignore[arg-type]
        assert found == ('"default"',)
