"""Simulation, query workload, partition tree, and what a report shows of a release."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.render import render
from kanon_sql.sql.statement import Statement
from kanon_sql.sql.statements.metrics import ScoredAttribute

PRIME = 2_147_483_579
"""Below 2^31, and leaves 2 when divided by 3: x^3 is a permutation, and a product of two hashes stays below 2^62."""


def simulation(
    dialect: Dialect, first: int, last: int, rows: int, cells: int, k: int, rounds: Sequence[tuple[int, int]]
) -> Statement:
    figures = {"first": first, "last": last, "rows": rows, "cells": cells, "k": k, "rounds": rounds}
    return render(dialect, "evaluate/simulation", prime=PRIME, **figures)


def value_frequencies(dialect: Dialect, attributes: Sequence[tuple[int, Relation, str | None]]) -> Statement:
    return render(dialect, "evaluate/value_frequencies", attributes=attributes)


def cover(dialect: Dialect, table: Relation, published: Relation, attribute: ScoredAttribute) -> Statement:
    return render(dialect, "evaluate/cover", table=table, published=published, a=attribute)


def workload_parts(dialect: Dialect, table: Relation, parts: Sequence[tuple[int, int, int, int, int]]) -> Statement:
    return render(dialect, "evaluate/workload_parts", table=table, parts=parts)


def picked(dialect: Dialect, table: Relation, parts: Relation, attribute: ScoredAttribute) -> Statement:
    return render(dialect, "evaluate/picked", table=table, parts=parts, **vars(attribute))


def shares(
    dialect: Dialect, table: Relation, cover: Relation, picked: Relation, attribute: ScoredAttribute
) -> Statement:
    return render(dialect, "evaluate/shares", table=table, cover=cover, picked=picked, **vars(attribute))


def true_answers(
    dialect: Dialect,
    base: Relation,
    attributes: Sequence[tuple[int, Relation]],
    summed: tuple[int, Relation, str] | None,
) -> Statement:
    return render(dialect, "evaluate/true_answers", base=base, attributes=attributes, summed=summed)


def released_answers(
    dialect: Dialect,
    published: Relation,
    attributes: Sequence[tuple[int, Relation]],
    summed: tuple[int, Relation, Relation, str] | None,
) -> Statement:
    return render(dialect, "evaluate/released_answers", published=published, attributes=attributes, summed=summed)


def sample_classes(
    dialect: Dialect, release: Relation, columns: Sequence[str], k: int, most: int, rows: str = "count(*)"
) -> Statement:
    """`rows`: how rows are counted; `sum(n)` where the release is a frequency set."""
    return render(dialect, "evaluate/sample_classes", release=release, columns=columns, k=k, most=most, rows=rows)


def size_histogram(dialect: Dialect, release: Relation, columns: Sequence[str]) -> Statement:
    return render(dialect, "evaluate/size_histogram", release=release, columns=columns)


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


def largest_class(
    dialect: Dialect, base: Relation, attributes: Sequence[tuple[int, int]], person: bool, k: int
) -> Statement:
    """`attributes`: (index, level)."""
    return render(dialect, "evaluate/largest_class", base=base, attributes=attributes, person=person, k=k)


def class_labels(dialect: Dialect, attributes: Sequence[tuple[int, Relation, int, int]]) -> Statement:
    """`attributes`: (index, dictionary, level, code)."""
    return render(dialect, "evaluate/class_labels", attributes=attributes)


def label_values(
    dialect: Dialect, attributes: Sequence[tuple[int, Relation, str | None, Sequence[str | None]]]
) -> Statement:
    return render(dialect, "evaluate/label_values", attributes=attributes)


def tree_source(
    dialect: Dialect,
    base: Relation,
    features: Sequence[tuple[int, Relation, str | None]],
    control: tuple[str, Relation, str, str],
) -> Statement:
    return render(dialect, "evaluate/tree_source", base=base, features=features, control=control)


def tree_release(
    dialect: Dialect,
    published: Relation,
    features: Sequence[tuple[int, Relation, Relation, str | None]],
    control: str,
) -> Statement:
    return render(dialect, "evaluate/tree_release", published=published, features=features, control=control)
