"""The register in another database: a kill between the two commits leaves them apart, and the next run brings them together."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.nightly.nights import K, change, fill, state_of, write_job
from tests.nightly.runs import forked_runs
from tests.support import fetch


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_kill_between_two_commits(engine_url: str, tmp_path: Path, when: str) -> None:
    register = f"duckdb:///{tmp_path / 'register.duckdb'}"
    fill(engine_url)
    job = write_job(tmp_path, engine_url, register={"url": register})
    with forked_runs() as runs:
        assert runs.run(job)["exit"] == 0
        change(engine_url, 1)
        labels = runs.run(job)["labels"]
        commits = labels[: labels.index("release/swap")].count("commit") + labels[labels.index("release/swap") :].count(
            "commit"
        )
        first = labels[: labels.index("release/swap")].count("commit") + 1
        for night, nth in enumerate(range(first, commits + 1), 2):
            change(engine_url, night)
            before = state_of(engine_url)
            assert runs.run(job, at="commit", nth=nth, when=when, who="client")["status"] == -9
            assert state_of(engine_url)["source"] == before["source"]
            assert runs.run(job)["exit"] == 0
            current = fetch(register, "select release_table from kanon.releases where state = 'current'")
            assert len(current) == 1
            rows = fetch(engine_url, f"select count(*) from {current[0][0]}")
            assert fetch(engine_url, "select count(*) from release.people") == rows
            assert fetch(register, "select count(*) from kanon.runs where status = 'running'") == [(0,)]
    sizes = fetch(engine_url, "select count(*) from release.people group by age, zip")
    assert min(size for (size,) in sizes) >= K
