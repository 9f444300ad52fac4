"""The statements of the risk figures, the guards and the attack check: one function per template."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.sql.class_shape import ClassShape
from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.generalized import Generalized
from kanon_sql.sql.render import render
from kanon_sql.sql.statement import Statement
from kanon_sql.sql.statements import FrequencySource, Keys


def risk(dialect: Dialect, table: Relation, columns: Sequence[str], person: str | None, threshold: float) -> Statement:
    return render(dialect, "checks/risk", table=table, columns=columns, person=person, threshold=threshold)


def node_risk(dialect: Dialect, source: FrequencySource, keys: Keys, shape: ClassShape, threshold: float) -> Statement:
    return render(dialect, "checks/node_risk", **vars(source), keys=keys, shape=shape, threshold=threshold)


def guard_identifiers(dialect: Dialect, source: Relation, columns: Sequence[str]) -> Statement:
    return render(dialect, "release/guard_identifiers", source=source, columns=columns)


def guard_rare_values(dialect: Dialect, table: Relation, sets: Sequence[Sequence[str]], k: int) -> Statement:
    return render(dialect, "release/guard_rare_values", table=table, sets=sets, k=k)


def guard_homogeneous(dialect: Dialect, table: Relation, columns: Sequence[str], sensitive: Sequence[str]) -> Statement:
    return render(dialect, "release/guard_homogeneous", table=table, columns=columns, sensitive=sensitive)


def guard_totals(dialect: Dialect, table: Relation, columns: Sequence[str], source: Generalized, k: int) -> Statement:
    return render(dialect, "release/guard_totals", table=table, columns=columns, source=source, k=k)


def published_levels(
    dialect: Dialect, table: Relation, column: str, dictionary: Relation, index: int, star: int
) -> Statement:
    return render(
        dialect, "checks/published_levels", table=table, column=column, dictionary=dictionary, index=index, star=star
    )


def linkage(
    dialect: Dialect, table: Relation, columns: Sequence[str], source: Generalized, person: str | None, k: int
) -> Statement:
    return render(dialect, "checks/linkage", table=table, columns=columns, source=source, person=person, k=k)


def minimality(
    dialect: Dialect,
    table: Relation,
    columns: Sequence[str],
    attributes: Sequence[tuple[str, Relation, int, int, str, bool]],
    k: int,
    slack: int,
    counted: bool,
) -> Statement:
    return render(
        dialect,
        "checks/minimality",
        table=table,
        columns=columns,
        attributes=attributes,
        k=k,
        slack=slack,
        counted=counted,
    )


def unsplit(dialect: Dialect, table: Relation, columns: Sequence[tuple[str, Relation]], k: int) -> Statement:
    return render(dialect, "checks/unsplit", table=table, columns=columns, k=k)
