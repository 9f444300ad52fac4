"""A ledger that lost entries, or was given others, is not believed: the run is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

import kanon_sql
from kanon_sql.config import Job
from kanon_sql.errors import CompositionRisk
from tests.support import execute, fetch, job_of, make_table

COLUMNS = {"id": {"role": "identifier"}, "a": {"role": "quasi", "levels": [10, "*"]}}


def released(url: str, base: Path) -> Job:
    """A job with a release of its own, and a source that changed since."""
    make_table(url, "t", ["id bigint", "a bigint"], [(number, number % 20) for number in range(100)])
    job = job_of(url, "t", COLUMNS, 3, base, source={"person": "id"}, publish={"table": "rel.t"})
    kanon_sql.run(job)
    execute(url, "insert into t select id + 1000, a from t")
    return job


@pytest.mark.parametrize(
    "tampered",
    [
        "delete from kanon_ledger.memberships where person_key = (select min(person_key) from kanon_ledger.memberships)",
        "delete from kanon_ledger.memberships",
        "delete from kanon_ledger.releases",
        "insert into kanon_ledger.memberships select job, version, 'somebody', class_key from kanon_ledger.memberships limit 1",
    ],
)
def test_a_ledger_that_was_changed_stops_the_run(engine_url: str, tmp_path: Path, tampered: str) -> None:
    job = released(engine_url, tmp_path)
    execute(engine_url, tampered)
    with pytest.raises(CompositionRisk, match="entries of version 1 are not those that were made"):
        kanon_sql.run(job)
    assert fetch(engine_url, "select count(*) from rel.t")[0][0] == 100


def test_a_whole_ledger_lets_the_next_night_pass(engine_url: str, tmp_path: Path) -> None:
    job = released(engine_url, tmp_path)
    assert kanon_sql.run(job).version == 2
