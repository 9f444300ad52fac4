"""--profile: every second of a run has a step, every statement a place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import kanon_sql
from kanon_sql.flows.profile import Profile
from kanon_sql.observer import Observer
from tests.cli.kanon import kanon
from tests.support import job_of, make_table

COLUMNS = {"age": {"role": "quasi", "levels": [10, "*"]}}


def test_a_profile_accounts_for_all_statements_and_seconds(engine_url: str, tmp_path: Path) -> None:
    make_table(engine_url, "people", ["age integer"], [(i % 40,) for i in range(200)])
    observer, profile = Observer(), Profile()
    heard: list[str] = []
    observer.step = heard.append
    profile.listen(observer)
    result = kanon_sql.run(job_of(engine_url, "people", COLUMNS, k=5), observer)
    profile.write(tmp_path / "profile.json")
    told = json.loads((tmp_path / "profile.json").read_text())
    assert [step["step"] for step in told["steps"]] == ["starting", *heard]
    listed = [line for step in told["steps"] for line in step["statements"]]
    assert told["statements"] == len(observer.statements) == sum(line["count"] for line in listed)
    assert told["seconds"] == pytest.approx(sum(step["seconds"] for step in told["steps"]), abs=1e-3)
    staged = next(line for line in listed if line["statement"] == "release/stage")
    assert staged["rows"] == result.verified["rows"] == 200
    assert staged["seconds"] > 0


@pytest.mark.parametrize(("k", "code"), [(5, 0), (500, 6)])
def test_a_plan_writes_its_profile_however_it_ends(k: int, code: int, tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("age\n" + "\n".join(str(i % 40) for i in range(200)))
    job = {"version": 1, "source": {"file": "people.csv"}, "privacy": {"k": k}, "columns": COLUMNS}
    (tmp_path / "job.yml").write_text(json.dumps(job))
    assert kanon("plan", "job.yml", "--profile", "profile.json", cwd=tmp_path).code == code
    told = json.loads((tmp_path / "profile.json").read_text())
    assert told["statements"] == sum(line["count"] for step in told["steps"] for line in step["statements"]) > 0
    assert [step["step"] for step in told["steps"]][1] == "reading the table"
