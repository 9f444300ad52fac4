"""`kanon export`: the release in a file, row for row, with a codebook; whole or not at all."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import duckdb
import pytest

import kanon_sql
from kanon_sql.config import Job
from kanon_sql.errors import JobError, VerificationFailed
from tests.support import execute, fetch, job_of, make_table

TABLE = ["id bigint", "age bigint", "city varchar", "seen date", "paid numeric(8, 2)", "note varchar"]
COLUMNS = {
    "id": {"role": "identifier"},
    "age": {"role": "quasi", "levels": [10, "*"]},
    "city": {"role": "quasi", "groups": [{"East": ["a", "b"], "West": ["c"]}, "*"]},
    "seen": {"role": "keep"},
    "paid": {"role": "keep"},
    "note": {"role": "sensitive"},
}


def people(url: str, base: Path) -> Job:
    rows = [
        (
            n,
            n % 20,
            None if n % 30 == 7 else "abc"[n % 3],
            f"2024-01-0{1 + n % 5}",
            n % 7 + 0.25,
            ["x,y", 'q"', "", None][n % 4],
        )
        for n in range(120)
    ]
    make_table(url, "t", TABLE, rows)
    privacy = {
        "suppression": 0.2,
        "accept": ["published_combinations", "homogeneous_classes", "recoverable_suppression"],
    }
    return job_of(url, "t", COLUMNS, 3, base, privacy=privacy, publish={"table": "rel.t"})


@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_the_file_is_the_release(engine_url: str, tmp_path: Path, ending: str) -> None:
    job = people(engine_url, tmp_path)
    run = kanon_sql.run(job)
    done = kanon_sql.export(job, tmp_path / f"release.{ending}")
    assert (done.version, done.rows, done.k) == (1, run.verified["rows"], run.verified["k"])
    with duckdb.connect() as reader:
        options = ", all_varchar = true, allow_quoted_nulls = false" if ending == "csv" else ""
        read = reader.execute(f"select * from read_{ending}('{done.file}'{options})").fetchall()
    released = fetch(engine_url, "select * from rel.t")
    assert Counter(tuple(map(str, row)) for row in read) == Counter(tuple(map(str, row)) for row in released)
    with done.codebook.open(newline="") as file:
        book = list(csv.DictReader(file))
    assert {line["column"] for line in book} == {"age", "city", "seen", "paid", "note"}
    labels = {line["label"]: int(line["rows"]) for line in book if line["column"] == "city" and line["label"]}
    assert sum(labels.values()) == done.rows
    assert not any(line["label"] for line in book if line["column"] == "note"), "sensitive values are not listed"


def test_what_cannot_be_exported_is_refused(duckdb_url: str, tmp_path: Path) -> None:
    job = people(duckdb_url, tmp_path)
    with pytest.raises(JobError, match="no release yet"):
        kanon_sql.export(job, tmp_path / "release.csv")
    kanon_sql.run(job)
    with pytest.raises(JobError, match="format"):
        kanon_sql.export(job, tmp_path / "release.xlsx")
    kanon_sql.export(job, tmp_path / "release.csv")
    with pytest.raises(JobError, match="there already"):
        kanon_sql.export(job, tmp_path / "release.csv")
    assert kanon_sql.export(job, tmp_path / "release.csv", force=True).rows > 0
    execute(duckdb_url, "delete from rel.t__v1 where age = (select min(age) from rel.t__v1) and city is not null")
    with pytest.raises(VerificationFailed):
        kanon_sql.export(job, tmp_path / "broken.csv")
    assert sorted(path.name for path in tmp_path.glob("*.csv*")) == ["release.csv", "release.csv.codebook.csv"]
