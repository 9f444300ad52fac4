"""On Spark as on the others: nothing foreign goes, one run at a time, nothing is left of a killed one, NULLs count, and a source has one state."""

from __future__ import annotations

import json
import os
import platform
from pathlib import Path

import pytest

import kanon_sql
from kanon_sql.config.schema import Job
from kanon_sql.errors import JobError, LockedByAnotherRun
from kanon_sql.observer import Observer
from tests.support import execute, fetch, job_of

pytestmark = pytest.mark.xdist_group("spark")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("jobs")


@pytest.fixture(scope="module")
def job(module_spark_url: str, home: Path) -> Job:
    execute(
        module_spark_url,
        "create table t as select cast(id as int) as id, cast(id % 4 as int) as a, "
        "case when id % 2 = 0 then 'p' end as b, case when id % 2 = 1 then 'p' end as c from range(40)",
    )
    columns = {"id": {"role": "identifier"}, "a": {"role": "quasi"}, "b": {"role": "keep"}, "c": {"role": "keep"}}
    register = {"url": f"duckdb:///{home / 'register.duckdb'}"}
    return job_of(
        module_spark_url,
        "t",
        columns,
        k=3,
        base=home,
        register=register,
        publish={"table": "rel.people", "guard": "never"},
    )


def warehouse(job: Job) -> Path:
    from kanon_sql.backends.spark_url import parse_spark_url

    return Path(parse_spark_url(job.url, job.base).warehouse)


def test_nights_on_spark(job: Job) -> None:
    """One test: a session of Spark costs more than all that is looked at in it."""
    place = warehouse(job)
    mine = place / "rel.db" / "people__staged_mine"
    mine.mkdir(parents=True)
    (mine / "file").write_text("mine")
    strange = place / "rel.db" / "strange"
    strange.mkdir()
    (strange / "_SUCCESS").write_text("")
    (strange / "part.parquet").write_text("this is no Parquet")
    seen: list[list[str]] = []

    def heard(step: str) -> None:
        if step.startswith(("verifying", "publishing")):
            seen.append(sorted(path.name for path in (place / "rel.db").iterdir() if path.name.startswith("people")))

    first = kanon_sql.run(job, Observer(step=heard))
    assert first.version == 1
    assert all(names == ["people__staged_mine"] for names in seen), "what is not verified is not where readers look"
    assert (mine / "file").read_text() == "mine"
    assert kanon_sql.run(job).unchanged
    # NULL and a value change places: another table, though every column holds what it held.
    execute(
        job.url, "create table u as select id, a, c as b, b as c from t", "insert overwrite table t select * from u"
    )
    second = kanon_sql.run(job)
    assert (second.unchanged, second.version) == (False, 2)
    assert fetch(job.url, "select count(*) from rel.people") == [(40,)]
    # A killed run: its work tables, a version that nobody registered, its lock and its row.
    dead = {"job": job.name, "run": "20260101t000000xdead", "host": platform.node(), "pid": 2**22 + 7}
    left = place / "kanon_work.db" / "r20260101t000000xdead_raw"
    left.mkdir(parents=True)
    orphan = place / "rel.db" / "people__v9"
    orphan.mkdir()
    (orphan / "_kanon").write_text("release of run 20260101t000000xdead")
    execute(
        str(job.register_at.url),
        'insert into kanon.runs (id, job, command, status, started, program, parameters, "database") '
        "select '20260101t000000xdead', job, 'run', 'running', started, program, parameters, \"database\" from kanon.runs limit 1",
    )
    from kanon_sql.backends.connect import open_backend

    backend = open_backend(job.url, job.base, read_only=False)
    try:
        assert backend.take(f"job {job.name}", json.dumps(dead)) is None
        cleaned = kanon_sql.janitor(job)
        assert cleaned.runs == ["20260101t000000xdead"]
        assert not left.exists()
        assert not orphan.exists()
        # A living one holds the lock.
        assert backend.take(f"job {job.name}", json.dumps(dead | {"pid": os.getpid()})) is None
        with pytest.raises(LockedByAnotherRun) as locked:
            kanon_sql.run(job)
        assert locked.value.exit_code == 5
        backend.give(f"job {job.name}")
    finally:
        backend.close()
    # Rows that come while the run is under way.
    more = "insert into t select cast(id + 100 as int), cast(id % 4 as int), 'p', 'p' from range(8)"

    def meanwhile(step: str) -> None:
        if step.startswith("staging"):
            execute(job.url, more.replace("id + 100", "id + 200"))

    # A session lists a table's files once: what it scanned is what it stages. An overwritten file would stop it.
    execute(job.url, more)
    assert kanon_sql.run(job, Observer(step=meanwhile)).version == 3
    assert fetch(job.url, "select count(*) from rel.people") == [(48,)]
    assert kanon_sql.run(job).version == 4
    assert fetch(job.url, "select count(*) from rel.people") == [(56,)]
    # A view of somebody else's.
    other = (
        job.model_copy(update={"publish": job.publish.model_copy(update={"table": "rel.others"})})
        if job.publish
        else job
    )
    other._path = job._path
    (place / "rel.db" / "_views" / "others").write_text("people__v1")
    with pytest.raises(JobError, match="did not make"):
        kanon_sql.run(other)
