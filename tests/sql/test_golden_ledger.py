"""The statements of releasing again, as they are sent, per dialect."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from kanon_sql.model.forms import Form
from kanon_sql.sql import statements
from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.register_names import RegisterNames
from kanon_sql.sql.statement import Statement
from kanon_sql.sql.statements.ledger import LedgerNames
from tests.sql.golden_files import DIALECTS, compare, runs_on

NAMES = LedgerNames(Relation(("kanon_ledger", "releases")), Relation(("kanon_ledger", "memberships")))
SOURCE = Relation(("census", "people"))
MEMBERS, TRAILS = Relation(("kanon_work", "r1_members")), Relation(("kanon_work", "r1_trails"))
KEPT = Relation(("kanon_work", "kept_1_2"))
COLUMNS = [("v0", "age"), ("s0", "diag'nosis")]


def made(dialect: Dialect) -> dict[str, Statement]:
    rows, violating = Relation(("kanon_work", "r1_coded")), Relation(("kanon_work", "r1_violating"))

    return {
        "ledger/releases": statements.ledger.releases(dialect, NAMES),
        "ledger/memberships": statements.ledger.memberships(dialect, NAMES),
        "ledger/members": statements.ledger.members(
            dialect, MEMBERS, rows, "id", "sa'lt", [("s0", "diagnosis")], violating, ["rows.kanon_q0_1"]
        ),
        "ledger/members.at_star": statements.ledger.members(dialect, MEMBERS, rows, "id", "salt", [], None, []),
        "ledger/members_behind": statements.ledger.members_behind(
            dialect,
            MEMBERS,
            rows,
            ["age", 'to"wn'],
            "kanon_person",
            "kanon_class",
            "sa'lt",
            [("s0", "kanon_sensitive_0")],
        ),
        "ledger/trails": statements.ledger.trails(dialect, NAMES, TRAILS, MEMBERS, "release.people", 7, 6),
        "ledger/candidates": statements.ledger.candidates(dialect, TRAILS, 5),
        "ledger/values_left": statements.ledger.values_left(dialect, TRAILS, MEMBERS, "s0", 3),
        "ledger/entries": statements.ledger.entries(dialect, NAMES, "release.people"),
        "ledger/entered": statements.ledger.entered(dialect, MEMBERS),
        "ledger/record": statements.ledger.record(dialect, NAMES, MEMBERS, "release.people", 7),
        "ledger/remembered": statements.ledger.remembered(dialect, NAMES, "release.people"),
        "ledger/forget": statements.ledger.forget(dialect, NAMES.memberships, "release.people", [6, 7]),
        "register/salt": statements.register.salt(dialect, RegisterNames(Relation(("kanon",))), "release.people"),
        "release/fingerprint": statements.release.fingerprint(
            dialect, SOURCE, ["age", dialect.read("pay", Form.FLOAT)]
        ),
        "kept/create": statements.kept.create(dialect, KEPT, SOURCE, "floor(id / 10)", COLUMNS),
        "kept/stale": statements.kept.stale(dialect, KEPT, SOURCE, "floor(id / 10)", ['"age"', '"zip"'], ["v0", "v1"]),
        "kept/forget": statements.kept.forget(dialect, KEPT, [1, 2]),
        "kept/refresh": statements.kept.refresh(dialect, KEPT, SOURCE, "floor(id / 10)", COLUMNS, [1, 2]),
        "kept/raw": statements.kept.raw(dialect, Relation(("kanon_work", "r1_raw")), KEPT, COLUMNS),
    }


@pytest.mark.parametrize("engine", DIALECTS)
def test_golden(engine: str, golden: Callable[[Path, str], None]) -> None:
    compare(engine, made(DIALECTS[engine]), golden)


@pytest.mark.parametrize("engine", runs_on("ledger/members"))
def test_traces_do_not_show_the_salt(engine: str) -> None:
    statement = made(DIALECTS[engine])["ledger/members"]
    assert "sa''lt" in statement.sql
    assert statement.shown is not None
    assert "sa'" not in statement.shown
