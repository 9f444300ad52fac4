"""The statements of a night of kept groups, as they are sent, per dialect."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from kanon_sql.sql import statements
from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.statement import Statement
from kanon_sql.sql.statements.nights import FrozenLabels, RowIdentity
from tests.sql.golden_files import DIALECTS, compare


def work(what: str) -> Relation:
    return Relation(("kanon_work", f"r1_{what}"))


MEMBERS, LABELS, VALUES = (
    Relation(("kanon_ledger", f"groups_1_2_{what}_v7")) for what in ("members", "labels", "values")
)
SHAPE = FrozenLabels((0,), (1,), ((2, ((0, 7),)),), (3,), VALUES)
WORD = "case when words.label_0 is null then 'n' else 'v' || words.label_0 end"
COLUMNS = ["label_0", "label_1", "low_0", "high_0", "from_0", "to_0", "null_0", "level_1"]


def made(dialect: Dialect) -> dict[str, Statement]:
    nights = statements.nights
    order = [dialect.ordered("labels.label_0", "text")]
    key = dialect.person_digest(dialect.literal("sa'lt"), 'numbered."id"')
    one = RowIdentity([("kanon_q0_0", "q0_0")], ["rows.id"], "kanon_place", "kanon_ordinal", "id", key, "''", False)
    several = RowIdentity([("kanon_q0_0", "q0_0")], ["rows.id"], "kanon_place", "kanon_ordinal", "id", key, key, True)
    words = [(3, work("dictionary_3"), WORD)]
    trees = [(1, work("dictionary_1"), work("code_1"), [0, 1])]
    sets = [(2, work("dictionary_2"), work("code_2"), [0], WORD)]
    rows, placed, live, joined = work("night_rows"), work("night_placed"), work("night_live"), work("night_joined")
    assigned, founded, accepted = work("night_assigned"), work("night_founded"), work("night_accepted")
    boxes, units, room = work("night_boxes"), work("units"), work("night_room")
    part = work("night_waiting_units")
    arguments = (work("coded"), units, work("rows"))
    return {
        "nights/rows": nights.rows(dialect, rows, *arguments, one, [(0, "age")], words, ["a1", "m0"], "sa'lt"),
        "nights/rows.several": nights.rows(dialect, rows, *arguments, several, [], [], [], "sa'lt"),
        "nights/boxes": nights.boxes(dialect, boxes, LABELS, VALUES, [0], trees, sets, [3]),
        "nights/placed": nights.placed(dialect, placed, rows, MEMBERS, boxes, SHAPE),
        "nights/placed.first": nights.placed(dialect, placed, rows, None, None, SHAPE),
        "nights/live_groups": nights.live_groups(dialect, live, placed, 10),
        "nights/joined": nights.joined(dialect, joined, placed, rows, boxes, live, SHAPE),
        "nights/assigned": nights.assigned(dialect, assigned, placed, live, joined),
        "nights/assigned.strict": nights.assigned(dialect, assigned, placed, live, None),
        "nights/mean_loss": nights.mean_loss(dialect, assigned, boxes),
        "nights/waiting_room": nights.waiting_room(dialect, room, placed, assigned),
        "nights/subset": nights.subset(dialect, work("night_waiting_units"), units, room, ["place", "q0_0", "n"]),
        "nights/accepted_groups": nights.accepted_groups(
            dialect,
            accepted,
            work("boxes_1"),
            work("labels"),
            order,
            41,
            assignment=work("assignment_1"),
            units=work("night_waiting_units"),
            room=room,
            most=300_000,
            patience=3,
        ),
        "nights/accepted_groups.first": nights.accepted_groups(
            dialect, accepted, work("boxes_1"), work("labels"), order, 0
        ),
        "nights/founded": nights.founded(
            dialect,
            founded,
            [(work("assignment_1"), part, accepted), (work("split_assignment_1"), part, work("split"))],
        ),
        "nights/founded.first": nights.founded(dialect, founded, [(work("assignment_1"), None, accepted)]),
        "nights/large_groups": nights.large_groups(dialect, work("night_large"), assigned, placed, live, LABELS, 20),
        "nights/whole_groups": nights.whole_groups(dialect, work("night_whole"), part, work("night_large")),
        "nights/split_groups": nights.split_groups(
            dialect,
            work("night_split"),
            work("split_assignment_1"),
            part,
            work("night_large"),
            work("split_boxes_1"),
            work("night_split_found"),
            order,
            10,
            41,
        ),
        "nights/assignment": nights.assignment(
            dialect, work("night_assignment"), assigned, founded, work("night_resting")
        ),
        "nights/assignment.plain": nights.assignment(dialect, work("night_assignment"), assigned, None, None),
        "nights/labels": nights.labels(
            dialect, work("night_labels"), LABELS, live, [(work("labels"), accepted)], founded, placed, COLUMNS
        ),
        "nights/labels.first": nights.labels(
            dialect, work("night_labels"), None, None, [(work("labels"), accepted)], founded, placed, COLUMNS
        ),
        "nights/values": nights.values(dialect, work("night_values"), VALUES, live, founded, units, words),
        "nights/members": nights.members(dialect, work("night_members"), placed, assigned, live, founded, MEMBERS, 8),
        "nights/members.first": nights.members(dialect, work("night_members"), placed, founded, None, founded, None, 1),
        "nights/story": nights.story(dialect, placed, assigned, work("night_members"), MEMBERS, live),
        "nights/last_group": nights.last_group(dialect, MEMBERS, LABELS),
        "nights/present": nights.present(dialect, work("night_1_present"), rows, ["v_0", "a1"], 2, 3, 0.005, 1),
        "nights/forget_member": nights.forget_member(dialect, MEMBERS, "7"),
        "nights/without_member": nights.without_member(dialect, work("night_members"), MEMBERS, "7"),
        "nights/keep": nights.keep(dialect, MEMBERS, work("night_members")),
    }


@pytest.mark.parametrize("engine", DIALECTS)
def test_statements_of_kept_groups(engine: str, golden: Callable[[Path, str], None]) -> None:
    compare(engine, made(DIALECTS[engine]), golden)


@pytest.mark.parametrize("engine", DIALECTS)
def test_a_trace_shows_no_salt(engine: str) -> None:
    dialect = DIALECTS[engine]
    statement = made(dialect)["nights/rows"]
    assert dialect.text_literal("sa'lt") in statement.sql
    assert statement.shown is not None and dialect.text_literal("sa'lt") not in statement.shown
