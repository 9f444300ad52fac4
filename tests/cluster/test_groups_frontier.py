"""The frontier of groups: k against loss from the largest k down, by the command line, in JSON and as a picture."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import kanon_sql
from kanon_sql.cluster.ladder import ladder_step
from kanon_sql.cluster.questions import (
    Counts,
    CutOpen,
    KeepGroups,
    MeasureGroups,
    OpenGroups,
    OpenTable,
    Question,
    RestoreGroups,
    Sweep,
)
from kanon_sql.cluster.settings import ClusterSettings
from kanon_sql.errors import JobError
from kanon_sql.flows.pareto import cheapest_point
from kanon_sql.pages.frontier_picture import frontier_table, write_frontier_picture
from tests.cluster.people import job, load, people


def asked(k: int, first: bool, losses: tuple[float, ...] = (), **settings: int) -> list[Question]:
    """What a step asks, where the groups lose so much each time they are measured."""
    driver = ladder_step(ClusterSettings(rows=100, k=k, **settings), first)  # type: ignore[arg-type]
    questions: list[Question] = []
    told, answer = iter(losses), None
    try:
        while True:
            question = driver.send(answer)  # type: ignore[arg-type]
            questions.append(question)
            answer = Counts(loss=next(told)) if isinstance(question, MeasureGroups) else Counts()
    except StopIteration:
        return questions


def test_a_step_begins_with_the_groups_at_hand_or_with_a_cut() -> None:
    first = [type(question) for question in asked(50, first=True)]
    assert first[:2] == [OpenTable, CutOpen] and MeasureGroups not in first
    held = [type(question) for question in asked(50, False, (3.0, 4.0))]
    assert held[0] is OpenGroups and held.index(KeepGroups) < held.index(OpenTable) < held.index(RestoreGroups)
    assert RestoreGroups not in [type(question) for question in asked(50, False, (4.0, 3.0))]
    assert Sweep not in [type(question) for question in asked(500, False, (4.0, 3.0))]


def test_a_small_k_has_heat_where_it_costs_little() -> None:
    def heated(**settings: int) -> bool:
        driver = ladder_step(ClusterSettings(k=5, **settings), first=False)  # type: ignore[arg-type]
        return isinstance(next(driver), OpenTable)

    assert heated(rows=10_000, attributes=8)
    assert not heated(rows=100_000, attributes=8)
    assert not heated(rows=10_000, attributes=8, rounds=8)


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


def test_a_point_loses_no_more_than_a_cut_of_the_whole_table(duckdb_url: str, tmp_path: Path) -> None:
    load(duckdb_url, people(400))
    found = kanon_sql.pareto(job(duckdb_url, "mondrian", 4, base=tmp_path, search={"rounds": 2})).to_dict()
    cut = {k: kanon_sql.plan(job(duckdb_url, "mondrian", k, base=tmp_path)).utility["glm"] for k in (5, 20, 50)}
    for k, loss in cut.items():
        assert min(point["loss"] for point in found["points"] if point["k"] >= k) <= loss + 1e-9


def test_nothing_is_suppressed_whatever_the_budget(
    duckdb_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kanon_sql.flows.groups_frontier.LADDER", (10,))
    monkeypatch.setattr("kanon_sql.cluster.anneal.SMALL_TABLE", 0)  # heat alone, of groups grown at k = 10
    load(duckdb_url, people(60))
    privacy = {"suppression": 0.3}
    found = kanon_sql.pareto(job(duckdb_url, "anneal", 4, base=tmp_path, privacy=privacy)).to_dict()
    assert [point["suppressed"] for point in found["points"]] == [0] * len(found["points"])


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


def test_groups_that_come_back_are_scored_k_by_k(
    postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What came back before is dropped and comes again: as many tables are there then, and none is named like one of them."""
    monkeypatch.setattr("kanon_sql.flows.groups_frontier.LADDER", (60, 30, 5, 3))
    monkeypatch.setattr("kanon_sql.cluster.anneal.SMALL_TABLE", 0)
    load(postgres_url, people(120))
    found = kanon_sql.pareto(job(postgres_url, "anneal", 4, base=tmp_path)).to_dict()
    assert len(found["points"]) >= 4 and any("embedded engine" in note for note in found["notes"])
