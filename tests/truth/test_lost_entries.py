"""A ledger that lost entries, or was given others, is not believed: the run is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

import kanon_sql
from kanon_sql.config import Job
from kanon_sql.errors import CompositionRisk
from tests.nightly.nights import tables_of
from tests.support import execute, fetch, job_of, make_table

COLUMNS = {"id": {"role": "identifier"}, "a": {"role": "quasi", "levels": [10, "*"]}}


def released(url: str, base: Path) -> Job:
    """A job with a release of its own, and a source that changed since."""
    make_table(url, "t", ["id bigint", "a bigint"], [(number, number % 20) for number in range(100)])
    job = job_of(url, "t", COLUMNS, 3, base, source={"person": "id"}, publish={"table": "rel.t"})
    kanon_sql.run(job)
    execute(url, "insert into t select id + 1000, a from t")
    return job


def ledger_table(url: str, what: str) -> str:
    (name,) = [name for name in tables_of(url, "kanon_ledger") if name.startswith(f"{what}_")]
    return f"kanon_ledger.{name}"


@pytest.mark.parametrize(
    "tampered",
    [
        "delete from {people} where person_key = (select min(person_key) from {people})",
        "delete from {people}",
        "delete from {nights}",
        "insert into {people} select person_key + 1, row_key, cell, waiting from {people} limit 1",
        "update {people} set cell = cell + 1 where person_key = (select min(person_key) from {people})",
        "drop table {people}",
        "drop table {cells}",
        "drop schema kanon_ledger cascade",
    ],
)
def test_a_ledger_that_was_changed_stops_the_run(engine_url: str, tmp_path: Path, tampered: str) -> None:
    job = released(engine_url, tmp_path)
    tables = {what: ledger_table(engine_url, what) for what in ("people", "cells", "nights")}
    execute(engine_url, tampered.format(**tables))
    with pytest.raises(CompositionRisk, match=r"is not what it was after its last release|is gone") as stopped:
        kanon_sql.run(job)
    assert "--rebase" in stopped.value.hint
    assert fetch(engine_url, "select count(*) from rel.t")[0][0] == 100
    anew = kanon_sql.run(job, rebase="the ledger was lost")
    assert (anew.version, anew.composition["rebased"]["why"]) == (2, "the ledger was lost")
    assert fetch(engine_url, "select how, why from kanon.ledgers order by sequence") == [
        ("night", None),
        ("rebase", "the ledger was lost"),
    ]


def test_after_a_rebase_the_nights_go_on(engine_url: str, tmp_path: Path) -> None:
    job = released(engine_url, tmp_path)
    execute(engine_url, "drop schema kanon_ledger cascade")
    assert kanon_sql.run(job, rebase="the ledger was lost").version == 2
    execute(engine_url, "insert into t select id + 5000, a from t where id < 100")
    assert kanon_sql.run(job).version == 3


def test_a_whole_ledger_lets_the_next_night_pass(engine_url: str, tmp_path: Path) -> None:
    job = released(engine_url, tmp_path)
    assert kanon_sql.run(job).version == 2
