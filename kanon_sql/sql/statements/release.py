"""Staging, verifying, guarding and publishing a release."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.model.privacy.model import Verification
from kanon_sql.sql.class_shape import ClassShape
from kanon_sql.sql.dialect import CountedRelation, Dialect, Relation
from kanon_sql.sql.generalized import Generalized
from kanon_sql.sql.render import render, rendered
from kanon_sql.sql.statement import Statement
from kanon_sql.sql.statements.checks import FrequencySource, Keys

ROWS_OF_A_PIECE = 1024


def violating(dialect: Dialect, table: Relation, source: FrequencySource, keys: Keys, shape: ClassShape) -> Statement:
    return render(dialect, "release/violating", table=table, **vars(source), keys=keys, shape=shape)


def stage(
    dialect: Dialect,
    table: Relation,
    rows: Relation,
    columns: Sequence[tuple[str, str, str]],
    violating: Relation | None,
    keys: Keys,
) -> Statement:
    order = dialect.row_hash([f"rows.{dialect.identifier(column)}" for column, _, _ in columns])
    return render(
        dialect, "release/stage", table=table, rows=rows, columns=columns, violating=violating, keys=keys, order=order
    )


def stage_counted(
    dialect: Dialect,
    table: Relation,
    rows: Relation,
    columns: Sequence[tuple[str, str, str]],
    violating: Relation | None,
    keys: Keys,
    prefix: str,
) -> Statement:
    """The same table as `stage`, where rows repeat. `prefix`: of names that no column has."""
    return render(
        dialect,
        "release/stage_counted",
        table=table,
        rows=rows,
        columns=columns,
        violating=violating,
        keys=keys,
        order=dialect.row_hash([dialect.identifier(name) for _, _, name in columns]),
        piece=ROWS_OF_A_PIECE,
        prefix=prefix,
    )


@rendered
def distinct_values(dialect: Dialect, source: Relation, columns: Sequence[str]) -> Statement: ...


def counts(dialect: Dialect, table: CountedRelation, staged: Relation, columns: Sequence[str]) -> Statement:
    return render(dialect, "release/counts", table=table, staged=staged, columns=columns, n=table.n)


@rendered
def verify(dialect: Dialect, table: Relation, columns: Sequence[str]) -> Statement: ...


@rendered
def swap(dialect: Dialect, view: Relation, table: Relation, replace: bool) -> Statement: ...


def verify_model(
    dialect: Dialect,
    table: Relation,
    source: Relation,
    columns: Sequence[str],
    sensitive: str,
    verification: Verification,
    *,
    order: str | None = None,
    values: Sequence[str] = (),
    lookup: Sequence[Sequence[str]] = (),
) -> Statement:
    """`order`: an ordering of whole.s; `values`, `lookup`: what the model names and its hierarchy."""
    return render(
        dialect,
        "release/verify_model",
        table=table,
        source=source,
        columns=columns,
        sensitive=sensitive,
        verification=verification,
        order=order,
        values=values,
        lookup=lookup,
        labels=[f"label_{level}" for level in range(1, len(lookup[0]))] if lookup else [],
    )


@rendered
def verify_one_row(dialect: Dialect, source: Relation, person: str, lowest: int | None = None) -> Statement:
    """`lowest`: of person keys that are integers and lie close together."""


@rendered
def verify_persons(
    dialect: Dialect, table: Relation, columns: Sequence[str], source: Generalized, person: str
) -> Statement: ...


@rendered
def verify_staged_persons(
    dialect: Dialect,
    table: Relation,
    staged_persons: Relation,
    source: Relation,
    *,
    quasi: Sequence[str],
    columns: Sequence[str],
    person: tuple[str, str],
    raw: Sequence[tuple[str, str]],
    side: str,
) -> Statement:
    """`person` and `raw`: (column of `staged_persons`, column of the source)."""


@rendered
def verify_population(
    dialect: Dialect,
    table: Relation,
    columns: Sequence[str],
    population: Generalized,
    figures: Sequence[tuple[str, str]],
    source: Generalized | None = None,
    person: str | None = None,
) -> Statement:
    """`figures`: (name, aggregate over the classes' n, c and fits)."""


@rendered
def guard_identifiers(dialect: Dialect, source: Relation, columns: Sequence[str]) -> Statement: ...


@rendered
def guard_rare_values(dialect: Dialect, table: Relation, sets: Sequence[Sequence[str]], k: int) -> Statement: ...


@rendered
def guard_homogeneous(
    dialect: Dialect, table: Relation, columns: Sequence[str], sensitive: Sequence[str]
) -> Statement: ...


@rendered
def guard_totals(
    dialect: Dialect, table: Relation, columns: Sequence[str], source: Generalized, k: int
) -> Statement: ...


@rendered
def fingerprint(dialect: Dialect, source: Relation, values: Sequence[str]) -> Statement: ...


@rendered
def verify_source(dialect: Dialect, table: Relation, columns: Sequence[str], source: Generalized) -> Statement: ...


def stage_groups(
    dialect: Dialect,
    table: Relation,
    rows: Relation,
    units: Relation,
    assign: Relation,
    labels: Relation,
    codes: Sequence[tuple[str, str]],
    numbering: Sequence[str],
    columns: Sequence[tuple[str, str]],
    place: str,
    work: bool = False,
    several: bool = False,
    base: Relation | None = None,
) -> Statement:
    """`several`: rows of one person that are alike share a number; `base`: the base frequency set, where rows are met by it, not by units."""
    return render(
        dialect,
        "release/stage_groups",
        table=table,
        rows=rows,
        units=units,
        assign=assign,
        labels=labels,
        codes=codes,
        numbering=numbering,
        columns=columns,
        order=None if work else dialect.row_hash([expression for expression, _ in columns]),
        place=place,
        work=work,
        several=several,
        base=base,
    )


def stage_without_persons(
    dialect: Dialect, table: Relation, staged_persons: Relation, columns: Sequence[str]
) -> Statement:
    order = dialect.row_hash([dialect.identifier(column) for column in columns])
    return render(
        dialect,
        "release/stage_without_persons",
        table=table,
        staged_persons=staged_persons,
        columns=columns,
        order=order,
    )
