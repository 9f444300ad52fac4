"""The statements of releasing again, as they are sent, per dialect."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from kanon_sql.model.forms import Form
from kanon_sql.sql import statements
from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.register_names import RegisterNames
from kanon_sql.sql.statement import Statement
from kanon_sql.sql.statements.ledger import LedgerNames, Night, Persons
from tests.sql.golden_files import DIALECTS, compare, runs_on

NAMES = LedgerNames(*(Relation(("kanon_ledger", f"{what}_0123456789ab")) for what in ("people", "cells", "nights")))
NIGHT = Night(*(Relation(("kanon_work", f"r1_ledger_{field.name}")) for field in dataclasses.fields(Night)))
ONE, SEVERAL = Persons("sa'lt", several=False, nameless=False), Persons("sa'lt", several=True, nameless=True)
REGISTER = RegisterNames(Relation(("kanon",)))
SOURCE = Relation(("census", "people"))
KEPT = Relation(("kanon_work", "kept_1_2"))
COLUMNS = [("v0", "age"), ("s0", "diag'nosis")]


def made(dialect: Dialect) -> dict[str, Statement]:
    rows, violating = Relation(("kanon_work", "r1_coded")), Relation(("kanon_work", "r1_violating"))
    base, ledger = Relation(("kanon_work", "r1_base")), statements.ledger
    labels = [(0, "q0_1", Relation(("kanon_work", "r1_dictionary_0")), "label_1")]

    def behind(persons: Persons) -> Statement:
        return ledger.present_in_groups(
            dialect,
            NIGHT,
            NAMES,
            rows,
            ["age", 'to"wn'],
            "kanon_person",
            "kanon_row",
            "kanon_class",
            ["kanon_raw_0"],
            [("s0", "kanon_sensitive_0")],
            persons,
        )

    return {
        "ledger/people": ledger.people(dialect, NAMES),
        "ledger/cells": ledger.cells(dialect, NAMES),
        "ledger/nights": ledger.nights(dialect, NAMES, keyed=dialect.name != "spark"),
        "ledger/known_nights": ledger.known_nights(dialect, NAMES),
        "ledger/state": ledger.state(dialect, NAMES),
        "ledger/tops": ledger.tops(dialect, NAMES),
        "ledger/nameless": ledger.nameless(dialect, SOURCE, "id"),
        "ledger/classes": ledger.classes(
            dialect, NIGHT.classes, base, ["q0_1"], labels, "sa'lt", ["d0.label", "'*'"], violating
        ),
        "ledger/classes.at_star": ledger.classes(dialect, NIGHT.classes, base, [], [], "salt", ["'*'"], None),
        "ledger/classes_of_groups": ledger.classes_of_groups(dialect, NIGHT.classes, rows, ["age", 'to"wn'], "sa'lt"),
        "ledger/present": ledger.present(
            dialect, NIGHT, NAMES, rows, "id", ["age"], ["rows.kanon_q0_1"], [("s0", "diagnosis")], ONE
        ),
        "ledger/present.first": ledger.present(
            dialect, NIGHT, NAMES, rows, "id", ["age"], ["rows.kanon_q0_1"], [], replace(ONE, known=False)
        ),
        "ledger/present.single": ledger.present(
            dialect, NIGHT, NAMES, rows, "id", ["age"], ["rows.kanon_q0_1"], [], replace(ONE, single=True)
        ),
        "ledger/present.several": ledger.present(
            dialect, NIGHT, NAMES, rows, "id", ["age", 'to"wn'], ["rows.kanon_q0_1"], [], SEVERAL
        ),
        "ledger/present_in_groups": behind(ONE),
        "ledger/present_in_groups.several": behind(SEVERAL),
        "ledger/batches": ledger.batches(dialect, NIGHT, NAMES, "release.people", "0f1e", False),
        "ledger/batch_rows": ledger.batch_rows(dialect, NIGHT, [(0, Relation(("kanon_work", "r1_sensitive_0")))]),
        "ledger/decided": ledger.decided(
            dialect, NIGHT, NAMES, "release.people", 5, poor=True, strict=False, accepted=False
        ),
        "ledger/decided.strict": ledger.decided(
            dialect, NIGHT, NAMES, "release.people", 5, poor=False, strict=True, accepted=True
        ),
        "ledger/outcomes": ledger.outcomes(dialect, NIGHT, 7, 6),
        "ledger/fellows": ledger.fellows(dialect, NIGHT, NAMES, 5, whole=False),
        "ledger/new_people": ledger.new_people(dialect, NIGHT, 7, several=False, fellows=False),
        "ledger/new_people.strict": ledger.new_people(dialect, NIGHT, 7, several=True, fellows=True),
        "ledger/new_cells": ledger.new_cells(dialect, NIGHT, NAMES, "release.people", "0f1e", 7, 6),
        "ledger/forget_people": ledger.forget_people(dialect, NAMES.people, NIGHT.people),
        "ledger/enter_people": ledger.enter_people(dialect, NAMES.people, NIGHT.people),
        "ledger/forget_cells": ledger.forget_cells(dialect, NAMES.cells, NIGHT.cells),
        "ledger/enter_cells": ledger.enter_cells(dialect, NAMES.cells, NIGHT.cells),
        "ledger/rebuilt_people": ledger.rebuilt_people(dialect, SOURCE, NAMES.people, NIGHT.people),
        "ledger/rebuilt_cells": ledger.rebuilt_cells(dialect, SOURCE, NAMES.cells, NIGHT.cells),
        "ledger/rebuilt_nights": ledger.rebuilt_nights(
            dialect,
            SOURCE,
            [(1, "rel.t", 1, "0f", "ab", 9, "12", 0, "night"), (2, "rel.t", 2, "0f", "ab", 9, "12", 0, "night")],
        ),
        "ledger/person_entries": ledger.person_entries(dialect, NAMES, "sa'lt", "o'neil"),
        "ledger/person_rows": ledger.person_rows(dialect, SOURCE, "id", "o'neil"),
        "ledger/forget_person": ledger.forget_person(dialect, NAMES.people, "sa'lt", "o'neil"),
        "ledger/without_person": ledger.without_person(dialect, SOURCE, NAMES.people, "sa'lt", "o'neil"),
        "ledger/copied": ledger.copied(dialect, SOURCE, NAMES.cells),
        "ledger/amend_night": ledger.amend_night(dialect, NAMES.nights, 7, 99, "123"),
        "ledger/retire_class": ledger.retire_class(dialect, SOURCE, ["age", 'to"wn'], "sa'lt", ["0f1e"]),
        "register/set_rows": statements.register.set_rows(dialect, REGISTER, "rel.t", 3, 90, "duckdb /a.duckdb"),
        "ledger/clear": ledger.clear(dialect, NAMES.people),
        "ledger/night_figures": ledger.night_figures(dialect, NIGHT),
        "ledger/poor_sets": ledger.poor_sets(dialect, NIGHT, 5),
        "ledger/waiting": ledger.waiting(dialect, NIGHT, NAMES, 3),
        "ledger/left": ledger.left(dialect, NIGHT, NAMES, "release.people", several=False),
        "ledger/left.several": ledger.left(dialect, NIGHT, NAMES, "release.people", several=True),
        "ledger/withheld": ledger.withheld(dialect, NIGHT, SOURCE, "id", ["age"], "kanon_n", ONE, fellows=False),
        "ledger/withheld.several": ledger.withheld(
            dialect, NIGHT, SOURCE, "id", ["age"], "kanon_n", SEVERAL, fellows=True
        ),
        "ledger/withheld_in_groups": ledger.withheld_in_groups(dialect, NIGHT, fellows=False),
        "ledger/released": ledger.released(dialect, rows, SOURCE, NIGHT.withheld, "id", ["age"], "kanon_n"),
        "ledger/released_groups": ledger.released_groups(dialect, rows, SOURCE, NIGHT.withheld, "kanon_row"),
        "ledger/withheld_rows": ledger.withheld_rows(dialect, NIGHT.withheld, "kanon_n"),
        "ledger/proof": ledger.proof(dialect, NIGHT, NAMES, 5, strict=False, persons=ONE, fellows=False),
        "ledger/proof.first": ledger.proof(
            dialect, NIGHT, NAMES, 5, strict=False, persons=replace(ONE, known=False), fellows=False
        ),
        "ledger/proof.single": ledger.proof(
            dialect, NIGHT, NAMES, 5, strict=False, persons=replace(ONE, single=True), fellows=False
        ),
        "ledger/proof.strict": ledger.proof(dialect, NIGHT, NAMES, 5, strict=True, persons=SEVERAL, fellows=True),
        "register/ledger_state": statements.register.ledger_state(
            dialect, REGISTER, "duckdb /a.duckdb", "0123456789ab"
        ),
        "register/withdraw_ledger": statements.register.withdraw_ledger(dialect, REGISTER, "r1"),
        "register/salt": statements.register.salt(dialect, REGISTER, "release.people"),
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


@pytest.mark.parametrize("engine", runs_on("ledger/present"))
def test_traces_do_not_show_the_salt(engine: str) -> None:
    statement = made(DIALECTS[engine])["ledger/present"]
    assert DIALECTS[engine].text_literal("sa'lt") in statement.sql
    assert statement.shown is not None
    assert "sa'" not in statement.shown
