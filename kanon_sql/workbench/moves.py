"""Moves the rows of the operations taken, and makes the groups that they touched anew.

Where operations are few the tables are changed in place: what a round costs goes with what it changes. Where they are many, or
many were before, the tables are written anew, so that they never hold more dead rows than living ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kanon_sql.cluster.questions import Counts
from kanon_sql.sql import statements
from kanon_sql.sql.boxes import UNIT
from kanon_sql.sql.dialect import Relation

if TYPE_CHECKING:
    from kanon_sql.workbench.rounds import Rounds

FEW = 20
"""One row in so many is few."""
DEAD = 2
"""Tables are written anew before one row in so many is dead."""


def apply(rounds: Rounds, taken: Relation) -> Counts:
    dialect, backend, coded = rounds.dialect, rounds.bench.backend, rounds.coded
    done = int(backend.fetch_one(statements.checks.table_rows(dialect, taken))[0])
    if done:
        touched = rounds.make(
            "touched", lambda table: statements.cluster.moving.touched_groups(dialect, table, taken), analyze=True
        )
        moves = rounds.make(
            "moves", lambda table: statements.cluster.moving.moved_rows(dialect, table, taken), analyze=True
        )
        changed = 2 * done * 2 * rounds.k
        rounds.dead += changed
        few = changed * FEW <= rounds.coded.count and DEAD * rounds.dead <= rounds.coded.count
        in_place = few and backend.capabilities.update
        if not in_place:
            rounds.dead = 0
        _replace(rounds, "assign", moves, moves, in_place)
        assign = rounds.tables["assign"]
        fresh_boxes = rounds.make(
            "fresh_boxes",
            lambda table: statements.cluster.moving.box_table(
                dialect, table, assign, coded.rows, coded.boxes, coded.trees, touched
            ),
            analyze=True,
        )
        fresh = rounds.make(
            "fresh_standing",
            lambda table: statements.cluster.moving.row_context(
                dialect, table, assign, coded.rows, fresh_boxes, coded.boxes, coded.trees, touched
            ),
        )
        _replace(rounds, "boxes", touched, fresh_boxes, in_place)
        _replace(rounds, "standing", touched, fresh, in_place)
    counted = backend.fetch_one(
        statements.cluster.moving.sweep_counts(dialect, taken, rounds.tables["boxes"], rounds.k)
    )
    return Counts(done=done, small=int(counted[1]), change=int(counted[2]) / UNIT)


def _replace(rounds: Rounds, what: str, named: Relation, fresh: Relation, in_place: bool) -> None:
    """A table with what is said of the named groups (or, in the assignment, of the named rows) made anew."""
    dialect, old = rounds.dialect, rounds.tables[what]
    column = "rid" if what == "assign" else "g"
    if in_place:
        rounds.bench.backend.execute(statements.cluster.moving.delete_rows(dialect, old, named, column))
        rounds.bench.backend.execute(statements.cluster.moving.insert_rows(dialect, old, fresh))
    else:
        rounds.make(
            what,
            lambda table: statements.cluster.moving.replaced_rows(dialect, table, old, fresh, named, column),
            analyze=True,
        )
