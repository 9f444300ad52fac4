"""One run, one snapshot: what was scanned is what is staged and verified, whatever others write meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import kanon_sql
from kanon_sql.errors import KanonError, VerificationFailed
from kanon_sql.observer import Observer
from tests.support import execute, fetch
from tests.truth.hundred import make, tables, write_job


def at(step: str, act: Callable[[], None]) -> Observer:
    """An observer that does something when a step begins."""

    def heard(name: str) -> None:
        if name.startswith(step):
            act()

    return Observer(step=heard)


def test_an_update_between_scan_and_staging(postgres_url: str, tmp_path: Path) -> None:
    make(postgres_url)
    job = kanon_sql.load_job(write_job(tmp_path, postgres_url))
    kanon_sql.run(job, at("staging", lambda: execute(postgres_url, "update t set a = 777 where id < 10")))
    assert fetch(postgres_url, "select count(*), count(a) from rel.t") == [(100, 100)]
    assert fetch(postgres_url, "select count(*) from rel.t where cast(a as text) like '%77%'") == [(0,)]


@pytest.mark.parametrize("algorithm", ["exhaustive", "mondrian"])
def test_a_change_and_its_change_back(postgres_url: str, tmp_path: Path, algorithm: str) -> None:
    """Persons are counted in the snapshot that was staged: three rows of one person never make a class of three."""
    execute(
        postgres_url,
        "create table t as select i as id, i % 4 as a, chr(97 + i % 2) as b from generate_series(0, 79) as r(i)",
    )
    job = kanon_sql.load_job(
        write_job(
            tmp_path,
            postgres_url,
            source={"person": "id"},
            search={"algorithm": algorithm, "embedded": "never"},
            columns={"a": {"role": "quasi"}},
        )
    )
    steps: list[str] = []

    def heard(name: str) -> None:
        steps.append(name)
        if name.startswith("staging"):
            execute(
                postgres_url, "update t set a = 3, b = 'b' where id in (0, 4, 8, 12)", "update t set id = 0 where a = 3"
            )
        if name.startswith("verifying"):
            execute(postgres_url, "update t set a = 2, b = 'a' where id = 0")

    kanon_sql.run(job, Observer(step=heard))
    assert [name for name in steps if name.startswith(("staging", "verifying"))]
    published = fetch(postgres_url, "select a, b, count(*) from rel.t group by 1, 2 order by 1, 2")
    assert (
        [count for _, _, count in published] == [20, 20, 20, 20]
        if algorithm == "exhaustive"
        else sum(count for _, _, count in published) == 80
    )


def test_a_file_that_is_written_meanwhile(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    lines = [f"{i},{i % 20},{'ab'[i % 2]}" for i in range(100)]
    file.write_text("id,a,b\n" + "\n".join(lines) + "\n")
    url = f"duckdb:///{tmp_path / 'test.duckdb'}"
    path = write_job(tmp_path, url, source={"file": "t.csv", "fingerprint": False})
    path.write_text(path.read_text().replace("  table: t\n", ""))

    def overwrite() -> None:
        lines[:10] = [f"{i},777,a" for i in range(10)]
        file.write_text("id,a,b\n" + "\n".join(lines) + "\n")

    with pytest.raises(KanonError, match="changed during the run"):
        kanon_sql.run(kanon_sql.load_job(path), at("staging", overwrite))
    assert tables(url, "rel") == []


def test_what_is_read_through_a_view_of_files(tmp_path: Path) -> None:
    """A view over a file has no snapshot either, though the database has one writer."""
    file = tmp_path / "t.csv"
    lines = [f"{i},{i % 20},{'ab'[i % 2]}" for i in range(100)]
    file.write_text("id,a,b\n" + "\n".join(lines) + "\n")
    url = f"duckdb:///{tmp_path / 'test.duckdb'}"
    execute(url, f"create view t as select * from read_csv('{file}')")

    def overwrite() -> None:
        lines[:10] = [f"{i},{19 - i},a" for i in range(10)]
        file.write_text("id,a,b\n" + "\n".join(lines) + "\n")

    path = write_job(
        tmp_path, url, columns={"a": {"role": "quasi", "levels": [20, "*"], "min_level": 1}, "b": {"role": "keep"}}
    )
    with pytest.raises(KanonError, match="changed during the run"):
        kanon_sql.run(kanon_sql.load_job(path), at("staging", overwrite))
    assert tables(url, "rel") == []


def test_a_verification_that_lies(engine_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The staged table is counted twice, by statements that share nothing: one that lies is found out by the other."""
    from kanon_sql.flows import run as flow
    from kanon_sql.release.verify import Verification

    make(engine_url)
    job = kanon_sql.load_job(write_job(tmp_path, engine_url))
    monkeypatch.setattr(flow, "verify", lambda *_: Verification(50, 2, 100))
    with pytest.raises(VerificationFailed, match="two counts of the staged release disagree"):
        kanon_sql.run(job)
    assert tables(engine_url, "rel") == []


def test_a_staging_that_loses_a_value(duckdb_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every class is large enough, but it is not the source's: only a comparison with the source sees it."""
    from kanon_sql.release.recoding import GlobalRecoding
    from kanon_sql.sql.statement import Statement

    make(duckdb_url)
    stage = GlobalRecoding.stage

    def lossy(self: GlobalRecoding, bench: Any, table: Any) -> None:
        stage(self, bench, table)
        name = bench.dialect.relation(table)
        bench.backend.execute(Statement("tamper", f"update {name} set a = null where a = 7"))

    monkeypatch.setattr(GlobalRecoding, "stage", lossy)
    with pytest.raises(VerificationFailed, match="the staged release differs from the source in"):
        kanon_sql.run(kanon_sql.load_job(write_job(tmp_path, duckdb_url)))
    assert tables(duckdb_url, "rel") == []
