"""The statements of releasing again, as they are sent, per dialect."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import sqlglot

from kanon_sql.sql import again_statements, register_statements
from kanon_sql.sql.again_statements import LedgerNames
from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.register_names import RegisterNames
from kanon_sql.sql.statement import Statement
from tests.sql.test_golden import DIALECTS, GOLDEN

NAMES = LedgerNames(Relation(("kanon_ledger", "releases")), Relation(("kanon_ledger", "memberships")))
SOURCE = Relation(("census", "people"))
MEMBERS, TRAILS = Relation(("kanon_work", "r1_members")), Relation(("kanon_work", "r1_trails"))
KEPT = Relation(("kanon_work", "kept_1_2"))
COLUMNS = [("v0", "age"), ("s0", "diag'nosis")]


def made(dialect: Dialect) -> dict[str, Statement]:
    rows, violating = Relation(("kanon_work", "r1_coded")), Relation(("kanon_work", "r1_violating"))
    again = again_statements
    return {
        "ledger_releases": again.ledger_releases(dialect, NAMES),
        "ledger_memberships": again.ledger_memberships(dialect, NAMES),
        "ledger_members": again.members(
            dialect, MEMBERS, rows, "id", "sa'lt", [("s0", "diagnosis")], violating, ["rows.kanon_q0_1"]
        ),
        "ledger_members_at_star": again.members(dialect, MEMBERS, rows, "id", "salt", [], None, []),
        "ledger_members_behind": again.members_behind(
            dialect,
            MEMBERS,
            rows,
            ["age", 'to"wn'],
            "kanon_person",
            "kanon_class",
            "sa'lt",
            [("s0", "kanon_sensitive_0")],
        ),
        "ledger_trails": again.trails(dialect, NAMES, TRAILS, MEMBERS, "release.people", 7, 6),
        "ledger_candidates": again.candidates(dialect, TRAILS, 5),
        "ledger_values_left": again.values_left(dialect, TRAILS, MEMBERS, "s0", 3),
        "ledger_record": again.record(dialect, NAMES, MEMBERS, "release.people", 7),
        "ledger_remembered": again.remembered(dialect, NAMES, "release.people"),
        "ledger_forget": again.forget(dialect, NAMES.memberships, "release.people", [6, 7]),
        "register_salt": register_statements.salt(dialect, RegisterNames(Relation(("kanon",))), "release.people"),
        "release_fingerprint": again.fingerprint(dialect, SOURCE, ["age", 'na"me']),
        "kept_newest": again.newest(dialect, SOURCE, "changed"),
        "kept_create": again.kept_create(dialect, KEPT, SOURCE, "floor(id / 10)", COLUMNS),
        "kept_stale": again.kept_stale(dialect, KEPT, SOURCE, "floor(id / 10)"),
        "kept_forget": again.kept_forget(dialect, KEPT, [1, 2]),
        "kept_refresh": again.kept_refresh(dialect, KEPT, SOURCE, "floor(id / 10)", COLUMNS, [1, 2]),
        "kept_raw": again.kept_raw(dialect, Relation(("kanon_work", "r1_raw")), KEPT, COLUMNS),
    }


@pytest.mark.parametrize("engine", DIALECTS)
def test_golden(engine: str, golden: Callable[[Path, str], None]) -> None:
    for name, statement in made(DIALECTS[engine]).items():
        sqlglot.parse_one(statement.sql, dialect="postgres" if engine == "postgresql" else engine)
        golden(GOLDEN / engine / f"{name}.sql", f"-- {statement.label}\n{statement.sql}\n")


@pytest.mark.parametrize("engine", DIALECTS)
def test_traces_do_not_show_the_salt(engine: str) -> None:
    statement = made(DIALECTS[engine])["ledger_members"]
    assert "sa''lt" in statement.sql
    assert statement.shown is not None
    assert "sa'" not in statement.shown
