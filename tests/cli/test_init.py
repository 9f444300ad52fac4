"""`kanon init`: a job file that loads and plans without an edit, and gives away no rare value."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml

from kanon_sql import load_job
from kanon_sql.backends.columns import ColumnInfo
from kanon_sql.config.load import parse_job
from kanon_sql.onboarding.draft import Request, draft_job
from kanon_sql.onboarding.job_text import job_text, key, scalar
from kanon_sql.onboarding.levels import propose_levels
from kanon_sql.onboarding.roles import guess_role, words_of
from kanon_sql.onboarding.summary import ColumnSummary
from kanon_sql.synthetic.census import census_sql
from tests.cli.commands import kanon
from tests.support import execute, make_table


def column(name: str, kind: str = "text", rows: int = 1000, distinct: int = 10, **more: object) -> ColumnSummary:
    return ColumnSummary(ColumnInfo(name, kind, kind), rows, rows, distinct, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("summary", "role"),
    [
        (column("person_id", "integer", distinct=1000), "identifier"),
        (column("PatientID", distinct=400), "identifier"),
        (column("Vorname", distinct=100), "identifier"),
        (column("e_mail", distinct=1000), "identifier"),
        (column("uid", "other", distinct=1000), "identifier"),
        (column("serial", "integer", distinct=1000), "identifier"),
        (column("id", "integer", distinct=300), "identifier"),
        (column("ID", distinct=300), "identifier"),
        (column("id", "integer", distinct=3), "quasi"),
        (column("age", "integer", distinct=70), "quasi"),
        (column("birthDate", "date", distinct=900), "quasi"),
        (column("ZIP-Code", distinct=500), "quasi"),
        (column("marital-status"), "quasi"),
        (column("seen_on", "date", distinct=900), "quasi"),
        (column("flag", "boolean", distinct=2), "quasi"),
        (column("primary_diagnosis", distinct=40), "sensitive"),
        (column("salary", "integer", distinct=100), "sensitive"),
        (column("salary", "integer", distinct=990), "quasi"),
        (column("free_text", distinct=1000), "drop"),
        (column("updated_at", "timestamptz", distinct=1000), "drop"),
        (column("payload", "ungroupable", distinct=0), "drop"),
        (column("measure7", "double", distinct=800), "quasi"),
        (column("story", distinct=900, longest=400), "drop"),
    ],
)
def test_roles(summary: ColumnSummary, role: str) -> None:
    assert guess_role(summary).role == role


def test_words_of_a_name() -> None:
    assert words_of("birthDate") == words_of("BIRTH_DATE") == words_of("birth-date") == ["birth", "date"]


@pytest.mark.parametrize(
    ("summary", "levels"),
    [
        (column("age", "integer", distinct=70, low=17, high=90), [5, 10, 20, "*"]),
        (column("hours", "integer", distinct=60, low=1, high=99), [5, 10, 20, "*"]),
        (column("income", "decimal", distinct=600, low=0, high=120000.5), [5000, 10000, 20000, "*"]),
        (column("share", "double", distinct=600, low=0, high=1), [0.05, 0.1, 0.2, "*"]),
        (column("count", "integer", distinct=3, low=0, high=2), ["*"]),
        (column("odd", "double", distinct=30, low=None, high=None), ["*"]),
        (column("zip", distinct=400, shortest=5, longest=5, digits=1000), [{"prefix": 3}, {"prefix": 1}, "*"]),
        (column("zip", "integer", distinct=400, low=1000, high=99999), [100, 1000, 10000, "*"]),
        (
            column("branch", distinct=400, shortest=8, longest=8, digits=1000),
            [{"prefix": 6}, {"prefix": 4}, {"prefix": 2}, "*"],
        ),
        (column("city", distinct=400, shortest=2, longest=20, digits=0), ["*"]),
        (column("born", "date", distinct=400, low=700000, high=730000), ["month", "year", "decade", "*"]),
        (column("seen", "timestamp", distinct=400, low=730000, high=730300), ["day", "month", "quarter", "*"]),
    ],
)
def test_levels(summary: ColumnSummary, levels: list[object]) -> None:
    assert propose_levels(summary) == levels


@pytest.mark.parametrize(
    "name", ["plain", "with space", "yes", "null", "1", 'q"uote', "a: b", "#x", "ü", "a\nb", "-", "$x", "\x85", "*"]
)
def test_names_survive_yaml(name: str) -> None:
    assert yaml.safe_load(f"{key(name)}: 1") == {name: 1}
    assert yaml.safe_load(f"a: {scalar(name)}") == {"a": name.replace("$", "$$")}


def test_census_plans_without_an_edit(engine_url: str, tmp_path: Path) -> None:
    dialect = engine_url.split(":")[0].split("+")[0]
    execute(engine_url, census_sql("people", 600, 1, dialect))
    job_file = tmp_path / "people.yml"
    typed = kanon("init", "--url", engine_url, "--table", "people", "--output", job_file, "--json")
    assert typed.exit_code == 0, typed.err
    said = json.loads(typed.out)
    roles = {name: entry["role"] for name, entry in said["columns"].items()}
    assert (roles["person_id"], roles["full_name"], roles["diagnosis"]) == ("identifier", "identifier", "sensitive")
    assert (roles["sex"], roles["birth_date"], roles["zip"], roles["age"]) == ("quasi", "quasi", "quasi", "drop")
    assert (roles["free_text"], roles["recorded_at"]) == ("drop", "drop")
    job = load_job(job_file)
    assert set(job.columns) == set(roles)
    assert job.source.person == "person_id", "releases are compared person by person"
    text = job_file.read_text()
    for line in text.splitlines():
        if line.startswith("  ") and "role: " in line and line.strip() != "role: quasi":
            assert "# guess: " in line
    planned = kanon("plan", job_file, "--json")
    assert planned.exit_code == 0, planned.err
    assert json.loads(planned.out)["k"] >= 5
    again = kanon("init", "--url", engine_url, "--table", "people", "--output", job_file)
    assert again.exit_code == 3
    assert "--force" in again.err


def test_rare_values_and_extremes_are_not_written(engine_url: str, tmp_path: Path) -> None:
    rows = [(i, 20 + i % 30, "common" if i < 90 else "frequent", 1 + i) for i in range(100)]
    rows += [(200, 77, "Rare-Smith", 98765), (201, 61, "frequent", 4)]
    make_table(engine_url, "people", ["id integer", "age integer", "city varchar(20)", "salary integer"], rows)
    job_file = tmp_path / "job.yml"
    assert kanon("init", "--url", engine_url, "--table", "people", "-o", job_file).exit_code == 0
    text = job_file.read_text().replace(engine_url, "")  # a port may be of any digits
    assert '"common", "frequent"' in text
    for word in ("Rare", "98765", "77"):
        assert word not in text


def test_persons_with_several_rows(engine_url: str, tmp_path: Path) -> None:
    """The key becomes source.person, and a value of many rows but few persons is not written."""
    rows = [(i % 40, "F" if i % 2 else "M") for i in range(200)] + [(999, "Hermit")] * 50
    make_table(engine_url, "visits", ["patient_id integer", "sex varchar(10)"], rows)
    job_file = tmp_path / "job.yml"
    assert kanon("init", "--url", engine_url, "--table", "visits", "-o", job_file).exit_code == 0
    assert load_job(job_file).source.person == "patient_id"
    assert "Hermit" not in job_file.read_text()
    assert kanon("plan", job_file).exit_code == 0


@pytest.mark.parametrize(("person", "several"), [("id", 5), ("name", 2)])
def test_a_key_whose_values_repeat_is_of_persons(duckdb_url: str, tmp_path: Path, person: str, several: int) -> None:
    """What is named id and stands in several rows, or an identifier without a row of its own: as drafted, the job runs, and counts persons."""
    rows = [(f"p{i // several}", 20 + i % 7, "FM"[i % 2]) for i in range(300)]
    make_table(duckdb_url, "visits", [f"{person} varchar(9)", "age integer", "sex varchar(1)"], rows)
    job_file = tmp_path / "job.yml"
    assert kanon("init", "--url", duckdb_url, "--table", "visits", "-o", job_file).exit_code == 0
    assert load_job(job_file).source.person == person
    ran = kanon("run", job_file, "--json")
    assert ran.exit_code == 0, ran.err


def test_strange_tables(engine_url: str, tmp_path: Path) -> None:
    binary = "blob" if engine_url.startswith("duckdb") else "bytea"
    definitions = [
        '"my ""age""" integer',
        '"yes" boolean',
        '"null" date',
        '"prix %" decimal(8,2)',
        '"größe: cm" double precision',
    ]
    definitions += [f'"bits" {binary}', '"select" varchar(5)', '"at" timestamp with time zone', '"$HOME" varchar(5)']
    rows = [
        (
            i,
            i % 2 == 0,
            f"2020-01-{1 + i % 28:02}",
            i * 1.25,
            150.5 + i,
            None,
            f"a{i % 3}",
            "2020-01-01 00:00:00+02",
            "x",
        )
        for i in range(60)
    ]
    make_table(engine_url, '"Strange T"', definitions, rows)
    execute(
        engine_url, "insert into \"Strange T\" (\"größe: cm\", \"null\") values ('NaN', 'infinity'), ('Infinity', null)"
    )
    job_file = tmp_path / "sub" / "job.yml"
    job_file.parent.mkdir()
    typed = kanon("init", "--url", engine_url, "--table", "Strange T", "-o", job_file)
    assert typed.exit_code == 0, typed.err
    job = load_job(job_file)
    assert 'my "age"' in job.columns
    assert job.columns["bits"].role == "drop"
    planned = kanon("plan", job_file)
    assert planned.exit_code == 0, planned.err


