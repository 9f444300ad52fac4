"""A DBA's first day, typed as it is typed: a hospital's admissions on PostgreSQL, a role with the rights of the grants script and no others.

KANON_FIRST_DAY_ROWS makes the table larger, and the seconds of each command are printed (`-s`).
"""

from __future__ import annotations

import os
import time
from pathlib import Path

import sqlalchemy
import yaml

from tests.cli.kanon import Shown, kanon
from tests.support import execute, fetch

ROWS = int(os.environ.get("KANON_FIRST_DAY_ROWS", "3000"))
ADMISSIONS = f"""
create table hospital."Admissions" as
select
    i as "AdmissionID",
    gen_random_uuid() as token,
    i / 3 as patient,
    (array['f', 'm', 'x'])[1 + ((i / 3) % 17 / 8)::int]::hospital.sex as "Sex",
    1930 + (i / 3) * 7919 % 83 as born,
    (80000 + (i / 3) * 10007 % 977)::text as zip,
    timestamptz '2026-01-01 00:00+00' + i * 7907 % 8760 * interval '1 hour' as arrived,
    (100 + i % 9 * 50)::numeric::money as bill,
    jsonb_build_object('bed', i % 5) as notes,
    array[i % 3, i % 2] as wards,
    (array['asthma', 'flu', 'injury', 'migraine'])[1 + (i % 4)::int] as "Diagnosis"
from generate_series(0::bigint, {ROWS - 1}) i
"""


class Day:
    """The commands of a day, each with its seconds; one that ends as no command should fails the test."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.seconds: list[tuple[str, float]] = []

    def type(self, *words: object, code: int | tuple[int, ...] = 0) -> Shown:
        started = time.perf_counter()
        shown = kanon(*words, cwd=self.folder, timeout=1200)
        self.seconds.append((" ".join(map(str, words)), time.perf_counter() - started))
        expected = code if isinstance(code, tuple) else (code,)
        assert shown.code in expected, (words, shown.code, shown.out[-1500:], shown.err[-1500:])
        return shown


def test_the_first_day(postgres_url: str, tmp_path: Path) -> None:
    database = postgres_url.rpartition("/")[2]
    role, reader = f"night_{database}", f"Analyst {database}"
    own = sqlalchemy.make_url(postgres_url).set(username=role).render_as_string(hide_password=False)
    execute(
        postgres_url,
        "create schema hospital",
        "create type hospital.sex as enum ('f', 'm', 'x')",
        ADMISSIONS,
        f'create role "{role}" login',
        f'create role "{reader}" login',
        f'grant usage on schema hospital to "{role}"',
        f'grant select on hospital."Admissions" to "{role}"',
    )
    try:
        the_day(Day(tmp_path), postgres_url, own, reader)
    finally:
        execute(
            postgres_url,
            f'drop owned by "{role}", "{reader}" cascade',
            f'drop role "{role}"',
            f'drop role "{reader}"',
        )


def the_day(day: Day, admin: str, own: str, reader: str) -> None:
    job = day.folder / "admissions.yml"
    typed_url = own.replace("postgresql+psycopg://", "postgres://")
    day.type("init", "--url", typed_url, "--table", 'hospital."Admissions"', "-o", job)
    drafted = yaml.safe_load(job.read_text())
    assert set(drafted["columns"]) >= {"Sex", "born", "zip", "arrived", "bill", "notes", "wards", "Diagnosis"}
    drafted["source"]["person"] = "patient"
    drafted["privacy"] = {"k": 5, "suppression": 0.05, "accept": ["nearly_unique_columns"]}
    drafted["columns"] = {
        "AdmissionID": {"role": "identifier"},
        "token": {"role": "identifier"},
        "patient": {"role": "identifier"},
        "Sex": {"role": "quasi", "levels": ["*"]},
        "born": {"role": "quasi", "levels": [10, 20, 40, "*"]},
        "zip": {"role": "quasi", "levels": [{"prefix": 3}, {"prefix": 2}, "*"]},
        "arrived": {"role": "quasi", "levels": ["month", "year", "*"]},
        "bill": {"role": "keep"},
        "notes": {"role": "drop"},
        "wards": {"role": "drop"},
        "Diagnosis": {"role": "sensitive"},
    }
    drafted["publish"] = {"table": "release.admissions", "readers": [reader]}
    job.write_text(yaml.safe_dump(drafted, sort_keys=False))
    day.type("validate", job)
    day.type("hierarchy", job, "born")  # before any grant: it only reads the table
    assert "kanon grants" in day.type("plan", job, code=4).err
    refused = day.type("doctor", job, code=(3, 4))
    assert "grant" in refused.out or "create schema" in refused.out
    script = day.type("grants", job).out
    execute(admin, *[line.rstrip(";") for line in script.splitlines() if line and not line.startswith("--")])
    day.type("doctor", job)
    day.type("plan", job)
    day.type("run", job)
    day.type("check", job, code=1)  # the source itself is not anonymous
    assert "passes" in day.type("check", job, "--table", "release.admissions").out
    as_reader = sqlalchemy.make_url(admin).set(username=reader).render_as_string(hide_password=False)
    sizes = fetch(as_reader, 'select count(*) from release.admissions group by "Sex", born, zip, arrived')
    assert min(size for (size,) in sizes) >= 5
    # An analyst builds on the release, and no recoding to come disturbs it.
    execute(admin, f'create schema analysis authorization "{reader}"')
    execute(
        as_reader, "create view analysis.by_age as select born, count(*) as n from release.admissions group by born"
    )
    day.type("score", job)
    day.type("report", job, "-o", "page.html", "--no-frontier")
    day.type("history", job)
    day.type("status", job)
    assert "unchanged" in day.type("run", job).out
    execute(admin, 'delete from hospital."Admissions" where patient % 50 = 1')
    assert "version 2" in day.type("run", job).out
    day.type("diff", job, 1, 2)
    assert "version 3" in day.type("run", job, "--set", "columns.born.min_level=2").out
    assert fetch(as_reader, "select sum(n) from analysis.by_age") == fetch(
        as_reader, "select count(*) from release.admissions"
    )
    day.type("rollback", job)
    day.type("run", job)
    day.type("rollback", job, "--release")
    day.type("export", job, "--out", "release.csv")
    day.type("emit", job, "--out", "release.sql")
    day.type("janitor", job)
    for command, seconds in day.seconds:
        print(f"{seconds:7.1f} s  kanon {command.replace(str(day.folder) + '/', '')}")
