"""Answers the questions of halving groups between seeds: all open groups in the same statements."""

from __future__ import annotations

from kanon_sql.cluster.block_questions import HalveOpen
from kanon_sql.cluster.questions import Counts
from kanon_sql.sql import statements
from kanon_sql.workbench.rounds import Rounds


def open_rows(rounds: Rounds) -> Counts:
    dialect, coded = rounds.dialect, rounds.coded
    rounds.make("closed", lambda table: statements.cluster.cutting.empty_assignment(dialect, table))
    opened = rounds.make(
        "open",
        lambda table: statements.cluster.halving.open_rows(dialect, table, coded.rows, coded.boxes),
        analyze=True,
    )
    rounds.numbered, rounds.stop = 0, 0
    found = rounds.bench.backend.fetch_one(statements.cluster.cutting.cut_counts(dialect, opened, opened))
    return Counts(open=int(found[0]))


def halve(rounds: Rounds, question: HalveOpen) -> Counts:
    """Seeds by turns, each the row furthest from the other; then sides; then what is finished leaves."""
    dialect, boxes, backend = rounds.dialect, rounds.coded.boxes, rounds.bench.backend
    opened = rounds.tables["open"]
    left = rounds.make(
        "left_seeds",
        lambda table: statements.cluster.halving.first_seeds(dialect, table, opened, boxes, question.salt),
        analyze=True,
    )
    right = left
    for turn in range(question.seed_rounds):
        what, seeds = ("right_seeds", left) if turn % 2 == 0 else ("left_seeds", right)
        found_seeds = rounds.make(
            what,
            lambda table, seeds=seeds: statements.cluster.halving.far_seeds(dialect, table, opened, seeds, boxes),  # type: ignore[misc]
            analyze=True,
        )
        left, right = (left, found_seeds) if turn % 2 == 0 else (found_seeds, right)
    sides = rounds.make(
        "sides", lambda table: statements.cluster.halving.halves(dialect, table, opened, left, right, boxes, rounds.k)
    )
    sizes = rounds.make(
        "sizes", lambda table: statements.cluster.cutting.side_sizes(dialect, table, sides), analyze=True
    )
    backend.execute(
        statements.cluster.cutting.close_sides(
            dialect, rounds.tables["closed"], sides, sizes, rounds.numbered, question.stop
        )
    )
    opened = rounds.make(
        "open",
        lambda table: statements.cluster.halving.still_open(dialect, table, sides, sizes, boxes, question.stop),
        analyze=True,
    )
    found = backend.fetch_one(statements.cluster.cutting.cut_counts(dialect, opened, sizes))
    rounds.numbered += int(found[1])
    return Counts(open=int(found[0]))