def test_wide_table(engine_url: str, tmp_path: Path) -> None:
    names = [f"column_{i}" for i in range(300)]
    make_table(engine_url, "wide", [f"{name} integer" for name in names], [[i % 3] * 300 for i in range(20)])
    job_file = tmp_path / "job.yml"
    typed = kanon("init", "--url", engine_url, "--table", "wide", "-o", job_file)
    assert typed.exit_code == 0, typed.err
    job = load_job(job_file)
    assert sorted(job.columns) == sorted(names)
    assert len(job.columns_with("quasi")) == 30


def test_files(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    lines = "".join(f"{i};{20 + i % 40};{'F' if i % 2 else 'M'}\n" for i in range(100))
    (data / "people.csv").write_text("person_id;age;sex\n" + lines)
    typed = kanon("init", "--file", data / "people.csv", cwd=tmp_path)
    assert typed.exit_code == 0, typed.err
    job = load_job(tmp_path / "people.yml")
    assert (job.source.file, job.source.url) == ("data/people.csv", None)
    assert kanon("plan", tmp_path / "people.yml").exit_code == 0


def test_standard_output_is_a_job_file(duckdb_url: str, tmp_path: Path) -> None:
    make_table(duckdb_url, "people", ["age integer"], [[i % 9] for i in range(50)])
    typed = kanon("init", "--url", duckdb_url, "--table", "people", "-o", "-", cwd=tmp_path)
    assert yaml.safe_load(typed.out)["columns"]["age"]["role"] == "quasi"
    assert list(tmp_path.glob("*.yml")) == []


def test_passwords_are_not_written(postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_table(postgres_url, "people", ["age integer"], [[i % 9] for i in range(50)])
    if "postgres@" not in postgres_url:
        pytest.skip("the server's URL does not name the user postgres without a password")
    url = postgres_url.replace("postgres@", "postgres:hunter2@")
    job_file = tmp_path / "job.yml"
    typed = kanon("init", "--url", url, "--table", "people", "-o", job_file)
    assert typed.exit_code == 0, typed.err
    assert "hunter2" not in job_file.read_text() + typed.out + typed.err
    monkeypatch.setenv("KANON_URL", url)
    assert load_job(job_file).source.url == url


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        ([], 2, "name --url and --table"),
        (["--table", "people"], 3, "--table needs --url"),
        (["--table", "t", "--file", "f.csv", "--url", "duckdb:///x.duckdb"], 3, "either"),
        (["--file", "missing.csv"], 3, "no file"),
        (["--url", "duckdb:///missing.duckdb", "--table", "t"], 4, "no database file"),
        (["--url", "mysql://x/y", "--table", "t"], 3, "no engine"),
    ],
)
def test_mistakes(arguments: list[str], code: int, says: str, tmp_path: Path) -> None:
    typed = kanon("init", *arguments, cwd=tmp_path)
    assert (typed.exit_code, says in typed.err) == (code, True), typed.err
    assert list(tmp_path.iterdir()) == []


