"""Simulation, query workload, partition tree, and what a report shows of a release."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.render import render, rendered
from kanon_sql.sql.statement import Statement
from kanon_sql.sql.statements.metrics import ScoredAttribute

PRIME = 2_147_483_579
"""Below 2^31, and leaves 2 when divided by 3: x^3 is a permutation, and a product of two hashes stays below 2^62."""


def simulation(
    dialect: Dialect, first: int, last: int, rows: int, cells: int, k: int, rounds: Sequence[tuple[int, int]]
) -> Statement:
    figures = {"first": first, "last": last, "rows": rows, "cells": cells, "k": k, "rounds": rounds}
    return render(dialect, "evaluate/simulation", prime=PRIME, **figures)


@rendered
def value_frequencies(dialect: Dialect, attributes: Sequence[tuple[int, Relation, str | None]]) -> Statement: ...


def cover(dialect: Dialect, table: Relation, published: Relation, attribute: ScoredAttribute) -> Statement:
    return render(dialect, "evaluate/cover", table=table, published=published, a=attribute)


@rendered
def workload_parts(dialect: Dialect, table: Relation, parts: Sequence[tuple[int, int, int, int, int]]) -> Statement: ...


def picked(dialect: Dialect, table: Relation, parts: Relation, attribute: ScoredAttribute) -> Statement:
    return render(dialect, "evaluate/picked", table=table, parts=parts, **vars(attribute))


def shares(
    dialect: Dialect, table: Relation, cover: Relation, picked: Relation, attribute: ScoredAttribute
) -> Statement:
    return render(dialect, "evaluate/shares", table=table, cover=cover, picked=picked, **vars(attribute))


@rendered
def true_answers(
    dialect: Dialect,
    base: Relation,
    attributes: Sequence[tuple[int, Relation]],
    summed: tuple[int, Relation, str] | None,
) -> Statement: ...


@rendered
def released_answers(
    dialect: Dialect,
    published: Relation,
    attributes: Sequence[tuple[int, Relation]],
    summed: tuple[int, Relation, Relation, str] | None,
) -> Statement: ...


@rendered
def sample_classes(
    dialect: Dialect, release: Relation, columns: Sequence[str], k: int, most: int, rows: str = "count(*)"
) -> Statement:
    """`rows`: how rows are counted; `sum(n)` where the release is a frequency set."""


@rendered
def size_histogram(dialect: Dialect, release: Relation, columns: Sequence[str]) -> Statement: ...


def sample_sources(
    dialect: Dialect,
    base: Relation,
    attributes: Sequence[tuple[int, Relation, str | None]],
    person: bool,
    k: int,
    most: int,
) -> Statement:
    figures = {"person": person, "k": k, "most": most}
    return render(dialect, "evaluate/sample_sources", base=base, attributes=attributes, **figures)


@rendered
def largest_class(
    dialect: Dialect, base: Relation, attributes: Sequence[tuple[int, int]], person: bool, k: int
) -> Statement:
    """`attributes`: (index, level)."""


@rendered
def class_labels(dialect: Dialect, attributes: Sequence[tuple[int, Relation, int, int]]) -> Statement:
    """`attributes`: (index, dictionary, level, code)."""


@rendered
def label_values(
    dialect: Dialect, attributes: Sequence[tuple[int, Relation, str | None, Sequence[str | None]]]
) -> Statement: ...


@rendered
def tree_source(
    dialect: Dialect,
    base: Relation,
    features: Sequence[tuple[int, Relation, str | None]],
    control: tuple[str, Relation, str, str],
) -> Statement: ...


@rendered
def tree_release(
    dialect: Dialect,
    published: Relation,
    features: Sequence[tuple[int, Relation, Relation, str | None]],
    control: str,
) -> Statement: ...
