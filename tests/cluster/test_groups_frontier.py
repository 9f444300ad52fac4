"""The frontier of groups: k against loss from the largest k down, by the command line, in JSON and as a picture."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import kanon_sql
from kanon_sql.cluster.ladder import ladder_step
from kanon_sql.cluster.questions import Counts, CutOpen, OpenGroups, OpenTable, Sweep
from kanon_sql.cluster.settings import ClusterSettings
from kanon_sql.errors import JobError
from kanon_sql.flows.pareto import cheapest_point
from kanon_sql.pages.frontier_picture import frontier_table, write_frontier_picture
from tests.cluster.people import job, load, people


def test_a_step_begins_with_the_groups_at_hand() -> None:
    def asked(k: int, first: bool) -> list[type]:
        driver = ladder_step(ClusterSettings(rows=100, k=k), first)
        kinds, answer = [], None
        try:
            while True:
                question = driver.send(answer)  # type: ignore[arg-type]
                kinds.append(type(question))
                answer = Counts(open=0, done=0)
        except StopIteration:
            return kinds

    assert asked(10, first=True)[:2] == [OpenTable, CutOpen]
    assert asked(5, first=False) == [OpenGroups, Sweep]
    assert Sweep not in asked(500, first=False)


def test_more_privacy_costs_more(engine_url: str, tmp_path: Path) -> None:
    load(engine_url, people(120))
    wanted = job(
        engine_url,
        "mondrian",
        4,
        base=tmp_path,
        search={"rounds": 2},
        privacy={"l_diversity": {"illness": {"kind": "distinct", "l": 2}}},
    )
    found = kanon_sql.pareto(wanted)
    document = found.to_dict()
    assert json.loads(json.dumps(document)) == document
    assert document["algorithm"] == "groups" and not document["exact"] and document["run"]
    ks, losses = [p["k"] for p in document["points"]], [p["loss"] for p in document["points"]]
    assert ks == sorted(set(ks)) and losses == sorted(losses) and len(ks) >= 4
    assert ks[0] >= 2 and ks[-1] >= 50 and 0 < losses[0] < losses[-1] < 1
    assert "suppressed" in frontier_table(document).splitlines()[0]
    # A search at one of these k begins anew, and finds about the same.
    plan = kanon_sql.plan(job(engine_url, "mondrian", 4, base=tmp_path, search={"rounds": 2}))
    at_four = next(p["loss"] for p in document["points"] if p["k"] >= 4)
    assert at_four == pytest.approx(plan.utility["glm"], rel=0.5)


def test_its_points_are_asked_for_by_k(duckdb_url: str, tmp_path: Path) -> None:
    load(duckdb_url, people(60))
    wanted = job(duckdb_url, "anneal", 4, base=tmp_path, search={"rounds": 1})
    found = kanon_sql.pareto(wanted)
    with pytest.raises(JobError, match="no node") as refused:
        cheapest_point(wanted, 5)
    assert "privacy.k=" in str(refused.value.hint)
    with pytest.raises(JobError, match="makes groups"):
        kanon_sql.pareto(wanted, algorithm="poka")
    pytest.importorskip("altair", reason="the extra `report` is not installed")
    write_frontier_picture({"now": found.to_dict()}, tmp_path / "frontier.html")
    assert "vega" in (tmp_path / "frontier.html").read_text().lower()
