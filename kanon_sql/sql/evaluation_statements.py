"""The statements of the evaluation: simulation, query workload, partition tree, and what a report shows of a release."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.render import render
from kanon_sql.sql.statement import Statement

PRIME = 2_147_483_579
"""Below 2^31, and leaves 2 when divided by 3: x^3 is a permutation, and a product of two hashes stays below 2^62."""


def simulation(
    dialect: Dialect, first: int, last: int, rows: int, cells: int, k: int, rounds: Sequence[tuple[int, int]]
) -> Statement:
    figures = {"first": first, "last": last, "rows": rows, "cells": cells, "k": k, "rounds": rounds}
    return render(dialect, "evaluate/simulation", prime=PRIME, **figures)


def value_frequencies(dialect: Dialect, attributes: Sequence[tuple[int, Relation, str | None]]) -> Statement:
    return render(dialect, "evaluate/value_frequencies", attributes=attributes)
