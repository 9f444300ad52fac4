"""Bad input gets a clear error that names the thing and the next step, on every engine, and nothing is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

import kanon_sql
from kanon_sql.errors import ColumnError, ConnectionFailed, HierarchyError, JobError, NoSolution
from tests.support import execute, job_of, make_table

ROWS = [(age, "m" if age % 2 else "f", 60) for age in range(20, 30) for _ in range(3)]
COLUMNS = {"age": {"role": "quasi", "levels": [5, "*"]}, "sex": {"role": "quasi"}, "pay": {"role": "keep"}}


@pytest.fixture
def people(engine_url: str) -> str:
    make_table(engine_url, "people", ["age integer", "sex varchar(10)", "pay integer"], ROWS)
    return engine_url


def test_a_missing_column_is_named_with_the_nearest(people: str) -> None:
    job = job_of(people, "people", COLUMNS | {"agee": {"role": "drop"}})
    with pytest.raises(ColumnError, match=r"columns\.agee: people has no such column") as error:
        kanon_sql.plan(job)
    assert error.value.hint == "did you mean age?"


def test_a_column_the_job_does_not_name_is_an_error(people: str) -> None:
    job = job_of(people, "people", {name: COLUMNS[name] for name in ("age", "sex")})
    with pytest.raises(ColumnError, match="columns the job does not name: pay"):
        kanon_sql.plan(job)


def test_a_missing_table_is_named(people: str) -> None:
    with pytest.raises(ColumnError, match="no table or view persons"):
        kanon_sql.plan(job_of(people, "persons", COLUMNS))


def test_a_hierarchy_that_misses_values_says_how_many(people: str, tmp_path: Path) -> None:
    (tmp_path / "sex.csv").write_text("m;person;*\n")
    job = job_of(people, "people", COLUMNS | {"sex": {"role": "quasi", "hierarchy": "sex.csv"}}, base=tmp_path)
    with pytest.raises(HierarchyError, match=r"columns\.sex: its hierarchy misses 1 value of the table"):
        kanon_sql.plan(job)


def test_levels_that_do_not_nest_say_where(people: str) -> None:
    job = job_of(
        people, "people", COLUMNS | {"age": {"role": "quasi", "levels": [{"cuts": [24]}, {"cuts": [26]}, "*"]}}
    )
    with pytest.raises(HierarchyError, match=r"columns\.age: \d+ labels? ha(s|ve) more than one label one level up"):
        kanon_sql.plan(job)


@pytest.mark.parametrize("levels", [[4, 6, "*"], [10, 5, "*"]])
def test_widths_that_are_not_multiples_are_refused(people: str, levels: list[object]) -> None:
    job = job_of(people, "people", COLUMNS | {"age": {"role": "quasi", "levels": levels}})
    with pytest.raises(HierarchyError, match=r"columns\.age\.levels: .* does not nest"):
        kanon_sql.plan(job)


def test_weeks_do_not_nest_in_months(engine_url: str) -> None:
    execute(engine_url, "create table days (d date)")
    execute(engine_url, "insert into days values ('2024-01-31'), ('2024-02-01'), ('2024-02-02')")
    job = job_of(engine_url, "days", {"d": {"role": "quasi", "type": "date", "levels": ["week", "month", "*"]}})
    with pytest.raises(HierarchyError, match="does not nest"):
        kanon_sql.plan(job)


def test_k_above_the_number_of_rows_has_no_solution(people: str) -> None:
    with pytest.raises(NoSolution, match="30 rows, fewer than k = 31"):
        kanon_sql.plan(job_of(people, "people", COLUMNS, k=31))


def test_an_empty_table_has_no_solution(engine_url: str) -> None:
    execute(engine_url, "create table nobody (age integer)")
    with pytest.raises(NoSolution, match="empty"):
        kanon_sql.plan(job_of(engine_url, "nobody", {"age": {"role": "quasi"}}))


def test_a_level_beyond_max_level_is_never_used(people: str) -> None:
    job = job_of(people, "people", COLUMNS | {"age": {"role": "quasi", "levels": [5, "*"], "max_level": 0}}, k=4)
    with pytest.raises(NoSolution):
        kanon_sql.plan(job)


def test_a_person_key_that_may_spell_one_person_in_two_ways_is_refused(engine_url: str) -> None:
    execute(engine_url, "create table docs (body json, age integer)")
    execute(engine_url, "insert into docs values ('{}', 1), ('{}', 1)")
    columns = {"body": {"role": "identifier"}, "age": {"role": "quasi"}}
    with pytest.raises(
        ColumnError, match=r"source\.person: body is of type \w+, which may spell one person in two ways"
    ):
        kanon_sql.plan(job_of(engine_url, "docs", columns, source={"person": "body"}))


def test_widths_of_text_are_refused(people: str) -> None:
    job = job_of(people, "people", COLUMNS | {"sex": {"role": "quasi", "levels": [5, "*"]}})
    with pytest.raises(ColumnError, match=r"columns\.sex\.levels: widths and cuts need a number"):
        kanon_sql.plan(job)


def test_a_publish_target_that_is_a_table_is_refused(people: str) -> None:
    execute(people, "create table somebodys_data as select * from people")
    job = job_of(people, "people", COLUMNS, publish={"table": "somebodys_data"})
    with pytest.raises(JobError, match="somebodys_data is a table"):
        kanon_sql.run(job)


def test_a_wrong_password_is_not_echoed(postgres_url: str) -> None:
    from sqlalchemy import make_url

    wrong = (
        make_url(postgres_url).set(username="nobody_here", password="s3cret-word").render_as_string(hide_password=False)
    )
    with pytest.raises(ConnectionFailed) as error:
        kanon_sql.plan(job_of(wrong, "people", COLUMNS))
    assert "s3cret-word" not in error.value.message + error.value.hint
    assert "cannot connect" in error.value.message


def test_a_missing_database_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConnectionFailed, match=r"no database file .*nothing\.duckdb"):
        kanon_sql.plan(job_of("duckdb:///nothing.duckdb", "people", COLUMNS, base=tmp_path))


def test_a_user_without_permission_is_told_which_step(postgres_url: str) -> None:
    from sqlalchemy import make_url

    from kanon_sql.errors import PermissionDenied

    make_table(postgres_url, "people", ["age integer", "sex varchar(10)", "pay integer"], ROWS)
    execute(postgres_url, "create schema kanon_work", "drop role if exists reader_only")
    execute(postgres_url, "create role reader_only login", "grant select on people to reader_only")
    limited = make_url(postgres_url).set(username="reader_only").render_as_string(hide_password=False)
    try:
        with pytest.raises(PermissionDenied, match=r"denies step .*permission denied for schema kanon_work"):
            kanon_sql.plan(job_of(limited, "people", COLUMNS))
    finally:
        execute(postgres_url, "drop owned by reader_only", "drop role reader_only")
