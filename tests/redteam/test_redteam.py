"""The standing red team: random tables and jobs, run as a user runs them, and judged by a checker that shares nothing with the package.

`make redteam` tries many more; KANON_REDTEAM_EXAMPLES says how many for each engine.
"""

from __future__ import annotations

import itertools
import os
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.redteam.checker import broken_promises
from tests.redteam.reader import read_table
from tests.redteam.worlds import World, worlds
from tests.truth.jobs import execute, run, write_job
from tests.truth.types import DUCKDB_SETUP, POSTGRES_SETUP

EXAMPLES = int(os.environ.get("KANON_REDTEAM_EXAMPLES", "0"))
ANSWERS = (0, 6)
"""Published, or nothing satisfies the job; whatever else a run of these jobs ends with is a finding."""
tried: Counter[str] = Counter()
numbers = itertools.count(1)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def attack(world: World, url: str, folder: Path, engine: str) -> None:
    """Every night of a world: run the job, read what was published, and recount."""
    number = next(numbers)
    target = f"rel.t{number}"
    columns = ", ".join(f"{_quoted(name)} {type_name}" for name, type_name in world.types.items())
    sections = world.sections | {
        "source": {"url": url, "table": "t"} | world.sections["source"],
        "publish": {"table": target} | world.sections["publish"],
    }
    job = write_job(folder, url, world.columns, **sections)
    for night in world.nights:
        inserted = [f"insert into t values ({', '.join(row)})" for row in night]
        execute(url, "drop table if exists t", f"create table t (row integer, person integer, {columns})", *inserted)
        done = run(job)
        assert done.exit_code in ANSWERS, (done.exit_code, done.err)
        tried[f"{engine}: runs"] += 1
        if done.exit_code != 0:
            continue
        tried[f"{engine}: releases"] += 1
        found = broken_promises(read_table(url, target), world.promise(len(night)), read_table(url, "t"))
        assert found == []


def _examples(few: int) -> settings:
    return settings(
        max_examples=EXAMPLES or few,
        deadline=None,
        database=None,
        derandomize=not EXAMPLES,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.generate, Phase.shrink) if EXAMPLES else (Phase.generate,),
    )


@pytest.mark.slow
def test_random_releases_on_duckdb(tmp_path_factory: pytest.TempPathFactory, duckdb_url: str) -> None:
    @_examples(25)
    @given(data=st.data())
    def attacked(data: st.DataObject) -> None:
        folder = tmp_path_factory.mktemp("duckdb")
        url = f"duckdb:///{folder / 'test.duckdb'}"
        execute(url, *DUCKDB_SETUP)
        attack(data.draw(worlds("duckdb")), url, folder, "duckdb")

    attacked()
    print(dict(tried))


@pytest.mark.slow
def test_random_releases_on_postgres(tmp_path_factory: pytest.TempPathFactory, postgres_url: str) -> None:
    execute(postgres_url, *POSTGRES_SETUP)

    @_examples(8)
    @given(data=st.data())
    def attacked(data: st.DataObject) -> None:
        attack(data.draw(worlds("postgresql")), postgres_url, tmp_path_factory.mktemp("postgres"), "postgresql")

    attacked()
    print(dict(tried))
