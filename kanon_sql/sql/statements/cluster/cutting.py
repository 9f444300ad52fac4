"""Cut every open group in two (Mondrian, LeFevre et al. 2006; MultiDim of Xu et al. 2006)."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.frozen import dataclass
from kanon_sql.sql.boxes import Boxes, Code, RangeCode, SetCode, TreeCode
from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.render import render, rendered
from kanon_sql.sql.statement import Statement

UNEVEN = 16
"""Large groups are cut at least this evenly where they can be: it bounds the depth."""

LARGE = 20
"""A group of more than so many times k rows is large."""


@dataclass(frozen=True)
class CutAttribute:
    """What a cut of one attribute is weighed by: its spread over the group, and by how much its own loss falls."""

    index: int
    position: str
    spread: str
    gain: str
    tree: Relation | None = None
    unit: int | None = None
    """The loss of a value, where `spread` and `gain` speak of walk.unit."""


@dataclass(frozen=True)
class CutForm:
    """Attributes whose cuts are weighed by the same expressions: they are weighed in one look at the histograms."""

    spread: str
    gain: str
    tree: Relation | None
    indexes: tuple[int, ...]


def cut_forms(attributes: Sequence[CutAttribute]) -> list[CutForm]:
    alike: dict[tuple[str, str, Relation | None], list[int]] = {}
    for a in attributes:
        alike.setdefault((a.spread, a.gain, a.tree), []).append(a.index)
    return [CutForm(*form, tuple(indexes)) for form, indexes in alike.items()]


def cut_columns(boxes: Boxes, together: bool = False) -> list[str]:
    """What cuts need of a row; `together`: a row stands for w equal ones."""
    columns = [*boxes.cut_columns, *(f"a{code.index}" for code in boxes.codes if isinstance(code, RangeCode))]
    return [*columns, "w"] if together else columns


def counted(dialect: Dialect, together: bool) -> str:
    """How rows are counted."""
    return dialect.cast("sum(w)", "integer") if together else "count(*)"


def cut_attribute(dialect: Dialect, code: Code, trees: dict[int, Relation]) -> CutAttribute:
    along = "(walk.n * (walk.hi - walk.lo) - walk.cum * (walk.pos - walk.lo) - (walk.n - walk.cum) * (walk.hi - walk.nextpos))"
    if isinstance(code, RangeCode):
        return CutAttribute(code.index, f"a{code.index}", "walk.hi - walk.lo", along)
    position = f"c{code.index}"
    if isinstance(code, SetCode):
        if code.counts_first:
            left, right = (f"case when {d} > 1 then {d} else 0 end" for d in ("walk.nd", "(walk.td - walk.nd)"))
        else:
            left, right = "walk.nd - 1", "walk.td - walk.nd - 1"
        whole = "walk.td" if code.counts_first else "(walk.td - 1)"
        gain = f"walk.unit * (walk.n * {whole} - walk.cum * ({left}) - (walk.n - walk.cum) * ({right}))"
        return CutAttribute(code.index, position, "walk.unit * walk.td", gain, unit=code.unit)

    def lost(low: str, high: str, leaf: str) -> str:
        ends = {f"lo{code.index}": f"walk.{low}", f"hi{code.index}": f"walk.{high}"}
        return code.loss(dialect, ends, lambda index: leaf)

    assert isinstance(code, TreeCode)
    gain = (
        f"walk.n * {lost('lo', 'hi', 'here')} - walk.cum * {lost('lo', 'pos', 'here')}"
        f" - (walk.n - walk.cum) * {lost('nextpos', 'hi', 'beyond')}"
        # Between inner nodes the loss of `*` may stay: the range still tells which cut leads on.
        f" + {max(1, code.unit // 5)} * {along}"
    )
    return CutAttribute(code.index, position, lost("lo", "hi", "here"), gain, trees.get(code.index))


@rendered
def open_rows(
    dialect: Dialect, table: Relation, rows: Relation, assignment: Relation | None, columns: Sequence[str], stop: int
) -> Statement: ...


def open_combinations(dialect: Dialect, table: Relation, rows: Relation, boxes: Boxes) -> Statement:
    return render(dialect, "cluster/cutting/open_combinations", table=table, rows=rows, columns=cut_columns(boxes))


def cuts(
    dialect: Dialect,
    table: Relation,
    open: Relation,
    boxes: Boxes,
    trees: dict[int, Relation],
    *,
    widest: bool,
    least: int,
    multiple_of: int | None,
    strict_above: int,
    k: int,
    together: bool = False,
) -> Statement:
    """`multiple_of`: in a group of up to `strict_above` rows the left side gets a multiple of so many rows; else what lies left."""
    even = (
        f"case when n <= {LARGE * k} or least(cum, n - cum) >= {dialect.quotient('n', str(UNEVEN))} then 0 else 1 end"
    )
    order = "spread desc, d, abs(2 * cum - n), v" if widest else f"{even}, gain desc, d, v"
    if rules := [str(code.index) for code in boxes.codes if isinstance(code, SetCode) and code.rule]:
        # A border that must not be crossed is cut first, however uneven: later there may be too few rows beyond it.
        order = f"case when d in ({', '.join(rules)}) then 0 else 1 end, {order}"
    target = "cum"
    if multiple_of is not None:
        m = multiple_of
        nearest = f"{dialect.quotient(f'(cum + {m // 2})', str(m))} * {m}"
        most = f"({dialect.quotient('n', str(m))} - 1) * {m}"
        target = f"case when n > {strict_above} then cum else greatest(least({nearest}, {most}), {m}) end"
    attributes = [cut_attribute(dialect, code, trees) for code in boxes.codes]
    return render(
        dialect,
        "cluster/cutting/cuts",
        table=table,
        open=open,
        attributes=attributes,
        forms=cut_forms(attributes),
        units={a.index: a.unit for a in attributes if a.unit is not None},
        least=least,
        order=order,
        target=target,
        rows=counted(dialect, together),
        together=together,
    )


def sides(
    dialect: Dialect,
    table: Relation,
    open: Relation,
    cuts: Relation,
    boxes: Boxes,
    columns: Sequence[str],
    multiple_of: int | None,
) -> Statement:
    half = ""
    if multiple_of is not None:
        pieces = dialect.quotient("open.n", str(multiple_of))
        half = f"{dialect.quotient(f'({pieces} + 1)', '2')} * {multiple_of}"
    return render(
        dialect,
        "cluster/cutting/sides",
        table=table,
        open=open,
        cuts=cuts,
        columns=columns,
        indexes=[code.index for code in boxes.codes],
        dealt=multiple_of is not None,
        half=half,
    )


def side_sizes(dialect: Dialect, table: Relation, sides: Relation, together: bool = False) -> Statement:
    return render(dialect, "cluster/cutting/side_sizes", table=table, sides=sides, rows=counted(dialect, together))


@rendered
def close_combinations(
    dialect: Dialect, finished: Relation, sides: Relation, sizes: Relation, first: int, stop: int
) -> Statement: ...


@rendered
def close_sides(
    dialect: Dialect, finished: Relation, sides: Relation, sizes: Relation, first: int, stop: int
) -> Statement: ...


@rendered
def still_open(
    dialect: Dialect, table: Relation, sides: Relation, sizes: Relation, columns: Sequence[str], stop: int
) -> Statement: ...


@rendered
def empty_assignment(dialect: Dialect, table: Relation) -> Statement: ...


@rendered
def cut_counts(dialect: Dialect, open: Relation, sizes: Relation) -> Statement: ...


@rendered
def assignment(
    dialect: Dialect, table: Relation, finished: Relation, assignment: Relation | None, stop: int
) -> Statement: ...
