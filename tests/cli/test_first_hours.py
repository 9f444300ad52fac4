"""Small things that stopped people on their first day: the URLs they type, files without a database, and words."""

from __future__ import annotations

from pathlib import Path

import pytest

from kanon_sql.config.load import load_job
from kanon_sql.errors import NotInstalled
from kanon_sql.flows.grants import grants
from kanon_sql.model.counted import counted, listed_versions
from tests.cli.kanon import kanon
from tests.nightly.nights import fill, write_job

HEADS = ("postgres://", "postgresql://", "postgresql+psycopg2://", "postgresql+psycopg://")


@pytest.mark.parametrize("head", HEADS)
def test_the_urls_people_type(postgres_url: str, tmp_path: Path, head: str) -> None:
    fill(postgres_url, 40)
    file = write_job(tmp_path, head + postgres_url.partition("://")[2])
    assert kanon("check", file).code in (0, 1)


def test_a_plan_of_a_file_whose_database_is_not_there_yet(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text(
        "id,age,zip,pay\n" + "".join(f"{i},{20 + i % 2},800,{i % 3}\n" for i in range(20))
    )
    file = write_job(tmp_path, f"duckdb:///{tmp_path / 'later.duckdb'}")
    text = file.read_text().replace("  table: people\n", "  file: people.csv\n", 1)
    file.write_text(text)
    for command in ("plan", "check", "validate"):
        typed = kanon(command, file)
        assert typed.code in (0, 1), typed.err
    assert not (tmp_path / "later.duckdb").exists()
    assert kanon("run", file).code == 0
    assert (tmp_path / "later.duckdb").exists()


@pytest.mark.parametrize(
    "end",
    ["/hospital?user=night", "/?user=night&dbname=hospital", "/?service=ward", "night@/hospital"],
)
def test_grants_knows_who_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str) -> None:
    services = tmp_path / "services.conf"
    services.write_text("[ward]\nhost=db\nuser=night\ndbname=hospital\n")
    monkeypatch.setenv("PGSERVICEFILE", str(services))
    script = grants(load_job(write_job(tmp_path, "postgresql+psycopg://" + end)))
    assert script[0] == 'grant connect on database "hospital" to "night"'


def test_doctor_shows_its_statements(duckdb_url: str, tmp_path: Path) -> None:
    fill(duckdb_url, 40)
    typed = kanon("doctor", write_job(tmp_path, duckdb_url), "--debug")
    assert "ms] " in typed.err and "select" in typed.err


def test_a_report_says_first_what_is_missing(duckdb_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(duckdb_url, 40)
    import kanon_sql
    from kanon_sql.flows import report as flow

    def missing(module: str) -> None:
        raise NotInstalled(f"{module} is not installed")

    monkeypatch.setattr(flow, "needed", missing)
    observer = kanon_sql.Observer()
    with pytest.raises(NotInstalled):
        flow.report(load_job(write_job(tmp_path, duckdb_url)), None, tmp_path / "x.html", observer)
    assert observer.statements == []


def test_check_says_what_it_counts(duckdb_url: str, tmp_path: Path) -> None:
    fill(duckdb_url)
    file = write_job(tmp_path, duckdb_url)
    assert kanon("run", file).code == 0
    assert "persons counted" in kanon("check", file).out
    release = kanon("check", file, "--table", "release.people").out
    assert "rows counted" in release
    assert "rows, not persons: the table has no column id" in release


def test_numbers_as_people_say_them() -> None:
    assert [counted(n, "row") for n in (0, 1, 297_075)] == ["0 rows", "1 row", "297,075 rows"]
    assert counted(2, "person", "people") == "2 people"
    assert (listed_versions([1]), listed_versions([1, 2])) == ("version 1", "versions 1, 2")


def test_several_job_files_are_plural(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a.yml", "b.yml"):
        (tmp_path / name).write_text("version: 1\nsource: {}\nprivacy: {}\ncolumns: {}\n")
    monkeypatch.chdir(tmp_path)
    assert "there are 2 job files" in kanon("history").err
