"""Local recoding of persons: those behind the staged table are verified, and nights are compared with each other."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import kanon_sql
from kanon_sql.config import Job
from kanon_sql.errors import CompositionRisk, VerificationFailed
from kanon_sql.release.local_recoding import LocalRecoding
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.statement import Statement
from kanon_sql.workbench.workbench import Workbench
from tests.support import execute, fetch, job_of, make_table

K = 4
ROWS_EACH = 5
COLUMNS: dict[str, Any] = {
    "id": {"role": "identifier"},
    "age": {"role": "quasi"},
    "town": {"role": "quasi"},
    "illness": {"role": "sensitive"},
}


def load(url: str) -> None:
    """Twelve persons of five rows each: k rows of one person are soon together."""
    rows = [(i // ROWS_EACH, 20 + i, ["Bern", "Ulm", "Nice"][i % 3], ["flu", "cold"][i % 2]) for i in range(60)]
    make_table(url, "people", ["id integer", "age integer", "town varchar(9)", "illness varchar(9)"], rows)


def job(url: str, base: Path, algorithm: str = "mondrian", **sections: Any) -> Job:
    search = {"algorithm": algorithm, "rounds": 4} | sections.pop("search", {})
    columns = COLUMNS | sections.pop("columns", {})
    return job_of(url, "people", columns, K, base, source={"person": "id"}, search=search, **sections)


def tampered(monkeypatch: pytest.MonkeyPatch, before: Any = None, account: Any = None, after: Any = None) -> None:
    """The staging with a statement run before the persons are written down, on that account, or on the staged table."""
    prepare, stage = LocalRecoding.prepare, LocalRecoding.stage
    done: list[str] = []

    def run(bench: Workbench, sql: str) -> None:
        bench.backend.execute(Statement("tamper", sql))

    def prepared(self: LocalRecoding, bench: Workbench) -> None:
        first = not done
        done.append("prepared")
        if before and first:
            run(bench, before(bench.dialect.relation, self))
        prepare(self, bench)
        if account and first:
            persons = self.staged_persons(bench)
            assert persons is not None
            run(bench, account(bench.dialect.relation, persons))

    def staged(self: LocalRecoding, bench: Workbench, table: Relation) -> None:
        stage(self, bench, table)
        if after:
            run(bench, after(bench.dialect.relation, table))

    monkeypatch.setattr(LocalRecoding, "prepare", prepared)
    monkeypatch.setattr(LocalRecoding, "stage", staged)


def nothing_published(url: str) -> bool:
    found = fetch(url, "select count(*) from information_schema.tables where table_schema = 'release'")
    return found == [(0,)]


@pytest.mark.parametrize("algorithm", ["mondrian", "anneal", "bottom-up"])
def test_the_persons_of_the_staged_table_are_counted(engine_url: str, tmp_path: Path, algorithm: str) -> None:
    load(engine_url)
    result = kanon_sql.run(job(engine_url, tmp_path, algorithm))
    counted = [model for model in result.verified["models"] if model["model"] == "k_anonymity"]
    assert [model["passes"] for model in counted] == [True]
    assert K <= counted[0]["worst"] < result.verified["k"]  # persons, fewer than rows
    assert counted[0]["worst"] == result.plan.k
    assert {
        row[0]
        for row in fetch(
            engine_url, "select column_name from information_schema.columns where table_schema = 'release'"
        )
    } == {"age", "town", "illness"}


def test_a_class_of_one_persons_rows_is_refused(
    engine_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """k rows and more in every class, all of one person in one of them: only a count of persons sees it."""
    load(engine_url)
    wanted = job(engine_url, tmp_path, publish={"guard": "never"})  # which would see it first

    def one_person(name: Any, recoding: LocalRecoding) -> str:
        assign, units = name(recoding.assign), name(recoding.units)
        alone = f"rid in (select rid from {units} where person = 3)"
        ends = f"(select min(g) from {assign})", f"(select max(g) from {assign})"
        return f"update {assign} set g = case when {alone} then {ends[0]} else {ends[1]} end"

    tampered(monkeypatch, before=one_person)
    with pytest.raises(VerificationFailed, match="fails k-anonymity, k = 4: a class has 1"):
        kanon_sql.run(wanted)
    assert nothing_published(engine_url)


def test_a_staged_table_that_is_not_what_the_persons_gave_is_refused(
    engine_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load(engine_url)
    wanted = job(engine_url, tmp_path)
    tampered(
        monkeypatch,
        after=lambda name, table: f"update {name(table)} set age = (select min(age) from {name(table)})",
    )
    with pytest.raises(VerificationFailed, match="cannot be accounted for by the persons behind it"):
        kanon_sql.run(wanted)
    assert nothing_published(engine_url)


def test_persons_whom_the_source_does_not_know_are_refused(
    engine_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load(engine_url)
    wanted = job(engine_url, tmp_path)
    tampered(
        monkeypatch,
        account=lambda name, account: (
            f"update {name(account.table)} set {account.person} = {account.person} + 100 * {account.raw[0][0]}"
        ),
    )
    with pytest.raises(VerificationFailed, match="60 rows cannot be accounted for"):
        kanon_sql.run(wanted)
    assert nothing_published(engine_url)


def load_once_each(url: str) -> None:
    """Eighty persons of one row each; `mark` is published, so that a test may see who is in which class."""
    rows = [(i, i, 20 + i * 7 % 50, ["Bern", "Ulm", "Nice"][i % 3], ["flu", "cold"][i % 2]) for i in range(80)]
    types = ["id integer", "mark integer", "age integer", "town varchar(9)", "illness varchar(9)"]
    make_table(url, "people", types, rows)


def classes(url: str) -> dict[int, str]:
    """Who is in which class."""
    return {int(mark): f"{age} {town}" for mark, age, town in fetch(url, "select mark, age, town from release.people")}


@pytest.mark.parametrize("algorithm", ["mondrian", "anneal"])
def test_nights_are_compared_as_those_of_levels_are(engine_url: str, tmp_path: Path, algorithm: str) -> None:
    load_once_each(engine_url)
    wanted = job(
        engine_url,
        tmp_path,
        algorithm,
        columns={"mark": {"role": "keep"}},
        privacy={"accept": ["nearly_unique_columns"]},
        publish={"keep": 3},
        search={"reuse": False},
    )
    first = kanon_sql.run(wanted)
    assert first.composition["status"] == "passed"
    seen = [classes(engine_url)]
    execute(
        engine_url,
        "delete from people where id in (3, 4)",
        "insert into people values (90, 90, 21, 'Bern', 'flu'), (91, 91, 66, 'Ulm', 'cold')",
    )
    with pytest.raises(CompositionRisk, match="candidate sets below k = 4") as stopped:
        kanon_sql.run(wanted)
    assert "lattice search" in stopped.value.hint
    assert classes(engine_url) == seen[0]  # last night's release is what readers see
    accepted = kanon_sql.run(wanted, accept_composition="measured")
    seen.append(classes(engine_url))
    stayed = set(seen[0]) & set(seen[1])
    trails = Counter((seen[0][person], seen[1][person]) for person in stayed)
    assert accepted.composition["status"] == "accepted"
    assert accepted.composition["below"]["stayed"] == sum(count for count in trails.values() if count < K) > 0


def test_the_same_groups_again_give_nothing_away(engine_url: str, tmp_path: Path) -> None:
    load_once_each(engine_url)
    source = {"person": "id", "fingerprint": False}
    columns = COLUMNS | {"mark": {"role": "drop"}}
    again = job_of(engine_url, "people", columns, K, tmp_path, source=source, search={"algorithm": "mondrian"})
    results = [kanon_sql.run(again) for _ in range(2)]
    assert [result.version for result in results] == [1, 2]
    assert [result.composition["status"] for result in results] == ["passed", "passed"]
    assert results[1].composition["smallest"] >= K
