"""The benchmarks' generators: seeded, of the promised shape, and covered by the job files they write."""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path
from typing import Any

import duckdb
import psycopg
import pytest
import yaml

from bench import adult_like
from bench.generate import TABLES, generate, load_postgres, main

ROWS = 20_000


def ask(database: Path, statement: str) -> list[tuple[Any, ...]]:
    with duckdb.connect(str(database), read_only=True) as connection:
        return connection.execute(statement).fetchall()


def heights(job: dict[str, Any], directory: Path) -> dict[str, int]:
    """Levels above the value, for each quasi-identifier."""
    found = {}
    for name, column in job["columns"].items():
        if "hierarchy" in column:
            found[name] = (directory / column["hierarchy"]).read_text().splitlines()[0].count(";")
        else:
            found[name] = len(column.get("levels") or column.get("groups"))
    return found


@pytest.mark.parametrize("kind", sorted(TABLES))
def test_the_same_seed_makes_the_same_table(kind: str, tmp_path: Path) -> None:
    contents = f"select count(*), sum(hash(t)::hugeint % 1000003) from {TABLES[kind].name} as t"
    made = []
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        generate(kind, tmp_path / f"{name}.duckdb", rows=2000, seed=seed)
        made.append(ask(tmp_path / f"{name}.duckdb", contents))
    assert made[0][0][0] == 2000
    assert made[0] == made[1]
    assert made[0] != made[2]


@pytest.mark.parametrize("kind", sorted(TABLES))
@pytest.mark.parametrize("suffix", [".parquet", ".csv"])
def test_files_hold_the_columns_of_the_job(kind: str, suffix: str, tmp_path: Path) -> None:
    target = tmp_path / f"table{suffix}"
    job = yaml.safe_load(generate(kind, target, rows=500).read_text())
    with duckdb.connect() as connection:
        relation = connection.execute(f"from '{target}'")
        names = [column[0] for column in relation.description]
        assert len(relation.fetchall()) == 500
    assert names == list(job["columns"])
    assert job["source"] == {"file": target.name}


@pytest.mark.parametrize("kind", sorted(TABLES))
def test_groups_nest_and_cover_every_value(kind: str, tmp_path: Path) -> None:
    database = tmp_path / "table.duckdb"
    job = yaml.safe_load(generate(kind, database, rows=ROWS).read_text())
    for name, column in job["columns"].items():
        stored = {
            value
            for (value,) in ask(
                database, f'select distinct "{name}" from {TABLES[kind].name} where "{name}" is not null'
            )
        }
        if "hierarchy" in column:
            rows = [line.split(";") for line in (tmp_path / column["hierarchy"]).read_text().splitlines()]
            levels = [{row[0]: row[level] for row in rows} for level in range(len(rows[0]))]
        else:
            groups = [level for level in column.get("groups", []) if level != "*"]
            levels = [{value: label for label, values in level.items() for value in values} for level in groups]
        for level in levels:
            assert stored <= set(level), name
        for finer, coarser in pairwise(levels):
            assert len({(finer[value], coarser[value]) for value in finer}) == len(set(finer.values())), name


def test_adult_like_has_the_shape_of_adult(tmp_path: Path) -> None:
    database = tmp_path / "adult.duckdb"
    path = generate("adult-like", database)
    job = yaml.safe_load(path.read_text())
    assert math.prod(height + 1 for height in heights(job, tmp_path).values()) == 12_960
    domains = ask(
        database, "select " + ", ".join(f'count(distinct "{name}")' for name in job["columns"]) + " from adult_like"
    )[0]
    assert dict(zip(job["columns"], domains, strict=True)) == {
        "sex": 2,
        "age": 73,
        "race": 5,
        "marital-status": 7,
        "education": 16,
        "native-country": 41,
        "workclass": 7,
        "occupation": 14,
        "salary-class": 2,
    }
    [(rows, combinations)] = ask(
        database, "select (select count(*) from adult_like), (select count(*) from (select distinct * from adult_like))"
    )
    assert rows == 30_162
    # Adult itself has 19,502 combinations.
    assert 15_000 < combinations < 23_000


def test_adult_like_resamples_a_file(tmp_path: Path) -> None:
    file, database = tmp_path / "people.csv", tmp_path / "adult.duckdb"
    with duckdb.connect() as connection:
        for statement in adult_like.statements(5_000, seed=7):
            connection.execute(statement)
        connection.execute(f"copy adult_like to '{file}' (header, delimiter ';')")
    generate("adult-like", database, rows=ROWS, resample=file)
    [(known,)] = ask(
        database,
        f"select count(*) from adult_like semi join read_csv('{file}', delim = ';',"
        ' header = true) as adult using (sex, age, race, "marital-status", education, "native-country", workclass,'
        ' occupation, "salary-class")',
    )
    # Of nine cells, each is replaced with a chance of 5%; a replacement is often equal to what it replaces.
    assert 0.95**9 < known / ROWS < 0.98


def test_death_certificates_have_36_attributes_of_one_to_six_levels(tmp_path: Path) -> None:
    database = tmp_path / "death.duckdb"
    job = yaml.safe_load(generate("death-certificates", database, rows=ROWS, k=3, suppression=0.01).read_text())
    found = heights(job, tmp_path)
    assert len(found) == 36
    assert set(found.values()) == {1, 2, 3, 4, 5, 6}
    assert job["privacy"] == {"k": 3, "suppression": 0.01}
    # Outliers: values that occur once in twenty thousand rows, in attributes that have a most frequent one.
    [(once,)] = ask(
        database,
        "select count(*) from (select count(*) as n from death_certificates group by city_of_birth) where n = 1",
    )
    assert once > 100
    assert TABLES["death-certificates"].rows == 216_000


def test_a_job_of_some_attributes_drops_the_others(tmp_path: Path) -> None:
    path = generate("death-certificates", tmp_path / "r03.duckdb", rows=100, attributes=["race", "sex", "zipcode"])
    roles = [column["role"] for column in yaml.safe_load(path.read_text())["columns"].values()]
    assert (roles.count("quasi"), roles.count("drop")) == (3, 33)
    with pytest.raises(ValueError, match="colour"):
        generate("death-certificates", tmp_path / "r01.duckdb", rows=100, attributes=["colour"])


@pytest.mark.parametrize("kind", sorted(TABLES))
def test_postgres_receives_the_same_rows(kind: str, postgres_url: str, tmp_path: Path) -> None:
    name = TABLES[kind].name
    generate(kind, tmp_path / "table.duckdb", rows=1000)
    job = load_postgres(kind, postgres_url, tmp_path / "table.job.yml", rows=1000)
    here = ask(tmp_path / "table.duckdb", f"from {name}")
    with psycopg.connect(postgres_url.replace("+psycopg", "")) as server:
        there = server.execute(f"select * from {name}").fetchall()  # type: ignore[arg-type]
    assert sorted(map(repr, here)) == sorted(map(repr, there))
    assert yaml.safe_load(job.read_text())["source"] == {"url": "${KANON_URL}", "table": name}
    assert not list(tmp_path.glob("*.copy.csv"))


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "adult.parquet"
    assert main(["adult-like", "--to", str(target), "--rows", "10"]) == 0
    assert capsys.readouterr().out.strip() == str(tmp_path / "adult.job.yml")
    with pytest.raises(SystemExit):
        main(["adult-like"])
    with pytest.raises(ValueError, match=r"\.duckdb"):
        generate("adult-like", tmp_path / "adult.xlsx")
