"""Whole jobs: the same release on every engine and every time, persons counted, failures closed, nothing left behind."""

from __future__ import annotations

from collections import Counter
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest

import kanon_sql
from kanon_sql.config import load_job
from kanon_sql.errors import VerificationFailed
from kanon_sql.flows import run as flow
from kanon_sql.observer import Observer
from kanon_sql.release import recoding
from kanon_sql.release.recoding import Chosen, GlobalRecoding
from kanon_sql.synthetic.census import census_sql
from kanon_sql.synthetic.job import demo_job
from tests.support import class_sizes, execute, fetch, job_of, make_table


def dialect_of(url: str) -> str:
    return url.split(":", 1)[0].split("+")[0]


def census_job(url: str, directory: Path, rows: int = 3000) -> Any:
    """The demonstration's job on an engine."""
    execute(url, census_sql("people", rows, 7, dialect_of(url)))
    file = directory / f"{dialect_of(url)}.yml"
    file.write_text(demo_job().replace("duckdb:///census.duckdb", url), encoding="utf-8")
    return load_job(file, ["search.algorithm=global"])


def test_the_same_job_gives_the_same_release_on_both_engines_and_twice(
    duckdb_url: str, postgres_url: str, tmp_path: Path
) -> None:
    releases = []
    plans = []
    for url in (duckdb_url, postgres_url):
        job = census_job(url, tmp_path)
        for _ in range(2):
            result = kanon_sql.run(job)
            plans.append(
                (result.plan.node, result.plan.k, result.plan.suppressed, result.plan.classes, result.verified)
            )
            # In the order in which the engine stored them: what is published decides on it.
            releases.append([tuple(map(str, row)) for row in fetch(url, "select * from release.people")])
    assert plans[0] == plans[1] == plans[2] == plans[3]
    assert releases[0] == releases[1]
    assert releases[2] == releases[3]
    assert Counter(releases[0]) == Counter(releases[2])


def test_identifiers_and_dropped_columns_are_gone_and_suppressed_rows_out(engine_url: str, tmp_path: Path) -> None:
    job = census_job(engine_url, tmp_path)
    result = kanon_sql.run(job)
    assert result.plan.suppressed > 0
    published = [name for name, column in job.columns.items() if column.role in ("quasi", "sensitive", "keep")]
    from kanon_sql.backends.connect import open_backend

    backend = open_backend(engine_url, tmp_path, read_only=True)
    try:
        described = [column.name for column in backend.describe(backend.relation("release.people"))]
    finally:
        backend.close()
    assert sorted(described) == sorted(published)
    quasi = ", ".join(job.columns_with("quasi"))
    sizes = class_sizes(fetch(engine_url, f"select {quasi} from release.people"))
    assert min(sizes.values()) >= job.privacy.k
    assert sum(sizes.values()) == 3000 - result.plan.suppressed
    assert result.plan.suppressed <= int(0.02 * 3000)


def test_rows_do_not_come_in_the_order_of_the_source(engine_url: str) -> None:
    people = [(i, 9 - i % 10, i % 7) for i in range(70)]
    columns = {"id": {"role": "identifier"}, "age": {"role": "quasi"}, "pay": {"role": "keep"}}
    stored = []
    for name, source in (
        ("people", people),
        ("backwards", people[::-1]),
        ("by_pay", sorted(people, key=itemgetter(2))),
    ):
        make_table(engine_url, name, ["id integer", "age integer", "pay integer"], source)
        kanon_sql.run(job_of(engine_url, name, columns, k=5, publish={"table": f"release.{name}"}))
        stored.append(fetch(engine_url, f"select age, pay from release.{name}"))
        assert stored[-1] != [row[1:] for row in source]
    assert stored[0] == stored[1] == stored[2]


