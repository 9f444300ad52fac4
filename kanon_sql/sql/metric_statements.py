"""The statements of the measures: what levels are worth, which rules hold, how attributes go together."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.sql.class_shape import ClassShape
from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.render import render
from kanon_sql.sql.statement import Statement
from kanon_sql.sql.statements import FrequencySource, Keys


def smallest_gaps(dialect: Dialect, attributes: Sequence[tuple[int, Relation, str]]) -> Statement:
    return render(dialect, "metrics/smallest_gaps", attributes=attributes)


def broken_rules(
    dialect: Dialect, rules: Sequence[tuple[int, int, Relation, str, str, Sequence[str | None]]]
) -> Statement:
    return render(dialect, "metrics/broken_rules", rules=rules)


def rule_rows(dialect: Dialect, named: Sequence[tuple[int, int, int, Relation, str]]) -> Statement:
    return render(dialect, "metrics/rule_rows", named=named)


def frequent_values(
    dialect: Dialect, raw: Relation, value: str, kind: str, person: bool, k: int, most: int
) -> Statement:
    order = dialect.ordered(value, kind)
    return render(dialect, "metrics/frequent_values", raw=raw, value=value, order=order, person=person, k=k, most=most)


def associations(
    dialect: Dialect, base: Relation, pairs: Sequence[tuple[int, int, str, Relation, Relation, str, str]]
) -> Statement:
    return render(dialect, "metrics/associations", base=base, pairs=pairs, double=dialect.types["double"])


def node_measures(
    dialect: Dialect,
    source: FrequencySource,
    keys: Keys,
    shape: ClassShape,
    attributes: Sequence[tuple[int, Relation, Sequence[str]]],
) -> Statement:
    return render(dialect, "metrics/node_measures", **vars(source), keys=keys, shape=shape, attributes=attributes)
