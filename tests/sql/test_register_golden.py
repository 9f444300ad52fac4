"""The register's statements and those that look at a table, as they are sent, per dialect."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from pathlib import Path

import pytest
import sqlglot

from kanon_sql.sql import looking_statements, register_statements
from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.register_names import RegisterNames
from kanon_sql.sql.statement import Statement
from tests.sql.test_golden import DIALECTS, GOLDEN

NAMES = RegisterNames(Relation(("kanon",)))
SOURCE = Relation(("census", "people"))
KINDS = [(0, "age", "integer"), (1, 'na"me', "text"), (2, "seen", "timestamptz"), (3, "scan", "ungroupable")]


def made(dialect: Dialect) -> dict[str, Statement]:
    values = {"status": "failed", "ended": datetime.datetime(2026, 1, 2, 3, 4, 5), "error": "it's 100%", "node": None}
    return {
        "register_revision": register_statements.revision(dialect, NAMES),
        "register_lock": register_statements.lock(dialect),
        "register_insert": register_statements.insert(dialect, NAMES.runs, {"id": "r1", "pid": 7}),
        "register_finish_run": register_statements.finish_run(dialect, NAMES, "r1", values),
        "register_runs": register_statements.runs(dialect, NAMES, "release.people", "r1", 2),
        "register_next_version": register_statements.next_version(dialect, NAMES, "release.people"),
        "register_change_state": register_statements.change_state(dialect, NAMES, "j", "dropped", 3, "t__v3", "kept"),
        "register_releases": register_statements.releases(dialect, NAMES, "j", "r1", "current"),
        "register_frontier": register_statements.frontier(dialect, NAMES, "r1"),
        "register_forget_frontier": register_statements.forget_frontier(dialect, NAMES, "r1"),
        "onboarding_summary": looking_statements.summary(dialect, SOURCE, 100, KINDS),
        "onboarding_common_values": looking_statements.common_values(
            dialect, SOURCE, 100, 5, [(0, "sex"), (1, "race")], "person_id"
        ),
        "doctor_may_create": looking_statements.may_create(dialect, "kanon"),
        "doctor_may_replace": looking_statements.may_replace(dialect, Relation(("release", "people"))),
        "doctor_may_write": looking_statements.may_write(dialect, NAMES.runs),
        "doctor_time_zone": looking_statements.time_zone(dialect),
        "doctor_space": looking_statements.space(dialect, SOURCE),
        "doctor_persons": looking_statements.persons(dialect, SOURCE, "person_id"),
        "doctor_source_rows": looking_statements.source_rows(dialect, SOURCE),
        "doctor_uncovered_values": looking_statements.uncovered_values(
            dialect, Relation(("kanon_work", "r1_dictionary_0")), 5, 3
        ),
    }


@pytest.mark.parametrize("engine", DIALECTS)
def test_golden(engine: str, golden: Callable[[Path, str], None]) -> None:
    for name, statement in made(DIALECTS[engine]).items():
        sqlglot.parse_one(statement.sql, dialect="postgres" if engine == "postgresql" else engine)
        golden(GOLDEN / engine / f"{name}.sql", f"-- {statement.label}\n{statement.sql}\n")
