"""A risk preset sets exactly what it says: k, and the least levels of dates, postal codes and ages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import kanon_sql
from kanon_sql.errors import JobError
from kanon_sql.model.privacy.presets import PRESETS
from tests.support import job_of, make_table

COLUMNS = ["birth date", "zip varchar", "age integer", "height integer"]
ROLES: dict[str, Any] = {
    "birth": {"role": "quasi", "levels": ["month", "quarter", "year", "decade", "*"]},
    "zip": {"role": "quasi", "levels": [{"prefix": 4}, {"prefix": 3}, {"prefix": 2}, "*"]},
    "age": {"role": "quasi", "levels": [5, {"cuts": [18, 65, 90]}, {"cuts": [18, 65]}, "*"]},
    "height": {"role": "quasi", "levels": [5, "*"]},
}


def rows(oldest: int) -> list[tuple[object, ...]]:
    """A few persons, all alike but for the oldest, so that every level below the preset's would pass."""
    return [("1980-05-17", "12345", 40, 170)] * 30 + [("1980-05-17", "12345", oldest, 170)] * 30


@pytest.mark.parametrize(
    ("preset", "oldest", "node"),
    [
        # Nobody is 90: single years may stand. With someone of 95 the old must be in one group.
        ("hipaa", 60, {"birth": 3, "zip": 2, "age": 0, "height": 0}),
        ("hipaa", 95, {"birth": 3, "zip": 2, "age": 2, "height": 0}),
        ("ema", 60, {"birth": 1, "zip": 2, "age": 1, "height": 0}),
        ("ema", 95, {"birth": 1, "zip": 2, "age": 2, "height": 0}),
        ("strict", 60, {"birth": 3, "zip": 3, "age": 2, "height": 0}),
        ("strict", 86, {"birth": 3, "zip": 3, "age": 3, "height": 0}),
    ],
)
def test_a_preset_sets_k_and_least_levels(
    duckdb_url: str, tmp_path: Path, preset: str, oldest: int, node: dict[str, int]
) -> None:
    make_table(duckdb_url, "people", COLUMNS, rows(oldest))
    job = job_of(duckdb_url, "people", ROLES, base=tmp_path, privacy={"k": PRESETS[preset].k, "risk": preset})
    plan = kanon_sql.plan(job)
    assert plan.node == node
    assert PRESETS[preset].statement in plan.notes
    assert plan.risk["share_above"] == 0
    assert plan.risk["threshold"] == PRESETS[preset].threshold


def test_a_preset_gives_k_and_refuses_a_smaller_one(duckdb_url: str, tmp_path: Path) -> None:
    from kanon_sql.config.load import parse_job

    text = "version: 1\nsource: {url: 'duckdb:///x', table: t}\nprivacy: {%s}\ncolumns: {age: {role: quasi}}\n"
    assert parse_job(text % "risk: ema").privacy.k == 12
    assert parse_job(text % "risk: ema, k: 15").privacy.k == 15
    with pytest.raises(JobError, match="asks for k = 12 at least"):
        parse_job(text % "risk: ema, k: 11")


def test_a_preset_that_max_level_forbids_is_an_error(duckdb_url: str, tmp_path: Path) -> None:
    make_table(duckdb_url, "people", COLUMNS, rows(60))
    roles = ROLES | {"zip": {"role": "quasi", "levels": [{"prefix": 4}, {"prefix": 3}, "*"], "max_level": 1}}
    with pytest.raises(JobError, match=r"columns\.zip: risk: ema wants postal codes of at most 3 characters"):
        kanon_sql.plan(job_of(duckdb_url, "people", roles, base=tmp_path, privacy={"k": 12, "risk": "ema"}))


def test_the_hierarchy_of_a_sensitive_column_is_checked_offline(tmp_path: Path) -> None:
    from kanon_sql.config.attributes import validate_offline
    from kanon_sql.config.load import parse_job
    from kanon_sql.errors import HierarchyError

    text = (
        "version: 1\nsource: {url: 'duckdb:///x', table: t}\n"
        "privacy: {k: 2, t_closeness: {ill: {t: 0.2, distance: hierarchical, hierarchy: ill.csv}}}\n"
        "columns: {age: {role: quasi}, ill: {role: sensitive}}\n"
    )
    job = parse_job(text, tmp_path / "job.yml")
    with pytest.raises(HierarchyError, match="there is no file"):
        validate_offline(job)
    (tmp_path / "ill.csv").write_text("flu;lung;body;*\nulcer;lung;soul;*\n")
    with pytest.raises(HierarchyError, match="does not nest"):
        validate_offline(job)
