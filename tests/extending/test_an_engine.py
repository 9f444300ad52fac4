"""An engine is its backend (elsewhere.py) and one line in `model/engines.py` (the fixture): all that a job can ask of it follows."""

from __future__ import annotations

from pathlib import Path

import pytest

import kanon_sql
from kanon_sql.errors import JobError
from kanon_sql.model.engines import ENGINES, Engine
from kanon_sql.observer import Observer
from tests.extending.people import job, people
from tests.support import fetch


@pytest.fixture
def url(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    monkeypatch.chdir(tmp_path)
    people(tmp_path)
    (tmp_path / "people.duckdb").rename("people.elsewhere")
    monkeypatch.setitem(ENGINES, "elsewhere", Engine("tests.extending.elsewhere", "elsewhere:///file", "main"))
    return "elsewhere:///people"


def test_a_release_is_searched_published_verified_and_registered(url: str) -> None:
    observer = Observer()
    asked = job(url)
    published = kanon_sql.run(asked, observer)
    assert published.verified["k"] >= 5
    assert "embedded/export_counts" in {entry.label for entry in observer.statements}
    assert fetch(url, "select count(*) from release.people") == [(published.verified["rows"],)]
    assert kanon_sql.run(asked).unchanged
    assert kanon_sql.check(asked, "release.people").k == published.verified["k"]
    assert fetch(url, "select version, state from kanon.releases") == [(1, "current")]


def test_a_view_is_known_by_the_schema_of_the_engine(url: str) -> None:
    asked = job(url)
    assert asked.publish is not None
    bare = asked.model_copy(update={"publish": asked.publish.model_copy(update={"table": "People"})})
    assert bare.name == "main.people"


def test_without_the_line_the_error_lists_what_there_is() -> None:
    with pytest.raises(JobError, match="no engine for URLs of the form elsewhere:") as refused:
        kanon_sql.plan(job("elsewhere:///people"))
    assert "duckdb:///file.duckdb" in str(refused.value.hint)
    assert "sc://host:15002" in str(refused.value.hint)
