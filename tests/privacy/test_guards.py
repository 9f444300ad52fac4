"""Each guard finds what it is for, says it in one line, lets itself be accepted, and stops a run where it must."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import kanon_sql
from kanon_sql.config.schema import Job
from kanon_sql.errors import PrivacyGateFailed
from tests.support import fetch, job_of, make_table

COLUMNS = ["id integer", "age integer", "zip varchar", "ill varchar", "note varchar"]
ROLES: dict[str, Any] = {
    "id": {"role": "identifier"},
    "age": {"role": "quasi", "levels": [10, "*"]},
    "zip": {"role": "quasi", "levels": ["*"]},
    "ill": {"role": "sensitive"},
    "note": {"role": "keep"},
}


def people() -> list[list[Any]]:
    """Two ZIP codes of ten people each, every note held by ten, both illnesses in each; and one person apart."""
    rows: list[list[Any]] = [
        [
            number,
            20 + number % 2,
            "1000" if number < 10 else "2000",
            "flu" if number % 4 < 2 else "ulcer",
            f"n{number % 2}",
        ]
        for number in range(20)
    ]
    return rows


def run(url: str, folder: Path, rows: list[list[Any]], roles: dict[str, Any] = ROLES, **privacy: Any) -> dict[str, Any]:
    make_table(url, "people", COLUMNS, rows)
    return published(job_of(url, "people", roles, base=folder, privacy={"k": 3} | privacy))


def published(job: Job, rebase: str | None = None) -> dict[str, Any]:
    result = kanon_sql.run(job, rebase=rebase).to_dict()
    return {finding["guard"]: finding for finding in result["guards"]}


def test_every_guard_passes_a_table_without_faults(engine_url: str, tmp_path: Path) -> None:
    guards = run(engine_url, tmp_path, people(), ROLES | {"note": {"role": "drop"}})
    assert list(guards) == [
        "rows_per_person",
        "nearly_unique_columns",
        "published_combinations",
        "homogeneous_classes",
        "recoverable_suppression",
        "margin",
    ]
    assert {finding["status"] for finding in guards.values()} == {"passed"}


def test_a_repeated_identifier_stops_the_run_until_it_is_named_or_accepted(engine_url: str, tmp_path: Path) -> None:
    rows = people()
    rows[1][0] = rows[0][0]
    with pytest.raises(PrivacyGateFailed, match=r"rows_per_person: id has 19 values in 20 rows"):
        run(engine_url, tmp_path, rows)
    assert not fetch(
        engine_url, "select 1 from information_schema.tables where table_name = 'people' and table_schema = 'release'"
    )
    job = job_of(engine_url, "people", ROLES, base=tmp_path, privacy={"k": 3, "accept": ["rows_per_person"]})
    assert published(job)["rows_per_person"]["status"] == "accepted"
    named = job_of(engine_url, "people", ROLES, base=tmp_path, k=3, source={"person": "id"})
    assert published(named, rebase="nobody was followed so far")["rows_per_person"]["status"] == "passed"


def test_a_nearly_unique_kept_column_stops_the_run(engine_url: str, tmp_path: Path) -> None:
    rows = people()
    for row in rows:
        row[4] = f"free text {row[0]}"
    with pytest.raises(PrivacyGateFailed, match="nearly_unique_columns: note"):
        run(engine_url, tmp_path, rows)


def test_some_rare_values_warn(engine_url: str, tmp_path: Path) -> None:
    rows = people()
    rows[0][4] = "alone"
    finding = run(engine_url, tmp_path, rows)["nearly_unique_columns"]
    assert (finding["status"], finding["count"]) == ("warning", 1)


def test_combinations_with_kept_columns_warn(engine_url: str, tmp_path: Path) -> None:
    # ZIP and age leave two classes of ten, or four of five; with the note some fall below three.
    rows = people()
    for row in rows:
        row[4] = f"n{row[0] % 5}"
    finding = run(engine_url, tmp_path, rows)["published_combinations"]
    assert finding["status"] == "warning"
    assert finding["count"] == 20


def test_homogeneous_classes_warn_and_block_where_the_job_says_so(engine_url: str, tmp_path: Path) -> None:
    rows = people()
    for row in rows[:10]:
        row[3] = "flu"
    finding = run(engine_url, tmp_path, rows)["homogeneous_classes"]
    assert finding["status"] == "warning"
    assert finding["count"] == 10
    job = job_of(engine_url, "people", ROLES, base=tmp_path, privacy={"k": 3, "guards": "block"})
    with pytest.raises(PrivacyGateFailed, match="homogeneous_classes"):
        published(job)


def test_suppressed_rows_that_totals_would_reveal_warn(engine_url: str, tmp_path: Path) -> None:
    rows = people()
    rows.append([20, 88, "1000", "ulcer", "n0"])
    finding = run(engine_url, tmp_path, rows, suppression=0.1)["recoverable_suppression"]
    assert (finding["status"], finding["count"]) == ("warning", 1)


def test_a_difference_below_k_under_one_label_warns(engine_url: str, tmp_path: Path) -> None:
    rows = people()
    rows += [[20 + i, 60 + 10 * i, f"{3 + i}000", "ulcer", "n0"] for i in range(3)]
    finding = run(engine_url, tmp_path, rows, suppression=0.15)["recoverable_suppression"]
    assert finding["status"] == "warning"
    assert "totals by" in finding["message"]
    assert finding["count"] == 3


def test_the_margin_is_searched_for(engine_url: str, tmp_path: Path) -> None:
    finding = run(engine_url, tmp_path, people(), margin=4)["margin"]
    assert finding["status"] == "passed"
    smallest = fetch(
        engine_url, "select min(c) from (select count(*) as c from release.people group by age, zip) as s"
    )[0][0]
    assert finding["count"] == smallest
    assert smallest >= 7
