"""What groups publish: intervals, closest common ancestors, sorted sets, as expressions for `cluster/publishing/group_labels`."""

from __future__ import annotations

from decimal import Decimal

from kanon_sql.errors import JobError
from kanon_sql.metrics.covered import finite_value
from kanon_sql.sql import published_labels, statements
from kanon_sql.sql.boxes import SetCode
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.level_labels import float_low
from kanon_sql.sql.relations import GroupTable
from kanon_sql.sql.statements.cluster.publishing import RangeLabel, SetLabel, Told, TreeLabel
from kanon_sql.workbench.coding import Coded, is_range, is_tree
from kanon_sql.workbench.group_answers import GroupAnswers
from kanon_sql.workbench.workbench import Workbench


def told_of(bench: Workbench, coded: Coded) -> Told:
    """What tells the labels of groups of these rows."""
    indexes = range(len(bench.attributes))
    ranges = [i for i in indexes if is_range(bench, i)]
    trees = [i for i in indexes if is_tree(bench, i)]
    sets = [_set_label(bench, coded, i) for i in indexes if i not in {*ranges, *trees}]
    words = {s.code.masks[0][0] for s in sets if s.in_one_word and s.code is not None}
    wide = (s.index for s in sets if not s.in_one_word)
    return Told(tuple(ranges), tuple(trees), tuple(sorted(words)), tuple(wide))


def make_labels(answers: GroupAnswers, *, frozen: bool = False, table: Relation | None = None) -> Relation:
    """One row per group: label_<i> of every attribute, low_<i> and high_<i> of numerics.

    `frozen`: and what tells whether a value of another night stands under the label: from_<i>, to_<i> and null_<i> of numerics,
    level_<i> of trees.
    """
    bench, coded = answers.bench, answers.coded
    table = table or bench.names.labels
    ranges, trees, sets = [], [], []
    for i in range(len(bench.attributes)):
        if is_range(bench, i):
            ranges.append(_range_label(bench, i))
        elif is_tree(bench, i):
            trees.append((i, coded.codes[i], _tree_label(bench, i)))
        else:
            sets.append(_set_label(bench, coded, i))
    statement = statements.cluster.publishing.group_labels(
        bench.dialect,
        bench.names,
        table,
        answers.assignment,
        coded.rows,
        coded.units,
        ranges,
        trees,
        sets,
        frozen=frozen,
        told=answers.ends,
        values=answers.tables.get(GroupTable.GROUP_VALUES),
    )
    bench.make_table(table, statement)
    bench.backend.analyze(table, often=False)
    return table


def _set_label(bench: Workbench, coded: Coded, index: int) -> SetLabel:
    has_null = "count(*) > count(words.label_0)"
    label = published_labels.set_label(bench.dialect, "words.label_0", has_null)
    code = coded.boxes.codes[index]
    return SetLabel(index, label, code if isinstance(code, SetCode) else None, coded.codes[index])


def _tree_label(bench: Workbench, index: int) -> TreeLabel:
    attribute = bench.attributes[index]
    levels = tuple(range(attribute.min_level, min(attribute.star, attribute.max_level + 1)))
    branches = [f"when box.lo{index} = box.hi{index} then leaf_{index}.label_{attribute.min_level}"]
    branches += [
        f"when box.hi{index} <= leaf_{index}.t{index}_{level} then leaf_{index}.label_{level}" for level in levels[1:]
    ]
    heights = [f"when box.lo{index} = box.hi{index} then {attribute.min_level}"]
    heights += [f"when box.hi{index} <= leaf_{index}.t{index}_{level} then {level}" for level in levels[1:]]
    return TreeLabel(
        f"case {' '.join(branches)} else '*' end", levels, f"case {' '.join(heights)} else {attribute.star} end"
    )


def _range_label(bench: Workbench, index: int) -> RangeLabel:
    """The interval of a group: its least and greatest value, or those of the grid they lie on.

    A group that holds NULL and values says so in the text; its typed ends are NULL, since they would not cover NULL; so
    are those of a group that holds NaN. What is not finite has no interval: with other values it is `*`.
    """
    dialect, attribute = bench.dialect, bench.attributes[index]
    first, second, last = (f"{name}_{index}" for name in ("first", "second", "last"))
    has_null = f"{first}.value is null"

    def shown(column: str) -> str:
        return f"case when {has_null} then {second}.{column} else {first}.{column} end"

    low, high = shown("value"), f"{last}.value"
    low_text, high_text = shown("label_0"), f"{last}.label_0"
    infinite = " or ".join(f"{finite_value(dialect, attribute, value)} is null" for value in (f"({low})", high))
    snap = bench.job.columns[attribute.name].snap
    alone = f"box.first{index} = box.last{index}"
    if isinstance(snap, (int, float)):
        low, high = _snapped(bench, index, low, high, snap)
        low_text, high_text = dialect.as_text(low), dialect.as_text(high)
        alone = "1 = 0"
    interval = f"'[' || ({low_text}) || '-' || ({high_text}) || ']'"
    label = (
        f"case when {last}.value is null then null when {alone} then {low_text} when {infinite} then '*' "
        f"else (case when box.second{index} = box.last{index} and {has_null} and {_plain(snap)} then {high_text} else {interval} end) "
        f"|| case when {has_null} then '{published_labels.OR_NULL}' else '' end end"
    )
    mixed = f"({has_null} and {last}.value is not null)"
    if attribute.kind == "double" or (attribute.kind == "decimal" and dialect.decimal_nan):
        mixed += f" or {dialect.is_nan(f'{last}.value')}"  # NaN is the greatest; no ends cover it
    return RangeLabel(
        index,
        label,
        f"case when {mixed} then null else {low} end",
        f"case when {mixed} then null else {high} end",
        (low, high, f"case when {has_null} then 1 else 0 end"),
    )


def _plain(snap: object) -> str:
    return "1 = 1" if snap is None else "1 = 0"


def _snapped(bench: Workbench, index: int, low: str, high: str, width: float) -> tuple[str, str]:
    """The ends of the grid's cells that hold a group: whole numbers end one before the next cell begins."""
    dialect, attribute = bench.dialect, bench.attributes[index]
    step = Decimal(repr(width))
    exponent = step.normalize().as_tuple().exponent
    assert isinstance(exponent, int)
    scale = max(0, -exponent)
    if attribute.kind == "integer" and scale == 0:
        g = int(step)

        def floored(x: str) -> str:
            value = dialect.cast(f"({x})", "integer")
            return f"({value} - ((({value} % {g}) + {g}) % {g}))"  # % keeps the sign on every engine

        return floored(low), f"({floored(high)} + {g - 1})"
    if attribute.kind == "integer":
        raise JobError(f"columns.{attribute.name}.snap: a column of whole numbers snaps to whole widths")
    if attribute.kind == "double":
        exact = dialect.as_decimal(str(step), scale)
        return (
            dialect.as_decimal(float_low(dialect, step, f"({low})"), scale),
            dialect.as_decimal(f"({float_low(dialect, step, f'({high})')} + {exact})", scale),
        )
    scale = max(scale, attribute.scale)
    w = dialect.as_decimal(str(step), scale)

    def down(x: str) -> str:
        value = dialect.as_decimal(f"({x})", scale)
        return f"({value} - ((({value} % {w}) + {w}) % {w}))"

    return dialect.as_decimal(down(low), scale), dialect.as_decimal(f"({down(high)} + {w})", scale)
