"""Faults put in on purpose: a part of the package that lies is caught by another part, or by the red team's checker; never by nobody."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from kanon_sql.backends import duckdb_types
from kanon_sql.model.forms import Form
from kanon_sql.sql.dialects.duckdb import DuckDBDialect
from tests.redteam.checker import Promise, broken_promises
from tests.redteam.reader import Table, read_table
from tests.truth.jobs import TARGET, execute, run, write_job

SMITHS = (
    "create table t (id integer, x varchar collate nocase)",
    "insert into t values (0, 'Smith'), (1, 'SMITH'), (2, 'smith'), (3, 'x'), (4, 'x'), (5, 'x')",
)
PROMISE = Promise(k=3, quasi=["x"], columns=["x"])
COLUMNS = {"id": {"role": "identifier"}, "x": {"role": "quasi"}}


@pytest.fixture
def job(duckdb_url: str, tmp_path: Path) -> Path:
    execute(duckdb_url, *SMITHS)
    return write_job(tmp_path, duckdb_url, COLUMNS)


def test_a_class_split_by_case_is_caught_by_verification(job: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The source is published as it is stored: verification, which reads as a reader does, refuses it."""
    monkeypatch.setattr(DuckDBDialect, "published", lambda self, expression, form, base=None: expression)
    refused = run(job)
    assert refused.exit_code == 1
    assert "class of 1 row" in refused.err or "classes of the staged release" in refused.err


def test_a_verification_that_lies_as_well_is_caught_by_the_checker(
    duckdb_url: str, job: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Search, staging and verification all take Smith for SMITH, as the engine does: the checker does not."""
    monkeypatch.setattr(DuckDBDialect, "published", lambda self, expression, form, base=None: expression)
    monkeypatch.setattr(DuckDBDialect, "read", lambda self, expression, form: expression)
    assert run(job).exit_code == 0
    assert broken_promises(read_table(duckdb_url, TARGET), PROMISE) == ["a class of 1 rows, k = 3"]


def test_a_type_taken_for_another_is_caught_by_verification(
    duckdb_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An interval is taken for a type whose equal values print the same."""
    execute(
        duckdb_url,
        "create table t (id integer, x interval)",
        "insert into t values (0, '1 day'), (1, '24 hours'), (2, '1440 minutes'), (3, '2 days'), (4, '2 days'), (5, '2 days')",
    )
    monkeypatch.setitem(duckdb_types.PLAIN, "INTERVAL", "other")
    refused = run(write_job(tmp_path, duckdb_url, COLUMNS))
    assert refused.exit_code == 1
    assert "VerificationFailed" in refused.err


def test_a_verification_that_counts_wrong_is_caught(
    duckdb_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The staged table loses a row after staging: the count, or the comparison with the source, says so."""
    from kanon_sql.release.recoding import GlobalRecoding
    from kanon_sql.sql.statement import Statement

    execute(duckdb_url, "create table t as select i as id, i % 2 as x from range(12) r(i)")
    stage = GlobalRecoding.stage

    def staged(self: GlobalRecoding, bench: Any, table: Any) -> None:
        stage(self, bench, table)
        name = bench.dialect.relation(table)
        bench.backend.execute(
            Statement("test", f"update {name} set x = 0 where rowid = (select max(rowid) from {name})")
        )

    monkeypatch.setattr(GlobalRecoding, "stage", staged)
    assert run(write_job(tmp_path, duckdb_url, COLUMNS)).exit_code == 1


SOURCE = Table(("row", "person", "a", "s"), {}, [(str(i), str(i // 2), str(i // 3), "xy"[i % 2]) for i in range(12)])


def _released(change: Sequence[tuple[int, int, str | None]] = (), columns: Sequence[str] = ("row", "a", "s")) -> Table:
    rows = [[record[name] for name in columns] for record in SOURCE.records()]
    for row, column, value in change:
        rows[row][column] = value
    return Table(tuple(columns), dict.fromkeys(columns, "VARCHAR"), [tuple(row) for row in rows])


@pytest.mark.parametrize(
    ("release", "promise", "caught"),
    [
        (_released(), Promise(k=3, quasi=["a"], columns=["row", "a", "s"], row="row"), None),
        (_released([(0, 1, "0 ")]), Promise(k=3, quasi=["a"], columns=["row", "a", "s"]), "a class of 1 rows"),
        (_released([(0, 1, "3")]), Promise(k=2, quasi=["a"], columns=["row", "a", "s"], row="row"), "is published of a row"),
        (_released([(0, 2, "y")]), Promise(k=3, quasi=["a"], columns=["row", "a", "s"], row="row"), "is published of a row"),
        (_released(columns=("row", "person", "a", "s")), Promise(k=3, quasi=["a"], columns=["row", "a", "s"]), "should not be there"),
        (_released(), Promise(k=3, quasi=["a"], columns=["row", "a", "s"], row="row", person="person"), "persons"),
        (_released(), Promise(k=3, quasi=["a"], columns=["row", "a", "s"], sensitive={"s": {"distinct": 3}}), "distinct 3 fails"),
        (_released(), Promise(k=3, quasi=["a"], columns=["row", "a", "s"], sensitive={"s": {"t": 0.1}}), "t 0.1 fails"),
        (_released(), Promise(k=3, quasi=["a"], columns=["row", "a", "s"], sensitive={"s": {"alpha": 0.5}}), "alpha 0.5 fails"),
        (_released(), Promise(k=3, quasi=["a"], columns=["row", "a", "s"], forbidden=["y"]), "is published"),
    ],
)  # fmt: skip
def test_the_checker_itself_sees(release: Table, promise: Promise, caught: str | None) -> None:
    found = broken_promises(release, promise, SOURCE)
    assert (found == []) if caught is None else any(caught in line for line in found), found


def test_the_forms_are_not_all_the_same() -> None:
    """A dialect that forgot a form would publish it as it is stored."""
    dialect = DuckDBDialect()
    assert {form for form in Form if dialect.read("x", form) == "x"} == {Form.SAME}
