"""Counts leave the database for a search on the embedded engine."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.render import rendered
from kanon_sql.sql.statement import Statement


@rendered
def export_counts(dialect: Dialect, table: Relation, columns: Sequence[tuple[str, str]]) -> Statement: ...


@rendered
def import_counts(dialect: Dialect, table: Relation, selectable: str) -> Statement: ...


@rendered
def export_dictionaries(
    dialect: Dialect, dictionaries: Sequence[tuple[int, Relation, int, str | None]], levels: int
) -> Statement:
    """`dictionaries`: (attribute, dictionary, levels below `*`, the value's expression); `levels`: the most of them."""


@rendered
def export_all_dictionaries(
    dialect: Dialect, dictionaries: Relation, levels: int, numeric: Sequence[tuple[int, str]]
) -> Statement:
    """Of dictionaries in one table; `numeric`: (attribute, its value's expression)."""


@rendered
def import_dictionary(
    dialect: Dialect, table: Relation, dictionaries: Relation, index: int, levels: int, *, numeric: bool
) -> Statement: ...


@rendered
def joined_base(
    dialect: Dialect,
    table: Relation,
    counts: Relation,
    dictionaries: Sequence[tuple[int, Relation, int]],
    sensitive: int,
) -> Statement: ...


@rendered
def export_combinations(
    dialect: Dialect, units: Relation, codes: Sequence[str], *, counted: bool, alone: bool, repeated: bool
) -> Statement:
    """`repeated`: units of one person share a number, and count once."""


@rendered
def export_groups(dialect: Dialect, table: Relation, columns: Sequence[str], file: str, form: str) -> Statement: ...


@rendered
def empty_groups(dialect: Dialect, table: Relation, columns: Sequence[str]) -> Statement: ...