def test_missing_and_empty_tables(engine_url: str, tmp_path: Path) -> None:
    make_table(engine_url, "nobody", ["age integer"], [])
    typed = kanon("init", "--url", engine_url, "--table", "other", cwd=tmp_path)
    assert (typed.exit_code, "no table or view other" in typed.err) == (3, True)
    typed = kanon("init", "--url", engine_url, "--table", "nobody", cwd=tmp_path)
    assert (typed.exit_code, "0 rows" in typed.err) == (6, True)


def test_proposed_rules_are_written_and_marked(engine_url: str, tmp_path: Path) -> None:
    rows = [[10 + i % 60, ("c: 1", "it's", "$c", "1")[min(i % 7, 3)]] for i in range(90)]
    make_table(engine_url, "people", ["age integer", "city varchar(9)"], rows)
    text = job_text(draft_job(Request(tmp_path / "job.yml", engine_url, "people")))
    job = parse_job(text)
    assert [rule.cut for rule in job.columns["age"].rules] == [18, 65]
    assert job.columns["city"].rules[0].apart == ("1", "$c")
    assert re.search(r"rules: +# guess", text)


def test_big_tables_are_read_in_part(engine_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kanon_sql.onboarding.summary.ROWS_READ", 50)
    make_table(engine_url, "people", ["age integer"], [[i % 40] for i in range(90)])
    draft = draft_job(Request(tmp_path / "job.yml", engine_url, "people"))
    assert "Guessed from 50 rows" in job_text(draft)
