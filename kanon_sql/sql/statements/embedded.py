"""Counts leave the database for a search on the embedded engine."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.render import render
from kanon_sql.sql.statement import Statement


def export_counts(dialect: Dialect, table: Relation, columns: Sequence[tuple[str, str]]) -> Statement:
    return render(dialect, "embedded/export_counts", table=table, columns=columns)


def import_counts(dialect: Dialect, table: Relation, selectable: str) -> Statement:
    return render(dialect, "embedded/import_counts", table=table, selectable=selectable)


def export_dictionaries(
    dialect: Dialect, dictionaries: Sequence[tuple[int, Relation, int, str | None]], levels: int
) -> Statement:
    """`dictionaries`: (attribute, dictionary, levels below `*`, the value's expression); `levels`: the most of them."""
    return render(dialect, "embedded/export_dictionaries", dictionaries=dictionaries, levels=levels)


def export_all_dictionaries(
    dialect: Dialect, dictionaries: Relation, levels: int, numeric: Sequence[tuple[int, str]]
) -> Statement:
    """Of dictionaries in one table; `numeric`: (attribute, its value's expression)."""
    return render(
        dialect, "embedded/export_all_dictionaries", dictionaries=dictionaries, levels=levels, numeric=numeric
    )


def import_dictionary(
    dialect: Dialect, table: Relation, dictionaries: Relation, index: int, levels: int, *, numeric: bool
) -> Statement:
    return render(
        dialect,
        "embedded/import_dictionary",
        table=table,
        dictionaries=dictionaries,
        index=index,
        levels=levels,
        numeric=numeric,
    )


def joined_base(
    dialect: Dialect,
    table: Relation,
    counts: Relation,
    dictionaries: Sequence[tuple[int, Relation, int]],
    sensitive: int,
) -> Statement:
    return render(
        dialect, "embedded/joined_base", table=table, counts=counts, dictionaries=dictionaries, sensitive=sensitive
    )


def export_combinations(
    dialect: Dialect, units: Relation, codes: Sequence[str], *, counted: bool, alone: bool, repeated: bool
) -> Statement:
    """`repeated`: units of one person share a number, and count once."""
    return render(
        dialect,
        "embedded/export_combinations",
        units=units,
        codes=codes,
        counted=counted,
        alone=alone,
        repeated=repeated,
    )


def export_groups(dialect: Dialect, table: Relation, columns: Sequence[str], file: str, form: str) -> Statement:
    return render(dialect, "embedded/export_groups", table=table, columns=columns, file=file, form=form)


def empty_groups(dialect: Dialect, table: Relation, columns: Sequence[str]) -> Statement:
    return render(dialect, "embedded/empty_groups", table=table, columns=columns)