def test_rows_that_repeat_are_written_from_counts_and_are_the_same_release(
    engine_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = [(i, i % 4 or None, "abc"[i % 3] if i % 7 else None) for i in range(6000)] + [(6000, 77, "x")]
    columns = {"id": {"role": "identifier"}, "age": {"role": "quasi"}, "ill": {"role": "sensitive"}}
    stored, counted = [], []
    for name, source, repeated in (("people", people, 8), ("backwards", people[::-1], 8), ("others", people, 10**9)):
        monkeypatch.setattr(recoding, "REPEATED", repeated)
        make_table(engine_url, name, ["id integer", "age integer", "ill varchar"], source)
        job = job_of(engine_url, name, columns, privacy={"suppression": 0.1}, publish={"table": f"release.{name}"})
        observer = Observer()
        kanon_sql.run(job, observer)
        counted.append(['_place"' in entry.sql for entry in observer.statements if entry.label == "release/stage"])
        assert kanon_sql.run(job).unchanged  # the digest of its counts is the one of its rows
        stored.append(fetch(engine_url, f"select * from release.{name}"))
    assert counted == [[True], [True], [False]]
    assert stored[0] == stored[1]  # in the order in which they are stored: that of the source leaves no trace
    assert len(stored[0]) == 6000
    assert Counter(stored[0]) == Counter(stored[2])


def test_values_that_are_equal_and_print_differently_are_never_counted_together(duckdb_url: str) -> None:
    rows = [(i % 2, "Ab" if i % 3 else "aB") for i in range(600)]
    make_table(duckdb_url, "people", ["age integer", "name varchar collate nocase"], rows)
    columns = {"age": {"role": "quasi"}, "name": {"role": "keep"}}
    kanon_sql.run(job_of(duckdb_url, "people", columns))
    published = fetch(duckdb_url, "select name from release.people")
    assert Counter(name for (name,) in published) == {"Ab": 400, "aB": 200}


def test_a_class_counts_persons_not_rows(engine_url: str) -> None:
    # Person 1 has four rows in one class and one in another; rows alone would pass k = 3.
    rows = [(1, "a", i) for i in range(4)] + [(2, "a", 0), (1, "b", 0), (3, "b", 0), (4, "b", 0)]
    make_table(engine_url, "visits", ["person integer", "place varchar(5)", "day integer"], rows)
    columns = {"person": {"role": "identifier"}, "place": {"role": "quasi"}, "day": {"role": "keep"}}
    by_rows = kanon_sql.plan(job_of(engine_url, "visits", columns, k=3))
    assert by_rows.node == {"place": 0}
    by_person = kanon_sql.plan(job_of(engine_url, "visits", columns, k=3, source={"person": "person"}))
    assert by_person.node == {"place": 1}
    assert by_person.k == 4


def test_suppression_drops_whole_classes_within_the_budget(engine_url: str) -> None:
    make_table(engine_url, "people", ["age integer"], [(1,)] * 8 + [(2,)] * 1 + [(3,)] * 1)
    job = job_of(engine_url, "people", {"age": {"role": "quasi"}}, k=4, privacy={"suppression": 0.2})
    result = kanon_sql.run(job)
    assert (result.plan.node, result.plan.suppressed, result.plan.k) == ({"age": 0}, 2, 8)
    assert result.plan.utility["glm"] == pytest.approx(0.2)
    assert fetch(engine_url, "select age, count(*) from release.people group by age") == [("1", 8)]


def test_a_release_that_does_not_verify_is_dropped_and_the_last_one_stays(
    engine_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_table(engine_url, "people", ["age integer"], [(i % 5,) for i in range(50)])
    job = job_of(engine_url, "people", {"age": {"role": "quasi", "levels": [5, "*"]}}, k=5)
    first = kanon_sql.run(job)
    # A search gone wrong: it claims a node whose classes are too small.
    execute(engine_url, "insert into people values (99)")
    wrong = job_of(engine_url, "people", {"age": {"role": "quasi", "levels": [5, "*"]}}, k=5, search={"reuse": False})
    original = flow.choose_recoding

    def lying(*arguments: Any, **options: Any) -> Any:
        chosen = original(*arguments, **options)
        return Chosen(GlobalRecoding((0,), chosen.recoding.shape, 0), chosen.plan)

    monkeypatch.setattr(flow, "choose_recoding", lying)
    with pytest.raises(VerificationFailed, match="a class of 1 row, fewer than k = 5"):
        kanon_sql.run(wrong)
    assert fetch(engine_url, "select count(*) from release.people") == [(first.verified["rows"],)]
    tables = fetch(
        engine_url, "select table_name from information_schema.tables where table_schema = 'release' order by 1"
    )
    assert [name for (name,) in tables] == ["people", "people__v1"]


def test_work_tables_are_gone_however_a_run_ends(postgres_url: str) -> None:
    make_table(postgres_url, "people", ["age integer"], [(i % 5,) for i in range(50)])
    kanon_sql.run(job_of(postgres_url, "people", {"age": {"role": "quasi"}}, k=5))
    with pytest.raises(Exception, match="no node"):
        kanon_sql.plan(job_of(postgres_url, "people", {"age": {"role": "quasi", "max_level": 0}}, k=20))
    assert fetch(
        postgres_url,
        "select count(*) from information_schema.tables where table_schema = 'kanon_work' and table_name <> 'kept_runs'",
    ) == [(0,)]


def test_the_source_is_only_read(duckdb_url: str) -> None:
    make_table(duckdb_url, "people", ["age integer"], [(i % 5,) for i in range(50)])
    path = Path(duckdb_url.removeprefix("duckdb:///"))
    before = path.read_bytes()
    kanon_sql.plan(job_of(duckdb_url, "people", {"age": {"role": "quasi"}}, k=5))
    assert path.read_bytes() == before


def test_grants_and_comment_survive_a_change_of_types(postgres_url: str) -> None:
    make_table(postgres_url, "people", ["age integer"], [(i % 5,) for i in range(50)])
    columns: dict[str, Any] = {"age": {"role": "quasi", "levels": [5, "*"]}}
    kanon_sql.run(job_of(postgres_url, "people", columns, k=5))
    execute(postgres_url, "drop role if exists kanon_reader", "create role kanon_reader")
    execute(
        postgres_url, "grant select on release.people to kanon_reader", "comment on view release.people is 'nightly'"
    )
    try:
        kanon_sql.run(job_of(postgres_url, "people", {"age": columns["age"] | {"min_level": 1}}, k=5))
        assert fetch(postgres_url, "select has_table_privilege('kanon_reader', 'release.people', 'select')") == [
            (True,)
        ]
        assert fetch(postgres_url, "select obj_description('release.people'::regclass)") == [("nightly",)]
        assert fetch(postgres_url, "select distinct age from release.people") == [("0-4",)]
    finally:
        execute(postgres_url, "drop owned by kanon_reader", "drop role kanon_reader")


def test_old_releases_beyond_keep_are_dropped(engine_url: str) -> None:
    make_table(engine_url, "people", ["age integer"], [(i % 5,) for i in range(50)])
    job = job_of(
        engine_url, "people", {"age": {"role": "quasi"}}, k=5, publish={"keep": 2}, source={"fingerprint": False}
    )
    versions = [kanon_sql.run(job).version for _ in range(5)]
    assert versions == [1, 2, 3, 4, 5]
    tables = fetch(
        engine_url, "select table_name from information_schema.tables where table_schema = 'release' order by 1"
    )
    assert [name for (name,) in tables] == ["people", "people__v3", "people__v4", "people__v5"]


def test_a_file_is_a_source(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("age,sex\n" + "".join(f"{20 + i % 3},{'mf'[i % 2]}\n" for i in range(60)))
    (tmp_path / "job.yml").write_text(
        "version: 1\nsource: {file: people.csv}\nprivacy: {k: 5}\n"
        "columns: {age: {role: quasi, levels: [5, '*']}, sex: {role: quasi}}\nsearch: {algorithm: exhaustive}\n"
        "publish: {table: release.people}\n"
    )
    job = load_job(tmp_path / "job.yml")
    assert kanon_sql.plan(job).node == {"age": 0, "sex": 0}
    assert not (tmp_path / "job.duckdb").exists()
    assert kanon_sql.run(job).version == 1
    assert fetch(f"duckdb:///{tmp_path / 'job.duckdb'}", "select count(*) from release.people") == [(60,)]
    # What was published lies in the database beside the file.
    assert kanon_sql.check(job, "release.people").rows == 60
    assert kanon_sql.attack(job).passes
    assert kanon_sql.score(job).measures["glm"] == 0
