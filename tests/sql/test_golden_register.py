"""The register's statements and those that look at a table, as they are sent, per dialect."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from pathlib import Path

import pytest

from kanon_sql.sql import statements
from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.register_names import RegisterNames
from kanon_sql.sql.statement import Statement
from tests.sql.golden_files import DIALECTS, compare

NAMES = RegisterNames(Relation(("kanon",)))
SOURCE = Relation(("census", "people"))
KINDS = [("age", "integer"), ('na"me', "text"), ("seen", "timestamptz"), ("scan", "text")]


def made(dialect: Dialect) -> dict[str, Statement]:
    values = {"status": "failed", "ended": datetime.datetime(2026, 1, 2, 3, 4, 5), "error": "it's 100%", "node": None}
    columns = [(place, name, kind, dialect.identifier(name)) for place, (name, kind) in enumerate(KINDS)]
    return {
        "register/revision": statements.register.revision(dialect, NAMES),
        "register/lock": statements.register.lock(dialect),
        "register/insert": statements.register.insert(dialect, NAMES.runs, {"id": "r1", "pid": 7}),
        "register/finish_run": statements.register.finish_run(dialect, NAMES, "r1", values),
        "register/runs": statements.register.runs(dialect, NAMES, "release.people", "r1", 2),
        "register/runs.ended": statements.register.runs(
            dialect, NAMES, "release.people", limit=1, ended=(("run", "published"), ("rollback", "done"))
        ),
        "register/next_version": statements.register.next_version(dialect, NAMES, "release.people"),
        "register/change_state": statements.register.change_state(dialect, NAMES, "j", "dropped", 3, "t__v3", "kept"),
        "register/releases": statements.register.releases(dialect, NAMES, "j", "r1", "current"),
        "register/releases.elsewhere": statements.register.releases(dialect, NAMES, "j", database="duckdb /a.duckdb"),
        "register/running": statements.register.running(dialect, NAMES, "j", "duckdb /a.duckdb"),
        "register/owner": statements.register.owner(dialect, NAMES, "", "release.people"),
        "register/forget_owner": statements.register.forget_owner(dialect, NAMES, "", "release.people"),
        "register/rename_job": statements.register.rename_job(dialect, NAMES.runs, "people", "main.people"),
        "register/place_run": statements.register.place_run(dialect, NAMES.runs, "id", "r1", "duckdb /a.duckdb"),
        "register/frontier": statements.register.frontier(dialect, NAMES, "r1"),
        "register/forget_frontier": statements.register.forget_frontier(dialect, NAMES, "r1"),
        "onboarding/summary": statements.onboarding.summary(dialect, SOURCE, 100, columns),
        "onboarding/common_values": statements.onboarding.common_values(
            dialect,
            SOURCE,
            100,
            5,
            [(0, "sex", dialect.identifier("sex")), (1, "race", dialect.as_text(dialect.identifier("race")))],
            "person_id",
        ),
        "onboarding/column_values": statements.onboarding.column_values(dialect, SOURCE, "race", 1000),
        "onboarding/quantiles": statements.onboarding.quantiles(dialect, SOURCE, "age", 16),
        "onboarding/singled_out": statements.onboarding.singled_out(
            dialect, SOURCE, 100, [(0, ["age"]), (1, ["age", "sex"])]
        ),
        "onboarding/taxonomy": statements.onboarding.taxonomy(
            dialect, Relation(("ref", "places")), "code", "parent", "name"
        ),
        "doctor/may_create": statements.doctor.may_create(dialect, "kanon"),
        "doctor/may_replace": statements.doctor.may_replace(dialect, Relation(("release", "people"))),
        "doctor/may_write": statements.doctor.may_write(dialect, NAMES.runs),
        "doctor/time_zone": statements.doctor.time_zone(dialect),
        "doctor/space": statements.doctor.space(dialect, SOURCE),
        "doctor/persons": statements.doctor.persons(dialect, SOURCE, "person_id"),
        "doctor/source_rows": statements.doctor.source_rows(dialect, SOURCE),
        "doctor/uncovered_values": statements.doctor.uncovered_values(
            dialect, Relation(("kanon_work", "r1_dictionary_0")), 5, 3
        ),
    }


@pytest.mark.parametrize("engine", DIALECTS)
def test_golden(engine: str, golden: Callable[[Path, str], None]) -> None:
    compare(engine, made(DIALECTS[engine]), golden)
