"""A measure is one file (cells_at_star.py, cubes.py) and one entry in `model/measures.py` (the fixture).

With these alone it is searched for, and stands in plan, score, compare and on the pages.
"""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

import kanon_sql
from kanon_sql.config import job_schema, parse_job
from kanon_sql.errors import JobError
from kanon_sql.model.measures import MEASURES, Measure
from tests.extending.people import job, job_text, people


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = {
        "cells_at_star": Measure(
            "tests.extending.cells_at_star", "Cells at *", "share of all cells", "a test", separable=True
        ),
        "cubes": Measure("tests.extending.cubes", "Cubes of class sizes", "summed", "a test"),
    }
    for name, entry in entries.items():
        monkeypatch.setitem(MEASURES, name, entry)


@pytest.mark.parametrize("metric", ["cells_at_star", "cubes"])
def test_it_is_searched_planned_and_scored(metric: str, tmp_path: Path) -> None:
    url = people(tmp_path)
    exhaustive = kanon_sql.plan(job(url, utility=f"metric: {metric}", search="algorithm: exhaustive"))
    asked = job(url, utility=f"metric: {metric}")
    released = kanon_sql.run(asked)
    score = kanon_sql.score(asked)
    with duckdb.connect(str(tmp_path / "people.duckdb")) as connection:
        sizes = [
            n for (n,) in connection.execute('select count(*) from "release".people group by age, region').fetchall()
        ]
    assert released.plan.node == exhaustive.node
    assert released.plan.utility["cubes"] == score.measures["cubes"] == sum(n**3 for n in sizes)
    stars = sum(level == star for level, star in zip(released.plan.node.values(), (4, 2), strict=True)) / 2
    assert released.plan.utility["cells_at_star"] == score.measures["cells_at_star"] == stars
    assert set(score.attributes["age"]) >= {"cells_at_star", "glm"}


def test_local_recodings_report_it(tmp_path: Path) -> None:
    plan = kanon_sql.plan(job(people(tmp_path), search="algorithm: mondrian"))
    assert plan.utility["cubes"] >= 5**3
    assert 0 <= plan.utility["cells_at_star"] <= 1


def test_comparisons_and_pages_show_it(tmp_path: Path) -> None:
    pytest.importorskip("altair", reason="the extra `report` is not installed")
    from kanon_sql.pages.comparison_page import comparison_page

    asked = job(people(tmp_path))
    compared = kanon_sql.compare(asked, ["best-first", "mondrian"], [5])
    assert {"cells_at_star", "cubes"} <= set(compared.measures)
    assert compared.winners(5, "cubes") == ["mondrian"]
    assert "Cubes of class sizes" in comparison_page(compared, title="t", job="j")
    released = kanon_sql.run(asked)
    page = tmp_path / "report.html"
    kanon_sql.report(asked, released.run, page)
    assert "Cubes of class sizes" in page.read_text()
    assert "Cells at *" in page.read_text()


def test_the_schema_lists_it_and_the_error_too(monkeypatch: pytest.MonkeyPatch) -> None:
    names = job_schema()["$defs"]["Utility"]["properties"]["metric"]["enum"]
    assert {"glm", "cubes"} <= set(names)
    assert "rv_by_rows" not in names
    monkeypatch.delitem(MEASURES, "cubes")
    with pytest.raises(JobError, match="unknown metric 'cubes'") as raised:
        parse_job(job_text("duckdb://", utility="metric: cubes"))
    assert "known are rv, ncp" in str(raised.value.hint)
