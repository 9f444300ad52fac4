"""The rows of the table one by one, coded for local recoding: what a box is made of, and what it costs.

A numeric without a hierarchy is a range; an attribute with levels (a hierarchy, groups, prefixes, date parts, or a numeric that
snaps to its levels) is a tree; any other is a set of values. A rule is a further set of two values, its sides, whose loss keeps
groups on one side where that can be.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, replace

from kanon_sql.errors import JobError
from kanon_sql.frozen import dataclass
from kanon_sql.metrics.covered import finite_value
from kanon_sql.sql import statements
from kanon_sql.sql.boxes import UNIT, Boxes, Code, RangeCode, SetCode, TreeCode, mask_words
from kanon_sql.sql.dialect import Relation
from kanon_sql.workbench.objectives import Weights
from kanon_sql.workbench.rules import check_rules, sides
from kanon_sql.workbench.workbench import Workbench

WIDEST_SET = 248
"""A set of more values is not followed bit by bit: any two different values cost the same."""
MOST_LEAVES = 48
"""What two leaves of a tree of no more cost is written into the statements."""
RULE_LOSS = 3.0
"""What a row of a group that breaks the most important rule costs, in cells."""


@dataclass(frozen=True)
class Coded:
    """The coded rows. `sizes`: (index, values) of every code to cut and sort by; rules come after the attributes.

    `keyed`: (index, its code table, the attribute whose value it is keyed by). Rows of one person that are alike are one row to a
    search: it has `count` of them, and may suppress `budget`, so that never more are suppressed than the job allows.
    `contiguous`: rows that are alike are numbered one after another.
    """

    boxes: Boxes
    rows: Relation
    units: Relation
    codes: dict[int, Relation]
    trees: dict[int, Relation]
    sizes: list[tuple[int, int]] = field(default_factory=list)
    keyed: tuple[tuple[int, Relation, int], ...] = ()
    count: int = 0
    budget: int = 0
    contiguous: bool = False
    viewed: bool = False
    """The rows are a view, not a table; where nothing but the search asks for single rows, they and the units are put off (`make_units`)."""


def snaps_to_levels(bench: Workbench, index: int) -> bool:
    return bench.job.columns[bench.attributes[index].name].snap == "levels"


def is_range(bench: Workbench, index: int) -> bool:
    """Whether an attribute is published as an interval."""
    attribute = bench.attributes[index]
    return attribute.numeric and not attribute.lookup and not snaps_to_levels(bench, index)


def is_tree(bench: Workbench, index: int) -> bool:
    """Whether an attribute is published as the closest common ancestor."""
    return not is_range(bench, index) and bench.attributes[index].star > 1


def build_coding(bench: Workbench, weights: Weights, read_once: Callable[[int], bool] | None = None) -> Coded:
    """Code tables, units and rows, on a prepared workbench. `read_once`: whether so many rows are read once or twice here: then they are a view."""
    _check(bench)
    width = len(bench.attributes)
    glm = bench.job.utility.metric == "glm"
    rules = check_rules(bench).rules
    small_sets = [
        (i, bench.sizes[i][0])
        for i in range(width)
        if not is_range(bench, i) and not is_tree(bench, i) and bench.sizes[i][0] <= WIDEST_SET
    ]
    ruled = [(width + r, 2) for r in range(len(rules))]
    parts, words = mask_words([*small_sets, *ruled])
    codes: list[Code] = []
    tables: dict[int, Relation] = {}
    keyed: list[tuple[int, Relation, int]] = []
    sizes: list[tuple[int, int]] = []
    for i in range(width):
        weight = weights.values[i] * width
        tables[i] = bench.names.code_table(i)
        code = _attribute_code(bench, i, weight, glm, parts.get(i))
        _make_codes(bench, tables[i], code, parts.get(i))
        codes.append(code)
        keyed.append((i, tables[i], i))
        sizes.append((i, bench.sizes[i][bench.attributes[i].min_level if isinstance(code, TreeCode) else 0]))
    heaviest = max((rule.rule.importance for rule in rules), default=1.0)
    for r, rule in enumerate(rules):
        index = width + r
        word, _, _, shift = parts[index][0]
        loss = RULE_LOSS * rule.rule.importance / heaviest * max(1.0, weights.values[rule.attribute] * width)
        codes.append(SetCode(index, _whole(loss / 2), True, ((word, 3 << shift),), rule=True))
        tables[index] = bench.names.code_table(index)
        both = sides(bench.dialect, bench.attributes[rule.attribute], rule.rule)
        dictionary = bench.names.dictionary(rule.attribute)
        bench.make_table(
            tables[index],
            statements.cluster.coding.rule_codes(
                bench.dialect, tables[index], dictionary, index, rule.attribute, both, (word, shift)
            ),
        )
        _describe(bench, tables[index])
        keyed.append((index, tables[index], rule.attribute))
        sizes.append((index, 3))
    boxes = Boxes(bench.dialect, tuple(codes), words, width * UNIT)
    trees = {}
    for code in boxes.trees:
        trees[code.index] = bench.names.tree(code.index)
        statement = statements.cluster.coding.tree_leaves(
            bench.dialect, trees[code.index], tables[code.index], code.row_columns
        )
        bench.make_table(trees[code.index], statement)
        bench.backend.analyze(
            trees[code.index], often=False
        )  # or a planner takes each leaf for several, and sorts the rows to meet them
    boxes = _with_costs(bench, boxes, trees, dict(sizes))
    units, rows = bench.names.units, bench.names.rows
    elsewhere = read_once is not None and not bench.counts_persons and read_once(bench.rows)
    limited = any(attribute.max_level < attribute.star for attribute in bench.attributes)
    put_off = elsewhere and not (bench.sensitive or rules or limited)
    if not put_off:
        make_units(bench)
    count, most = bench.rows, 1
    if bench.counts_persons:
        found = bench.backend.fetch_one(statements.cluster.coding.unit_counts(bench.dialect, units))
        count, most = int(found.searched), int(found.most)
    repeated = bench.counts_persons
    as_view = read_once is not None and read_once(count)
    statement = statements.cluster.coding.rows(bench.dialect, rows, units, keyed, boxes, repeated, as_view)
    if put_off:
        pass
    elif as_view:
        bench.make_view(rows, statement)
    else:
        bench.make_table(rows, statement)
        bench.backend.analyze(rows)
    contiguous = not any(attribute.min_level for attribute in bench.attributes)
    return Coded(
        boxes, rows, units, tables, trees, sizes, tuple(keyed), count, bench.budget // most, contiguous, as_view
    )


def make_units(bench: Workbench) -> None:
    """The rows of the base one by one, unless they are there."""
    units, person = bench.names.units, None
    if ("table", units) in bench.made:
        return
    if bench.counts_persons:
        assert bench.job.source.person is not None
        person = bench.dialect.ordered("person", bench.kinds[bench.job.source.person][0])
    statement = statements.cluster.coding.units(
        bench.dialect, units, bench.names.base, len(bench.attributes), len(bench.sensitive), person
    )
    bench.make_table(units, statement)
    bench.backend.analyze(units)


def with_stored_rows(bench: Workbench, coded: Coded) -> Coded:
    """The same with its rows in a table: they are about to be read in every round."""
    if not coded.viewed:
        return coded
    make_units(bench)
    stored = replace(coded, rows=bench.names.stored_rows, viewed=False)
    statement = statements.cluster.coding.rows(
        bench.dialect, stored.rows, coded.units, coded.keyed, coded.boxes, bench.counts_persons
    )
    bench.make_table(stored.rows, statement)
    bench.backend.analyze(stored.rows)
    return stored


def part_of(bench: Workbench, coded: Coded, chosen: Relation, what: str) -> Coded:
    """The coded rows of some rids alone, numbered anew in their order; `origin` of the units is their number in the table."""
    names, dialect = bench.names, bench.dialect
    units, rows = names.night(f"{what}_units"), names.night(f"{what}_rows")
    columns = ["place", *(f"q{i}_0" for i in range(len(bench.attributes)))]
    columns += [f"s{i}" for i in range(len(bench.sensitive))]
    columns += ["person"] if bench.counts_persons else []
    bench.make_table(units, statements.nights.subset(dialect, units, coded.units, chosen, [*columns, "n"]))
    bench.backend.analyze(units)
    count = int(bench.backend.fetch_one(statements.cluster.coding.unit_counts(dialect, units)).searched)
    # Units of one person that are alike share a rid; the others have one each.
    bench.make_table(
        rows, statements.cluster.coding.rows(dialect, rows, units, coded.keyed, coded.boxes, bench.counts_persons)
    )
    bench.backend.analyze(rows)
    return replace(coded, units=units, rows=rows, count=count, budget=0)


def _with_costs(bench: Workbench, boxes: Boxes, trees: dict[int, Relation], leaves: dict[int, int]) -> Boxes:
    """Small trees with what any two of their leaves cost: rows are narrower, and a pair of them is sooner weighed."""
    small = [code for code in boxes.trees if leaves[code.index] <= MOST_LEAVES]
    if not small:
        return boxes
    asked = [(code.index, trees[code.index], code.ancestor_columns) for code in small]
    found: dict[int, list[list[int]]] = {code.index: [] for code in small}
    for index, _, *ancestors in bench.backend.fetch(statements.cluster.coding.leaf_ancestors(bench.dialect, asked)):
        found[int(index)].append([int(end) for end in ancestors if end is not None])
    codes = tuple(
        code.with_costs(found[code.index]) if isinstance(code, TreeCode) and code.index in found else code
        for code in boxes.codes
    )
    return replace(boxes, codes=codes)


def _check(bench: Workbench) -> None:
    for i, attribute in enumerate(bench.attributes):
        stopped = "min_level" if attribute.min_level else "max_level" if attribute.max_level < attribute.star else None
        if attribute.max_level < attribute.star and bench.job.search.algorithm == "udrv-suppress":
            raise JobError(
                f"columns.{attribute.name}.max_level: udrv-suppress blanks values, which is beyond every level",
                "use udrv, or leave max_level out",
            )
        if stopped and not is_tree(bench, i):
            raise JobError(
                f"columns.{attribute.name}.{stopped}: {bench.job.search.algorithm} publishes this column as intervals or sets",
                "use `snap: levels`, or a lattice search",
            )
        if snaps_to_levels(bench, i) and attribute.star < 2:
            raise JobError(f"columns.{attribute.name}.snap: the column has no levels to snap to", "give it levels")


def beyond(attributes: int) -> int:
    """What a row loses in a group beyond a max_level: more than all its cells."""
    return (2 * attributes + 20) * UNIT


def _whole(cells: float) -> int:
    return int(cells * UNIT + 0.5)


def _attribute_code(
    bench: Workbench, index: int, weight: float, glm: bool, parts: list[tuple[int, int, int, int]] | None
) -> Code:
    attribute = bench.attributes[index]
    size = bench.sizes[index][0]
    share = max(size - 1, 1) if glm else size
    if is_range(bench, index):
        return RangeCode(index, _whole(weight))
    if is_tree(bench, index):
        levels = tuple(range(attribute.min_level + 1, min(attribute.star, attribute.max_level + 1)))
        leaves = bench.sizes[index][attribute.min_level]
        share = max(leaves - 1, 1) if glm else leaves
        full = _whole(weight) if attribute.max_level >= attribute.star else beyond(len(bench.attributes))
        return TreeCode(index, full, _whole(weight / share), 0 if glm else 1, levels)
    if parts is None:
        return TreeCode(index, _whole(2 * weight / share), _whole(weight / share), 0, ())
    masks = tuple((word, ((1 << values) - 1) << shift) for word, _, values, shift in parts)
    return SetCode(index, _whole(weight / share), not glm, masks)


def _make_codes(bench: Workbench, table: Relation, code: Code, parts: list[tuple[int, int, int, int]] | None) -> None:
    i, attribute = code.index, bench.attributes[code.index]
    dictionary = bench.names.dictionary(i)
    if isinstance(code, RangeCode):
        finite = finite_value(bench.dialect, attribute)
        statement = statements.cluster.coding.range_codes(bench.dialect, table, dictionary, i, code.full, finite)
    elif isinstance(code, TreeCode):
        statement = statements.cluster.coding.tree_codes(
            bench.dialect, table, dictionary, i, attribute.min_level, list(code.levels)
        )
    else:
        assert parts is not None
        statement = statements.cluster.coding.set_codes(bench.dialect, table, dictionary, i, parts)
    bench.make_table(table, statement)
    _describe(bench, table)


def _describe(bench: Workbench, table: Relation) -> None:
    """Say that a table of codes is small, or a planner sorts all rows to meet it. Not where rows are made distinct first: of their columns
    it knows nothing, and with what it would know of the codes it expects next to no row, and loops over all of them."""
    if not bench.counts_persons:
        bench.backend.analyze(table, often=False)
