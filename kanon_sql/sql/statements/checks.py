"""Frequency sets of nodes, and what a published table shows of its classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kanon_sql.frozen import dataclass
from kanon_sql.model.lattice import Node
from kanon_sql.sql.class_shape import ClassShape
from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.generalized import Generalized
from kanon_sql.sql.render import render, rendered
from kanon_sql.sql.statement import Statement
from kanon_sql.sql.statements.levels import count_type

Keys = Sequence[str]
"""The packed key expressions of a node."""


@dataclass(frozen=True)
class FrequencySource:
    """What the frequency sets are computed from: the base, the dictionaries of its sensitive columns, and N."""

    base: Relation
    sensitive_tables: Mapping[int, Relation]
    rows: int


def frequency_sets(
    dialect: Dialect,
    source: FrequencySource,
    nodes: Sequence[Keys],
    shape: ClassShape,
    tables: Sequence[Relation] | None = None,
) -> Statement:
    """`tables`: what each node reads, where that is not the base."""
    read = tables or [source.base] * len(nodes)
    return render(dialect, "checks/frequency_sets", **vars(source), nodes=nodes, shape=shape, tables=read)


def measured_nodes(
    dialect: Dialect,
    source: FrequencySource,
    nodes: Sequence[Keys],
    shape: ClassShape,
    budget: int,
    tables: Sequence[Relation],
) -> Statement:
    return render(
        dialect, "checks/measured_nodes", **vars(source), nodes=nodes, shape=shape, budget=budget, tables=tables
    )


def suppressed_loss(
    dialect: Dialect,
    source: FrequencySource,
    nodes: Sequence[tuple[Keys, ClassShape, Node]],
    cells: Mapping[int, Relation],
    weights: Sequence[float],
) -> Statement:
    used = _levels_used(cells, [node for _, _, node in nodes])
    return render(
        dialect, "checks/suppressed_loss", **vars(source), nodes=nodes, cells=cells, weights=weights, used=used
    )


def small_classes(
    dialect: Dialect,
    table: Relation,
    base: Relation,
    combination: Keys,
    nodes: Sequence[tuple[int, Keys, int, Node, Relation]],
    shape: ClassShape,
    cells: Mapping[int, Relation],
    weights: Sequence[float],
    *,
    first: bool,
    repeated: bool,
) -> Statement:
    return render(
        dialect,
        "checks/small_classes",
        table=table,
        base=base,
        combination=combination,
        nodes=nodes,
        shape=shape,
        cells=cells,
        weights=weights,
        used=_levels_used(cells, [levels for _, _, _, levels, _ in nodes]),
        first=first,
        repeated=repeated,
    )


@rendered
def small_classes_loss(dialect: Dialect, table: Relation, nodes: Sequence[tuple[int, int]]) -> Statement: ...


@rendered
def rows_in_small_classes(
    dialect: Dialect, table: Relation, asked: Sequence[tuple[int, int, int]], parts: int
) -> Statement: ...


def _levels_used(cells: Mapping[int, Relation], nodes: Sequence[Node]) -> dict[int, list[int]]:
    return {attribute: sorted({node[attribute] for node in nodes}) for attribute in cells}


def narrowed_base(
    dialect: Dialect, table: Relation, base: Relation, columns: Sequence[tuple[str, str]], rows: int
) -> Statement:
    kind = count_type(rows)
    return render(dialect, "checks/narrowed_base", table=table, base=base, columns=columns, count_type=kind)


@rendered
def count_rows(dialect: Dialect, table: Relation) -> Statement: ...


@rendered
def table_rows(dialect: Dialect, table: Relation) -> Statement: ...


@rendered
def table_classes(
    dialect: Dialect, table: Relation, columns: Sequence[str], person: str | None, k: int
) -> Statement: ...


def risk(
    dialect: Dialect,
    table: Relation,
    columns: Sequence[str],
    person: str | None,
    threshold: float,
    rows: str = "count(*)",
) -> Statement:
    """`rows`: how rows are counted; `sum(n)` where the table is a frequency set."""
    figures = {"person": person, "threshold": threshold, "rows": rows}
    return render(dialect, "checks/risk", table=table, columns=columns, **figures)


def node_risk(dialect: Dialect, source: FrequencySource, keys: Keys, shape: ClassShape, threshold: float) -> Statement:
    return render(dialect, "checks/node_risk", **vars(source), keys=keys, shape=shape, threshold=threshold)


@rendered
def published_levels(
    dialect: Dialect, table: Relation, column: str, dictionary: Relation, index: int, star: int
) -> Statement: ...


@rendered
def linkage(
    dialect: Dialect, table: Relation, columns: Sequence[str], source: Generalized, person: str | None, k: int
) -> Statement: ...


@rendered
def minimality(
    dialect: Dialect,
    table: Relation,
    columns: Sequence[str],
    attributes: Sequence[tuple[str, Relation, int, int, str, bool]],
    k: int,
    slack: int,
    counted: bool,
) -> Statement: ...


@rendered
def unsplit(dialect: Dialect, table: Relation, columns: Sequence[tuple[str, Relation]], k: int) -> Statement: ...
