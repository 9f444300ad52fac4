"""Published columns have one type whatever their level, so what people build on a release outlives a change of the recoding."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import kanon_sql
from kanon_sql.config.load import load_job
from kanon_sql.errors import JobError
from tests.nightly.nights import fill, write_job
from tests.support import execute, fetch, job_of, make_table

AGES = {"role": "quasi", "levels": [5, 10, "*"]}
AT_0, AT_1 = AGES | {"max_level": 1}, AGES | {"min_level": 1}


def run_with(tmp_path: Path, url: str, age: dict[str, Any], **publish: Any) -> kanon_sql.RunResult:
    job = write_job(tmp_path, url, publish={"guard": "never"} | publish, columns={"age": age})
    return kanon_sql.run(load_job(job))


def types_of(url: str) -> dict[str, str]:
    rows = fetch(
        url,
        "select column_name, data_type from information_schema.columns where table_schema = 'release' and table_name = 'people'",
    )
    return {
        str(name): {"character varying": "text", "varchar": "text"}.get(str(kind).lower(), str(kind).lower())
        for name, kind in rows
    }


def test_a_change_of_level_changes_no_type_and_disturbs_no_view(engine_url: str, tmp_path: Path) -> None:
    fill(engine_url)
    assert run_with(tmp_path, engine_url, AT_0).plan.node == {"age": 0, "zip": 0}
    before = types_of(engine_url)
    assert before == {"age": "text", "zip": "text", "pay": "integer"}
    execute(engine_url, "create view by_age as select age, count(*) as n from release.people group by age")
    stands = "select 'by_age'::regclass::oid::bigint" if engine_url.startswith("postgres") else "select 1"
    if engine_url.startswith("postgres"):  # nobody could make it anew, and nobody has to
        execute(engine_url, "create materialized view kept_ages as select age from release.people")
    was = fetch(engine_url, stands)
    assert fetch(engine_url, "select min(age), max(age) from by_age") == [("20", "23")]
    second = run_with(tmp_path, engine_url, AT_1)
    assert (second.version, second.plan.node) == (2, {"age": 1, "zip": 0})
    assert types_of(engine_url) == before
    assert fetch(engine_url, stands) == was
    assert fetch(engine_url, "select age, n from by_age") == [("20-24", 240)]


def test_what_stands_at_level_0_alone_keeps_its_type(engine_url: str, tmp_path: Path) -> None:
    fill(engine_url)
    run_with(tmp_path, engine_url, AGES | {"max_level": 0})
    assert types_of(engine_url)["age"] == "integer"
    assert fetch(engine_url, "select max(age) + 1 from release.people") == [(24,)]


def test_a_job_may_keep_the_types_that_went_with_the_level(engine_url: str, tmp_path: Path) -> None:
    """What releases did before: a number at level 0, text above. Without it the next run publishes text, unchanged source or not."""
    fill(engine_url)
    run_with(tmp_path, engine_url, AT_0, types={"age": "stored"})
    assert types_of(engine_url)["age"] == "integer"
    assert run_with(tmp_path, engine_url, AT_0, types={"age": "stored"}).unchanged
    notes: list[str] = []
    job = load_job(write_job(tmp_path, engine_url, publish={"guard": "never"}, columns={"age": AT_0}))
    again = kanon_sql.run(job, kanon_sql.Observer(note=notes.append))
    assert (again.version, again.unchanged) == (2, False)
    assert "column age of people will have another type or place than in the current release" in notes
    assert types_of(engine_url)["age"] == "text"
    assert kanon_sql.run(job).unchanged
    # Releases of either kind are read by what looks at releases.
    for version in (1, 2):
        release = f"release.people__v{version}"
        assert kanon_sql.check(job, release).passes
        assert kanon_sql.score(job, release).measures["k"] >= 4
        assert kanon_sql.attack(job, release).passes


@pytest.fixture(scope="module")
def births(module_engine_url: str) -> str:
    make_table(
        module_engine_url,
        "births",
        ["weight integer", "born date", "ward varchar(5)"],
        [(None if i % 12 == 0 else i % 6, f"20{10 + i % 4}-0{1 + i % 3}-11", f"w{i % 2}") for i in range(240)],
    )
    return module_engine_url


TYPED: dict[str, Any] = {
    "weight": {"role": "quasi", "groups": [{"10": [0, 1, 2], "20": [3, 4, 5]}, "*"], "max_level": 1},
    "born": {"role": "quasi", "levels": ["day", "month", "year", "*"], "max_level": 1},
    "ward": {"role": "quasi"},
}


def typed(url: str, tmp_path: Path, types: dict[str, str], **changes: Any) -> kanon_sql.Job:
    columns = {name: column | changes.get(name, {}) for name, column in TYPED.items()}
    publish = {"table": "release.births", "types": types, "guard": "never"}
    return job_of(url, "births", columns, base=tmp_path, publish=publish)


@pytest.mark.parametrize("level", [0, 1])
def test_declared_types_hold_at_every_level(births: str, tmp_path: Path, level: int) -> None:
    job = typed(births, tmp_path, {"weight": "integer", "born": "date"})
    assert kanon_sql.run(job, at=(level, level, 0)).verified["rows"] == 240
    kinds = (
        "select pg_typeof(weight)::text, pg_typeof(born)::text"
        if births.startswith("postgres")
        else "select typeof(weight), typeof(born)"
    )
    ((weight, born),) = fetch(births, f"{kinds} from release.births limit 1")
    assert (weight.lower(), born.lower()) == ("bigint", "date")
    assert fetch(births, "select max(weight) from release.births") == [(20 if level else 5,)]
    emitted = kanon_sql.emit(job).sql
    got = fetch(births, f"select * from ({emitted}) as emitted")
    assert sorted(map(str, got)) == sorted(map(str, fetch(births, "select * from release.births")))
    assert kanon_sql.check(job, "release.births").passes
    assert kanon_sql.attack(job, "release.births").passes
    assert kanon_sql.score(job, "release.births").attributes["weight"]["level"] == level


@pytest.mark.parametrize(
    ("types", "changes", "said"),
    [
        ({"weight": "integer"}, {"weight": {"max_level": 2}}, r"weight: level 2 \(withheld \(\*\)\) does not give"),
        (
            {"born": "date"},
            {"born": {"max_level": 2}},
            r"born: level 2 \(the month\) does not give every value as date",
        ),
        ({"born": "integer"}, {}, r"born: level 0 \(as stored\)"),
        ({"ward": "double"}, {}, r"ward: level 0"),
        ({"sex": "text"}, {}, "the job has no such column"),
    ],
)
def test_a_type_that_a_level_does_not_give_is_refused(
    births: str, tmp_path: Path, types: dict[str, str], changes: dict[str, Any], said: str
) -> None:
    with pytest.raises(JobError, match=rf"publish.types.{said}|publish.types.\w+: {said}"):
        kanon_sql.plan(typed(births, tmp_path, types, **changes))


def test_groups_are_text_and_levels_are_checked_without_a_database(tmp_path: Path) -> None:
    url = "duckdb:///nowhere.duckdb"
    with pytest.raises(JobError, match="groups of rows are published as text"):
        job = typed(url, tmp_path, {"weight": "integer"})
        kanon_sql.validate(job.with_algorithm("mondrian"))
    with pytest.raises(JobError, match=r"publish.types.born: level 2"):
        kanon_sql.validate(typed(url, tmp_path, {"born": "date"}, born={"max_level": 2}))
    kanon_sql.validate(typed(url, tmp_path, {"born": "date"}))
