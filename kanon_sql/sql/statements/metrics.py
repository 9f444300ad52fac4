"""The measures: what levels cost, which rules hold, how attributes go together, and the score of a release."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.frozen import dataclass
from kanon_sql.sql.class_shape import ClassShape
from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.render import render, rendered
from kanon_sql.sql.statement import Statement
from kanon_sql.sql.statements.checks import FrequencySource, Keys


def cells(
    dialect: Dialect,
    table: Relation,
    dictionary: Relation,
    index: int,
    losses: Sequence[tuple[int, str]],
    suppressed: str,
) -> Statement:
    described = {"index": index, "losses": losses, "suppressed": suppressed}
    return render(dialect, "metrics/cells", table=table, dictionary=dictionary, **described)


def cell_sums(dialect: Dialect, cells: Sequence[tuple[int, Relation, Sequence[str]]]) -> Statement:
    width = max(len(losses) for _, _, losses in cells)
    return render(dialect, "metrics/cell_sums", cells=cells, width=width)


@rendered
def suppression_steps(
    dialect: Dialect, cells: Sequence[tuple[int, Relation, Sequence[str], str]], steps: int
) -> Statement: ...


@dataclass(frozen=True)
class ScoredMeasure:
    """A cell measure in expressions: of a label (`covered`, and `at_star` where it is `*`), of a source value (`own`, over n), and of
    `*` with the domain alone known (`star`)."""

    name: str
    covered: str
    at_star: str
    own: str = "0"
    star: str = "0"


@dataclass(frozen=True)
class ScoredAttribute:
    """What the statement needs of an attribute: its dictionary and levels, how its labels are read, the measures of its cells.

    `sides` are the conditions of each rule's two sides over the dictionary, `interval_breaks` when an interval (ends.low, ends.high)
    breaks each rule. Expressions that read a label speak of `label`, of a label without NULL as `bare`.
    """

    index: int
    dictionary: Relation
    star: int
    numeric: bool
    finite: str
    resolution: float
    sides: tuple[tuple[str, str], ...]
    interval_breaks: tuple[str, ...]
    covers_null: str
    without_null: str
    is_interval: str
    low: str
    high: str
    is_set: str
    set_has: str
    set_length: str
    element: str
    elements: str
    measures: tuple[ScoredMeasure, ...] = ()


@rendered
def published(
    dialect: Dialect, table: Relation, release: Relation, labels: Sequence[str], target: str | None
) -> Statement: ...


@rendered
def score(dialect: Dialect, published: Relation, attributes: Sequence[ScoredAttribute]) -> Statement: ...


@rendered
def score_classes(dialect: Dialect, published: Relation, labels: int, sums: Sequence[tuple[str, str]]) -> Statement: ...


@rendered
def smallest_gaps(dialect: Dialect, attributes: Sequence[tuple[int, Relation, str]]) -> Statement: ...


@rendered
def broken_rules(
    dialect: Dialect, rules: Sequence[tuple[int, int, Relation, str, str, Sequence[str | None]]]
) -> Statement: ...


@rendered
def rule_rows(dialect: Dialect, named: Sequence[tuple[int, int, int, Relation, str]]) -> Statement: ...


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
