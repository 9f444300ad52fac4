"""Views that people built on a release follow it when a column's type changes, or the run says who must act."""

from __future__ import annotations

from pathlib import Path

import pytest

import kanon_sql
from kanon_sql.config.load import load_job
from kanon_sql.errors import JobError
from tests.nightly.nights import fill, write_job
from tests.support import execute, fetch

TEXT = {"columns": {"age": {"role": "quasi", "levels": [5, 10, "*"], "min_level": 1}}}
NUMBER = {"columns": {"age": {"role": "quasi", "levels": [5, 10, "*"], "max_level": 0}}}


def run_with(tmp_path: Path, url: str, changes: dict[str, dict[str, object]]) -> kanon_sql.RunResult:
    return kanon_sql.run(load_job(write_job(tmp_path, url, publish={"guard": "never"}, **changes)))


def test_views_on_a_release_follow_it(engine_url: str, tmp_path: Path) -> None:
    fill(engine_url)
    run_with(tmp_path, engine_url, NUMBER)
    execute(
        engine_url,
        "create view by_age as select age, count(*) as n from release.people group by age",
        'create view "Of Ages" as select max(n) as most from by_age',
    )
    if engine_url.startswith("postgres"):
        execute(engine_url, "comment on view by_age is 'for the ward'", "grant select on by_age to public")
    assert run_with(tmp_path, engine_url, TEXT).version == 2
    assert all("-" in str(age) for (age,) in fetch(engine_url, "select age from by_age"))
    assert fetch(engine_url, 'select most from "Of Ages"')[0][0] > 0
    if engine_url.startswith("postgres"):
        assert fetch(engine_url, "select obj_description('by_age'::regclass)") == [("for the ward",)]
        assert fetch(engine_url, "select has_table_privilege('public', 'by_age', 'select')") == [(True,)]


def test_what_cannot_follow_is_said_before_and_stops_the_release(postgres_url: str, tmp_path: Path) -> None:
    fill(postgres_url)
    run_with(tmp_path, postgres_url, NUMBER)
    execute(postgres_url, "create materialized view kept_ages as select age from release.people")
    job = load_job(write_job(tmp_path, postgres_url, publish={"guard": "never"}, **TEXT))
    looked = [(found.status, found.message) for found in kanon_sql.doctor(job).found if found.check == "dependents"]
    assert looked == [
        (
            "fail",
            "1 view (public.kept_ages) depends on people and cannot be made anew by this user, but column age of people "
            "changes with this release: a run will stop",
        )
    ]
    steps: list[str] = []
    with pytest.raises(JobError, match=r"column age of people changes .* and 1 view \(public.kept_ages\)") as stopped:
        kanon_sql.run(job, kanon_sql.Observer(step=steps.append))
    assert "publish.types: {age: stored}" in str(stopped.value.hint)
    assert not any("search" in step for step in steps)
    assert fetch(postgres_url, "select count(*) from release.people") == fetch(
        postgres_url, "select count(*) from kept_ages"
    )


def test_a_view_that_does_not_fit_stops_the_release(postgres_url: str, tmp_path: Path) -> None:
    fill(postgres_url)
    run_with(tmp_path, postgres_url, NUMBER)
    execute(postgres_url, "create view oldest as select avg(age) as mean from release.people")
    with pytest.raises(JobError, match="a view on it does not fit them"):
        run_with(tmp_path, postgres_url, TEXT)
    assert fetch(postgres_url, "select mean > 0 from oldest") == [(True,)]
