"""The statements of local recoding as they are sent, per dialect."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
import sqlglot

from kanon_sql.sql import statements
from kanon_sql.sql.boxes import Boxes, RangeCode, SetCode, TreeCode, mask_words
from kanon_sql.sql.dialect import CountedRelation, Dialect, Relation
from kanon_sql.sql.merge_cost import AttributeValue, MergeCost, RuleValue
from kanon_sql.sql.relations import WorkNames
from kanon_sql.sql.statement import Statement
from kanon_sql.sql.statements.cluster.publishing import RangeLabel, SetLabel, Told, TreeLabel
from kanon_sql.sql.statements.cluster.spatial import Space, SpatialAttribute
from tests.sql.golden_files import DIALECTS, compare

NAMES = WorkNames("kanon_work", "1")
CODES = (RangeCode(0, 1_000_000), TreeCode(1, 1_000_000, 10_000, 0, (1, 2)), SetCode(2, 200_000, True, ((0, 31),)))
KNOWN = TreeCode(0, 1_000_000, 300_000, 0, (1,)).with_costs([(0, 1), (0, 1), (2, 3), (2, 3)])
SIZES = [(0, 70), (1, 41), (2, 5)]
AGE, CITY, JOB = RangeCode(0, 1_000_000), TreeCode(1, 1_000_000, 10_000, 0, (1,)), SetCode(2, 200_000, True, ((0, 31),))
RULE = SetCode(3, 1_500_000, True, ((0, 96),), rule=True)

work = NAMES.work
T, TREES = work("made"), {1: NAMES.tree(1)}
ASSIGNMENT, ROWS, UNITS, BOXES, RUNS = work("assignment"), NAMES.rows, NAMES.units, work("boxes"), work("runs")
CONTEXT, CHOSEN, CLUSTERS = work("row_context"), work("chosen_moves"), work("clusters")
OPEN, SIDES, SIZED, FINISHED = work("open_rows"), work("sides"), work("side_sizes"), work("finished_rows")
FREE, GROWN, BLANKS = work("free_rows"), work("grown"), work("blanks")


def rounds(dialect: Dialect) -> dict[str, Statement]:
    """Coding, cutting, classes of nodes, moves."""
    boxes = Boxes(dialect, CODES, 1, 3_000_000)
    of_words = Boxes(dialect, (AGE, JOB, SetCode(3, 300_000, True, ((0, 96),))), 1, 3_000_000)
    coding, cutting, moving = (statements.cluster.coding, statements.cluster.cutting, statements.cluster.moving)
    classes, absorbing = statements.cluster.seed_classes, statements.cluster.absorbing
    limits, mending = statements.cluster.limits, statements.cluster.mending
    levels = classes.class_levels(dialect, boxes, dict(SIZES))
    columns, dictionary = cutting.cut_columns(boxes), NAMES.dictionary
    keyed = [(index, NAMES.code_table(index), index) for index in range(3)]
    return {
        "cluster/coding/range_codes": coding.range_codes(dialect, T, dictionary(0), 0, 1_000_000, "value"),
        "cluster/coding/tree_codes": coding.tree_codes(dialect, T, dictionary(1), 1, 0, [1, 2]),
        "cluster/coding/tree_leaves": coding.tree_leaves(dialect, T, NAMES.code_table(1), ["a1", "f1_1", "t1_1"]),
        "cluster/coding/set_codes": coding.set_codes(dialect, T, dictionary(2), 2, [(0, 0, 5, 0)]),
        "cluster/coding/rule_codes": coding.rule_codes(
            dialect, T, dictionary(0), 3, 0, ("value < 4", "value >= 4"), (0, 5)
        ),
        "cluster/coding/units": coding.units(dialect, T, NAMES.base, 3, 1, "person nulls first"),
        "cluster/coding/units.without_person": coding.units(dialect, T, NAMES.base, 3, 1, None),
        "cluster/coding/rows": coding.rows(dialect, T, UNITS, keyed, boxes),
        "cluster/coding/rows.repeated": coding.rows(dialect, T, UNITS, keyed, boxes, True),
        "cluster/coding/rows.view": coding.rows(dialect, T, UNITS, keyed, boxes, view=True),
        "cluster/coding/unit_counts": coding.unit_counts(dialect, UNITS),
        "cluster/coding/leaf_ancestors": coding.leaf_ancestors(
            dialect, [(1, NAMES.tree(1), ["f1_1", "t1_1"]), (3, NAMES.tree(3), ["f3_1", "t3_1", "f3_2", "t3_2"])]
        ),
        "cluster/cutting/empty_assignment": cutting.empty_assignment(dialect, T),
        "cluster/cutting/open_rows": cutting.open_rows(dialect, T, ROWS, ASSIGNMENT, columns, 9),
        "cluster/cutting/open_rows.table": cutting.open_rows(dialect, T, ROWS, None, columns, 0),
        "cluster/cutting/cuts": cutting.cuts(
            dialect, T, OPEN, boxes, TREES, widest=False, least=5, multiple_of=5, strict_above=200, k=5
        ),
        "cluster/cutting/open_combinations": cutting.open_combinations(dialect, T, ROWS, boxes),
        "cluster/cutting/close_combinations": cutting.close_combinations(dialect, FINISHED, SIDES, SIZED, 17, 9),
        "cluster/cutting/cuts.together": cutting.cuts(
            dialect,
            T,
            OPEN,
            boxes,
            TREES,
            widest=False,
            least=5,
            multiple_of=None,
            strict_above=200,
            k=5,
            together=True,
        ),
        "cluster/moving/box_table.known": moving.box_table(
            dialect, T, ASSIGNMENT, ROWS, Boxes(dialect, (KNOWN,), 0), {}
        ),
        "cluster/moving/copied_groups": moving.copied_groups(dialect, T, ASSIGNMENT),
        "cluster/merging/star_mergers": statements.cluster.merging.star_mergers(
            dialect, T, work("operations"), work("violating_groups"), 7
        ),
        "cluster/mending/mending_operations": mending.mending_operations(
            dialect,
            T,
            CONTEXT,
            RUNS,
            BOXES,
            work("violating_groups"),
            UNITS,
            boxes,
            differing=["s0", "s1"],
            repeated=False,
            least=5,
            most=12,
            ceiling=None,
        ),
        "cluster/mending/mending_operations.repeated": mending.mending_operations(
            dialect,
            T,
            CONTEXT,
            RUNS,
            BOXES,
            work("violating_groups"),
            UNITS,
            boxes,
            differing=["s0"],
            repeated=True,
            least=5,
            most=12,
            ceiling=26_000_000,
        ),
        "cluster/mending/trial_units": mending.trial_units(
            dialect, T, work("operations"), ASSIGNMENT, UNITS, ["s0", "person"]
        ),
        "cluster/mending/allowed_operations": mending.allowed_operations(
            dialect, T, work("operations"), work("refused_groups")
        ),
        "cluster/mending/allowed_operations.partly": mending.allowed_operations(
            dialect, T, work("operations"), work("refused_groups"), True
        ),
        "cluster/mending/side_units": mending.side_units(dialect, T, SIDES, UNITS, ["s0"]),
        "cluster/mending/allowed_sides": mending.allowed_sides(
            dialect, T, SIDES, work("refused_groups"), cutting.cut_columns(boxes)
        ),
        "cluster/cutting/sides": cutting.sides(dialect, T, OPEN, work("cuts"), boxes, cutting.cut_columns(boxes), 5),
        "cluster/cutting/side_sizes": cutting.side_sizes(dialect, T, SIDES),
        "cluster/cutting/close_sides": cutting.close_sides(dialect, FINISHED, SIDES, SIZED, 17, 9),
        "cluster/cutting/still_open": cutting.still_open(dialect, T, SIDES, SIZED, columns, 9),
        "cluster/cutting/cut_counts": cutting.cut_counts(dialect, OPEN, SIZED),
        "cluster/cutting/assignment": cutting.assignment(dialect, T, FINISHED, ASSIGNMENT, 9),
        "cluster/seed_classes/level_losses": classes.level_losses(dialect, ROWS, levels),
        "cluster/seed_classes/unassigned_rows": classes.unassigned_rows(dialect, T, ROWS, boxes, work("new_classes")),
        "cluster/seed_classes/assign_classes": classes.assign_classes(
            dialect, T, work("unassigned_rows"), levels, [(0, 0, 0), (1, 2, 1)], 5, 17
        ),
        "cluster/seed_classes/append_singletons": classes.append_singletons(
            dialect, FINISHED, work("unassigned_rows"), 17
        ),
        "cluster/seed_classes/class_counts": classes.class_counts(
            dialect, work("unassigned_rows"), work("new_classes")
        ),
        "cluster/moving/box_table": moving.box_table(dialect, T, ASSIGNMENT, ROWS, boxes, TREES),
        "cluster/moving/row_context": moving.row_context(
            dialect, T, ASSIGNMENT, ROWS, BOXES, boxes, TREES, work("touched_groups")
        ),
        "cluster/moving/sort_runs": moving.sort_runs(dialect, T, ROWS, SIZES, boxes, 170, "7", 4000),
        "cluster/moving/sort_runs.combinations": moving.sort_runs(
            dialect, T, ROWS, SIZES, boxes, 170, "7", 4000, work("combinations")
        ),
        "cluster/moving/candidates": moving.candidates(
            dialect,
            T,
            CONTEXT,
            RUNS,
            BOXES,
            boxes,
            k=5,
            heat=100,
            penalty=50,
            plateau=True,
            most=3,
            small=True,
            last=99,
        ),
        "cluster/moving/candidates.no_small_groups": moving.candidates(
            dialect,
            T,
            CONTEXT,
            RUNS,
            BOXES,
            boxes,
            k=5,
            heat=0,
            penalty=50,
            plateau=False,
            most=3,
            small=False,
            last=99,
        ),
        "cluster/moving/candidates.alike": moving.candidates(
            dialect,
            T,
            CONTEXT,
            RUNS,
            BOXES,
            boxes,
            k=5,
            heat=0,
            penalty=50,
            plateau=True,
            most=3,
            small=False,
            last=99,
            alike=True,
        ),
        "cluster/moving/operations": moving.operations(
            dialect, T, work("candidates"), CONTEXT, boxes, k=5, heat=100, penalty=50, room=9, salt=7
        ),
        "cluster/moving/operations.of_words": moving.operations(
            dialect, T, work("candidates"), CONTEXT, of_words, k=5, heat=100, penalty=50, room=9, salt=7
        ),
        "cluster/moving/chosen_moves": moving.chosen_moves(dialect, T, work("operations"), 2),
        "cluster/moving/touched_groups": moving.touched_groups(dialect, T, CHOSEN),
        "cluster/moving/moved_rows": moving.moved_rows(dialect, T, CHOSEN),
        "cluster/moving/box_table.taken_over": moving.box_table(
            dialect, T, ASSIGNMENT, ROWS, boxes, TREES, work("touched_groups"), BOXES
        ),
        "cluster/moving/row_context.taken_over": moving.row_context(
            dialect, T, ASSIGNMENT, ROWS, BOXES, boxes, TREES, work("touched_groups"), CONTEXT
        ),
        "cluster/moving/replaced_rows": moving.replaced_rows(dialect, T, ASSIGNMENT, work("moved_rows")),
        "cluster/moving/delete_rows": moving.delete_rows(dialect, BOXES, work("touched_groups"), "g"),
        "cluster/moving/insert_rows": moving.insert_rows(dialect, BOXES, work("new_boxes")),
        "cluster/moving/sweep_counts": moving.sweep_counts(dialect, CHOSEN),
        "cluster/moving/small_groups": moving.small_groups(dialect, BOXES, 5),
        "cluster/moving/group_counts": moving.group_counts(dialect, BOXES, 5),
        "cluster/absorbing/absorb_small_groups": absorbing.absorb_small_groups(
            dialect, T, CONTEXT, BOXES, boxes, RUNS, k=5, room=9, budget=3, last=99
        ),
        "cluster/absorbing/costliest_groups": absorbing.costliest_groups(
            dialect, T, CONTEXT, BOXES, boxes, None, k=5, most=10, budget=0
        ),
        "cluster/absorbing/dissolved_groups": absorbing.dissolved_groups(
            dialect, T, ASSIGNMENT, work("costliest_groups"), 99
        ),
        "cluster/absorbing/outliers": absorbing.outliers(dialect, T, CONTEXT, boxes, 5, 3),
        "cluster/absorbing/suppressed_rows": absorbing.suppressed_rows(dialect, ASSIGNMENT),
        "cluster/bounding/nearest_rows": statements.cluster.bounding.nearest_rows(
            dialect, ROWS, ASSIGNMENT, BOXES, boxes, sample=100, k=5, seed=1
        ),
        "cluster/limits/groupable_rows": limits.groupable_rows(dialect, T, ROWS, ["t1_2", "a2"], 5),
        "cluster/limits/separated_groups": limits.separated_groups(
            dialect, T, ASSIGNMENT, ROWS, BOXES, ["t1_2", "a2"], 26_000_000, 99
        ),
        "cluster/limits/parted_groups": limits.parted_groups(
            dialect, T, ASSIGNMENT, ROWS, BOXES, ["t1_2", "a2"], 26_000_000, 99
        ),
        "cluster/limits/without_groups": limits.without_groups(dialect, T, ASSIGNMENT, work("violating_groups")),
        "cluster/limits/with_withheld_rows": limits.with_withheld_rows(dialect, T, ASSIGNMENT, ROWS),
        "cluster/limits/groups_beyond": limits.groups_beyond(dialect, BOXES, 26_000_000),
        "cluster/merging/merge_candidates": statements.cluster.merging.merge_candidates(
            dialect, T, ASSIGNMENT, RUNS, BOXES, work("violating_groups"), boxes, TREES
        ),
    }


def blocks(dialect: Dialect) -> dict[str, Statement]:
    """Growing, merging, blanking and halving inside blocks."""
    boxes = Boxes(dialect, (AGE, CITY, JOB, RULE), 1)
    values = {
        0: AttributeValue(AGE, 1_000_000, 70, 10_000, (RuleValue(RULE, 25_000),)),
        1: AttributeValue(CITY, 1_000_000),
        2: AttributeValue(JOB, 1_000_000),
    }
    cost, ranges = MergeCost(boxes, "research_value", values), MergeCost(boxes, "ranges", {})
    categoricals = (SpatialAttribute(JOB, 5, 1_000_000), SpatialAttribute(CITY, 8, 1_000_000))
    space = Space(boxes, (AGE,), categoricals, (RULE,), 1)
    growing, spatial, halving = (statements.cluster.growing, statements.cluster.spatial, statements.cluster.halving)
    merging, blanking = statements.cluster.merging, statements.cluster.blanking
    loss = merging.loss_figure(cost, "box", "first_row")
    joined, joining = boxes.with_row(boxes.of("nearby"), "free"), growing.joining_cost(boxes)
    centre, distance = space.with_row("nearby", "free"), space.distance("nearby", "free", space.apart_without_seed)
    return {
        "cluster/growing/free_rows": growing.free_rows(dialect, T, ROWS, ASSIGNMENT, boxes, 5),
        "cluster/growing/first_boxes": growing.first_boxes(dialect, T, FREE, boxes.of_row("free")),
        "cluster/growing/seeds": growing.seeds(dialect, GROWN, FREE, boxes, 3, 5),
        "cluster/growing/nearest": growing.nearest(dialect, GROWN, FREE, boxes, 3, 2),
        "cluster/growing/delete_joined": growing.delete_joined(dialect, FREE, GROWN, 3, 2),
        "cluster/growing/still_free": growing.still_free(dialect, T, FREE, GROWN, 3, 2),
        "cluster/growing/leftovers": growing.leftovers(dialect, GROWN, FREE, ROWS, joined, joining, 9),
        "cluster/growing/leftovers.spatial": growing.leftovers(dialect, GROWN, FREE, ROWS, centre, distance, 9),
        "cluster/growing/growing_counts": growing.growing_counts(dialect, GROWN, FREE, 3),
        "cluster/growing/grown_groups": growing.grown_groups(dialect, T, GROWN, FREE),
        "cluster/spatial/sorted_seeds": spatial.sorted_seeds(dialect, GROWN, FREE, space, 3, 5),
        "cluster/spatial/seed_distances": spatial.seed_distances(dialect, T, GROWN, FREE, space, 3, 5),
        "cluster/spatial/nearest_to_centre": spatial.nearest_to_centre(
            dialect, GROWN, work("seed_distances"), space, 3, 2
        ),
        "cluster/merging/identical_rows": merging.identical_rows(dialect, T, FREE, boxes),
        "cluster/merging/clusters": merging.clusters(dialect, T, ASSIGNMENT, FREE, boxes, loss),
        "cluster/merging/clusters.blanking": merging.clusters(
            dialect, T, ASSIGNMENT, FREE, boxes, blanking.first_figures(cost)
        ),
        "cluster/merging/partners": merging.partners(dialect, T, CLUSTERS, boxes, cost, gain=True, k=5),
        "cluster/merging/partners.by_ranges": merging.partners(dialect, T, CLUSTERS, boxes, ranges, gain=False, k=5),
        "cluster/merging/merged_assignment": merging.merged_assignment(dialect, T, ASSIGNMENT, CHOSEN),
        "cluster/merging/merged_clusters": merging.merged_clusters(
            dialect, T, CLUSTERS, CHOSEN, merging.merged_columns(cost)
        ),
        "cluster/merging/merged_clusters.blanking": merging.merged_clusters(
            dialect, T, CLUSTERS, work("mergers"), blanking.merged_columns(cost, {3: 0})
        ),
        "cluster/merging/merge_counts": merging.merge_counts(dialect, CHOSEN, CLUSTERS, 5),
        "cluster/merging/range_widths": merging.range_widths(dialect, [(0, NAMES.dictionary(0), "value")]),
        "cluster/blanking/partners": blanking.partners(dialect, T, CLUSTERS, boxes, cost, gain=True, k=5),
        "cluster/blanking/mergers": blanking.mergers(dialect, T, CHOSEN, CLUSTERS, boxes, cost, 5),
        "cluster/blanking/no_blanks": blanking.no_blanks(dialect, T, ASSIGNMENT),
        "cluster/blanking/blanked_rows": blanking.blanked_rows(dialect, T, BLANKS, work("mergers")),
        "cluster/blanking/settled_blanks": blanking.settled_blanks(dialect, T, BLANKS, [0, 1, 2], 5),
        "cluster/blanking/assignment": blanking.assignment(dialect, T, BLANKS),
        "cluster/blanking/blanked_labels": blanking.blanked_labels(
            dialect, T, NAMES.labels, ASSIGNMENT, BLANKS, [0, 1, 2], [0]
        ),
        "cluster/halving/first_seeds": halving.first_seeds(dialect, T, OPEN, boxes, 7),
        "cluster/halving/far_seeds": halving.far_seeds(dialect, T, OPEN, work("left_seeds"), boxes),
        "cluster/halving/halves": halving.halves(dialect, T, OPEN, work("left_seeds"), work("right_seeds"), boxes, 5),
    }


def published(dialect: Dialect) -> dict[str, Statement]:
    """What the groups publish."""
    publishing, staged = statements.cluster.publishing, Relation(("release", "people__v1"))
    label = RangeLabel(0, "first_0.label_0 || last_0.label_0", "first_0.value", "last_0.value")
    tree = (
        1,
        NAMES.code_table(1),
        TreeLabel("case when box.hi1 <= leaf_1.t1_1 then leaf_1.label_1 else '*' end", (0, 1)),
    )
    words = dialect.listed("words.label_0", ", ", "words.label_0")
    sets = [SetLabel(2, words), SetLabel(3, words, SetCode(3, 1, True, ((0, 12),)), NAMES.code_table(3))]
    return {
        "cluster/publishing/assigned_units": publishing.assigned_units(dialect, T, UNITS, ASSIGNMENT, []),
        "cluster/publishing/assigned_units.counted": publishing.assigned_units(
            dialect, T, UNITS, ASSIGNMENT, ["s0", "person"]
        ),
        "cluster/publishing/broken_groups": publishing.broken_groups(dialect, BOXES, [RULE]),
        "cluster/publishing/group_labels": publishing.group_labels(
            dialect, NAMES, T, ASSIGNMENT, ROWS, UNITS, [label], [tree], sets
        ),
        "cluster/publishing/group_labels.told": publishing.group_labels(
            dialect,
            NAMES,
            T,
            ASSIGNMENT,
            ROWS,
            UNITS,
            [label],
            [tree],
            sets,
            told=work("group_ends"),
            values=work("group_values"),
        ),
        "cluster/publishing/group_ends": publishing.group_ends(
            dialect, T, ASSIGNMENT, ROWS, Told((0,), (1,), (0,), (2,))
        ),
        "cluster/publishing/group_values": publishing.group_values(dialect, T, ASSIGNMENT, UNITS, [2, 4]),
        "cluster/publishing/published_groups.told": publishing.published_groups(
            dialect,
            CountedRelation(T.parts, "kanon_n"),
            UNITS,
            ASSIGNMENT,
            NAMES.labels,
            [("label_0", "a ge")],
            [],
            several=False,
            told=work("group_ends"),
        ),
        "cluster/publishing/published_groups": publishing.published_groups(
            dialect,
            CountedRelation(T.parts, "kanon_n"),
            UNITS,
            ASSIGNMENT,
            NAMES.labels,
            [("label_0", "a ge")],
            [(NAMES.sensitive(0), "s0", "ill")],
            several=True,
        ),
        "cluster/publishing/published_groups.alone": publishing.published_groups(
            dialect,
            CountedRelation(T.parts, "kanon_n"),
            UNITS,
            ASSIGNMENT,
            NAMES.labels,
            [("label_0", "a ge")],
            [],
            several=False,
        ),
        "release/stage_groups": statements.release.stage_groups(
            dialect,
            staged,
            NAMES.coded,
            UNITS,
            ASSIGNMENT,
            NAMES.labels,
            [("kanon_q0_0", "q0_0")],
            ["rows.illness"],
            [("labels.label_0", "a ge")],
            "kanon_place",
            base=NAMES.base,
        ),
        "release/stage_groups.several": statements.release.stage_groups(
            dialect,
            work("staged_persons"),
            NAMES.coded,
            UNITS,
            ASSIGNMENT,
            NAMES.labels,
            [("kanon_q0_0", "q0_0")],
            ["rows.illness", "rows.patient"],
            [("labels.label_0", "a ge"), ("assigned.rid", "kanon_row")],
            "kanon_place",
            work=True,
            several=True,
        ),
        "release/stage_without_persons": statements.release.stage_without_persons(
            dialect, staged, work("behind"), ["a ge", "ill"]
        ),
    }


@pytest.mark.parametrize("engine", DIALECTS)
@pytest.mark.parametrize("made", [rounds, blocks, published])
def test_golden(
    engine: str, made: Callable[[Dialect], dict[str, Statement]], golden: Callable[[Path, str], None]
) -> None:
    compare(engine, made(DIALECTS[engine]), golden)


def test_bits_are_dealt_out_over_words() -> None:
    parts, words = mask_words([(0, 5), (1, 60), (2, 130)])
    assert words == 5
    assert parts[0] == [(0, 0, 5, 0)]
    assert parts[1] == [(1, 0, 60, 0)]
    assert [part[2] for part in parts[2]] == [62, 62, 6]
    seen = set()
    for of in parts.values():
        for word, _, values, shift in of:
            bits = {(word, shift + bit) for bit in range(values)}
            assert not bits & seen
            assert max(bit for _, bit in bits) < 62
            seen |= bits
    assert mask_words([]) == ({}, 0)


@pytest.mark.parametrize("name", ["cluster/cutting/cuts", "cluster/cutting/cuts.together"])
def test_a_cut_on_spark_reads_its_rows_once(name: str) -> None:
    """Spark plans a CTE anew wherever it is named: histograms of nine attributes, named four times, were 36 aggregations in every round."""
    tree = sqlglot.parse_one(rounds(DIALECTS["spark"])[name].sql, read="spark")
    named = Counter(table.name for table in tree.find_all(sqlglot.exp.Table))
    assert named["r1_open_rows"] == 1
    assert {named[cte.alias] for cte in tree.find_all(sqlglot.exp.CTE)} == {1}


def test_a_release_on_spark_makes_no_units() -> None:
    """They would be as many rows again, to be met by every code; where persons' rows share a number they are there already."""
    made = published(DIALECTS["spark"])
    assert NAMES.units.name not in made["release/stage_groups"].sql
    assert NAMES.units.name in made["release/stage_groups.several"].sql
