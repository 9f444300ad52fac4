"""The synthetic census: the same rows on every engine, of all types, correlated, and worth anonymizing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import sqlalchemy as sa
import yaml

from kanon_sql.synthetic import CENSUS_COLUMNS, census_sql, demo_job
from kanon_sql.synthetic.census import CHOICES, PRIME

ROWS = 5000
TYPES = {"bigint", "text", "date", "integer", "numeric", "double precision", "boolean"} | {
    "timestamp without time zone",
    "timestamp with time zone",
}


def make_census(url: str, rows: int = ROWS, seed: int = 1) -> sa.Engine:
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        connection.exec_driver_sql("set timezone to 'UTC'")
        connection.execute(sa.text(escape(census_sql('"people"', rows, seed, engine.dialect.name))))
    return engine


def escape(statement: str) -> str:
    """Colons in SQL's own casts and times are not parameters."""
    return statement.replace(":", "\\:")


def read(engine: sa.Engine, statement: str) -> list[tuple[Any, ...]]:
    with engine.connect() as connection:
        return [tuple(row) for row in connection.execute(sa.text(statement))]


@pytest.fixture(scope="module")
def census(module_duckdb_url: str) -> Iterator[sa.Engine]:
    engine = make_census(module_duckdb_url, rows=50_000)
    yield engine
    engine.dispose()


def test_both_engines_make_the_same_rows(duckdb_url: str, postgres_url: str) -> None:
    columns = ", ".join(column for column in CENSUS_COLUMNS if column != "recorded_at")
    statement = f"select {columns}, extract(epoch from recorded_at) from people order by person_id"
    duckdb, postgres = make_census(duckdb_url), make_census(postgres_url)
    on_duckdb, on_postgres = read(duckdb, statement), read(postgres, statement)
    duckdb.dispose()
    postgres.dispose()
    assert len(on_duckdb) == ROWS
    assert on_duckdb == on_postgres


def test_the_seed_decides(duckdb_url: str) -> None:
    statement = "select sum(person_id), count(distinct birth_date) from people"
    first = read(make_census(duckdb_url, rows=500, seed=1), statement)
    assert read(make_census("duckdb:///:memory:", rows=500, seed=1), statement) == first
    assert read(make_census("duckdb:///:memory:", rows=500, seed=2), statement) != first


def test_it_has_columns_of_all_types(postgres_url: str) -> None:
    engine = make_census(postgres_url, rows=100)
    found = read(
        engine,
        "select column_name, data_type from information_schema.columns "
        "where table_name = 'people' order by ordinal_position",
    )
    engine.dispose()
    assert tuple(name for name, _ in found) == CENSUS_COLUMNS
    assert {kind for _, kind in found} == TYPES


def test_people_are_unique_and_some_values_missing(census: sa.Engine) -> None:
    [(rows, people, zips, education, income, hours)] = read(
        census,
        "select count(*), count(distinct person_id), count(*) - count(zip), count(*) - count(education), "
        "count(*) - count(income), count(*) - count(hours_per_week) from people",
    )
    assert rows == people == 50_000
    assert min(zips, education, income, hours) > 0
    assert max(zips, education) < 100


def test_age_is_the_age_reached_in_the_census_year(census: sa.Engine) -> None:
    [(low, high, wrong)] = read(
        census,
        "select min(age), max(age), count(*) filter (where age + extract(year from birth_date) <> 2025) from people",
    )
    assert (low, high, wrong) == (16, 89, 0)


def test_columns_are_correlated(census: sa.Engine) -> None:
    [(widowed, others)] = read(
        census,
        "select avg(age) filter (where marital_status = 'Widowed'), avg(age) filter (where marital_status <> 'Widowed')"
        " from people",
    )
    assert widowed > others + 15
    [(graduates, school)] = read(
        census,
        "select avg(income) filter (where education = 'Masters'), avg(income) filter (where education = 'HS-grad')"
        " from people",
    )
    assert graduates > school * 1.2


def test_unrelated_choices_are_independent(census: sa.Engine) -> None:
    """The hash shows no pattern: sex says nothing about the region (chi-square with 8 degrees of freedom)."""
    [(chi_square,)] = read(
        census,
        "with cells as (select sex, left(zip, 3) as region, count(*) as n from people where zip is not null"
        " group by sex, region), expected as (select n, sum(n) over (partition by sex) * sum(n) over"
        " (partition by region) / sum(n) over () as e from cells) select sum((n - e) * (n - e) / e) from expected",
    )
    assert chi_square < 30


def test_hashes_cannot_overflow() -> None:
    largest = PRIME - 1
    assert largest * largest < 2**63
    assert largest * (PRIME - 1) + (PRIME - 1) < 2**63
    assert PRIME % 3 == 2
    assert len(set(CHOICES)) == len(CHOICES)


@pytest.mark.parametrize("rows", [0, -1, PRIME])
def test_an_impossible_number_of_rows_is_refused(rows: int) -> None:
    with pytest.raises(ValueError, match="rows"):
        census_sql('"people"', rows, 1, "duckdb")


def test_an_unknown_dialect_is_refused() -> None:
    with pytest.raises(ValueError, match="'oracle'"):
        census_sql('"people"', 10, 1, "oracle")


def test_the_job_names_every_column() -> None:
    job = yaml.safe_load(demo_job())
    assert set(job["columns"]) == set(CENSUS_COLUMNS)
    assert {column["role"] for column in job["columns"].values()} == {
        "identifier",
        "quasi",
        "sensitive",
        "keep",
        "drop",
    }


def test_the_jobs_groups_cover_every_value(census: sa.Engine) -> None:
    for name, column in yaml.safe_load(demo_job())["columns"].items():
        for level in column.get("groups", []):
            if level == "*":
                continue
            grouped = [value for values in level.values() for value in values]
            stored = {
                value for (value,) in read(census, f"select distinct {name} from people where {name} is not null")
            }
            assert len(set(grouped)) == len(grouped)
            assert stored == set(grouped)


def test_the_job_has_a_useful_solution(census: sa.Engine) -> None:
    """With its own k and budget a node without any `*` passes, and the source itself does not."""
    levels = (
        "sex, date_trunc('decade', birth_date), left(zip, 1),"
        " case when race in ('White', 'Black') then race else 'Other' end, marital_status = 'Married',"
        " case when education in ('9th', '10th', '11th', '12th', 'HS-grad') then 1"
        " when education is not null then 2 end,"
        " hours_per_week // 40"
    )
    values = "sex, birth_date, zip, race, marital_status, education, hours_per_week"
    below = (
        "select coalesce(sum(n) filter (where n < 5), 0) from (select count(*) as n from people group by {}) as classes"
    )
    assert read(census, below.format(levels))[0][0] <= 1000
    assert read(census, below.format(values))[0][0] > 45_000
