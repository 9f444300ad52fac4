"""`kanon doctor` on Spark: a directory of Parquet files, a table of the catalog, and what is wrong with a job is said."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kanon_sql.config import Job
from kanon_sql.diagnosis.examine import examine
from tests.support import execute, job_of

GROUPS = {"CH": ["Bern", "Zug"], "FR": ["Lyon"], "DE": ["Kiel"]}


@pytest.fixture
def home(duckdb_url: str, tmp_path: Path) -> Path:
    (tmp_path / "people").mkdir()
    execute(
        duckdb_url,
        "create table people as select 18 + i % 60 as age, ['Bern', 'Zug', 'Lyon', 'Kiel'][1 + i % 4] as city, i as pid "
        "from range(300) as numbers(i)",
        f"copy people to '{tmp_path / 'people' / 'part.parquet'}' (format parquet)",
    )
    return tmp_path


def job_on(url: str, home: Path, groups: dict[str, list[str]], register: bool = True, **source: Any) -> Job:
    columns: dict[str, Any] = {
        "age": {"role": "quasi", "levels": [5, 20, "*"]},
        "city": {"role": "quasi", "groups": [groups, "*"]},
        "pid": {"role": "identifier"},
    }
    at = {"register": {"url": f"duckdb:///{home / 'register.duckdb'}"}} if register else {}
    return job_of(url, "people", columns, 4, home, source={"person": "pid"} | source, **at)


def found(job: Job) -> dict[str, tuple[str, str]]:
    """(verdict, words) of each check."""
    return {finding.check: (finding.status, f"{finding.message} {finding.hint}") for finding in examine(job).found}


def test_a_directory_of_parquet_files(spark_url: str, home: Path) -> None:
    said = found(job_on(spark_url, home, GROUPS, table=None, file="people"))
    assert {verdict for verdict, _ in said.values()} == {"ok"}
    assert "300 rows, 3 columns" in said["source"][1]
    assert "free, the source takes" in said["space"][1]
    assert "60 combinations" in said["values"][1]


def test_a_table_of_the_catalog_and_what_is_wrong(spark_url: str, home: Path) -> None:
    execute(spark_url, f"create table people as select * from parquet.`{home / 'people'}`")
    said = found(job_on(spark_url, home, GROUPS | {"DE": ["Ulm"]}, register=False))
    assert said["values"][0] == "fail"
    assert "'Kiel'" in said["values"][1]
    assert said["register"][0] == "fail"
    assert "register: {url:" in said["register"][1]
    assert "the source takes" in said["space"][1]
    assert "takes 0 bytes" not in said["space"][1]
    assert {check for check, (verdict, _) in said.items() if verdict == "fail"} == {"values", "register"}
    assert not list((home / "warehouse" / "kanon_work.db").iterdir())
