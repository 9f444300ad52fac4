"""The SQL as it is sent, per dialect: golden files, each parsed by an independent parser (pytest --regenerate writes them)."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest

from kanon_sql.model.attribute import Attribute
from kanon_sql.model.forms import Form
from kanon_sql.model.levels import CutsLevel, DateLevel, Level, LookupLevel, PrefixLevel, Raw, Star, WidthLevel
from kanon_sql.sql import statements
from kanon_sql.sql.class_shape import ClassColumn, ClassShape
from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.packed_keys import packed_keys
from kanon_sql.sql.relations import WorkNames, shortened, version_table
from kanon_sql.sql.statement import Statement
from tests.sql.golden_files import DIALECTS, compare

NAMES = WorkNames("kanon_work", "1")


def attribute(name: str, kind: str, *levels: Level, lookup: tuple[tuple[str, ...], ...] = ()) -> Attribute:
    whole = (Raw(), *levels, Star())
    return Attribute(name, kind, 2 if kind == "decimal" else 0, kind != "text", whole, 0, len(whole) - 1, lookup=lookup)


ATTRIBUTES = [
    attribute("age", "integer", WidthLevel(Decimal(5)), CutsLevel((Decimal(18), Decimal(65)))),
    attribute("income", "decimal", WidthLevel(Decimal("0.5"))),
    attribute("bmi", "double", WidthLevel(Decimal("0.5")), CutsLevel((Decimal("18.5"), Decimal(25)))),
    attribute("seen", "timestamptz", DateLevel("day"), DateLevel("month"), DateLevel("decade")),
    attribute("zip", "text", PrefixLevel(3)),
    attribute("race", "text", LookupLevel(1), lookup=(("a", "x"), ("b", "x"))),
]
SIZES = [[70, 15, 3, 1], [900, 300, 1], [90, 30, 3, 1], [800, 300, 24, 4, 1], [99, 9, 1], [5, 2, 1]]
STAR = tuple(len(sizes) - 1 for sizes in SIZES)
SOURCE = statements.checks.FrequencySource(NAMES.base, {0: NAMES.sensitive(0)}, 1000)
PLAIN = ClassShape(5)
DIVERSE = ClassShape(5, columns=(ClassColumn("distinct_0", 0, "count(*)"),), conditions=("distinct_0 < 3",))


def made(dialect: Dialect) -> dict[str, Statement]:
    """Every statement of the golden path, on one small job."""
    levels, checks, metrics, embedded = statements.levels, statements.checks, statements.metrics, statements.embedded
    doubled = [(0, NAMES.dictionary(0), "value"), (2, NAMES.dictionary(2), "value")]
    side = ("value < 18", "value >= 18")
    keys = [packed_keys(dialect, node, STAR, SIZES) for node in ((1, 1, 1, 1, 1, 1), STAR)]
    source = Relation(("census", "people"))
    return {
        "levels/source_view": levels.source_view(dialect, NAMES.source, "some_file"),
        "levels/lookup": levels.lookup(dialect, NAMES.lookup(5), 1),
        "levels/lookup_rows": levels.lookup_rows(dialect, NAMES.lookup(5), [("a", "x"), ("it's", "x")]),
        "levels/lookup_view": levels.lookup_view(dialect, NAMES.lookup(5), [("it's", "x"), ("b", "x")]),
        "levels/person_range": levels.person_range(dialect, source, "per son"),
        "levels/repeated_person": levels.repeated_person(dialect, source, "per son"),
        "levels/repeated_person.close": levels.repeated_person(dialect, source, "per son", -3),
        "levels/largest": levels.largest(dialect, source, ["age", 'in"come']),
        "levels/sensitive": levels.sensitive(dialect, NAMES, 0, "text"),
        "levels/uncovered": levels.uncovered(dialect, NAMES.sensitive_hierarchy(0)),
        "checks/count_rows": checks.count_rows(dialect, NAMES.raw),
        "checks/table_rows": checks.table_rows(dialect, NAMES.raw),
        "checks/table_classes": checks.table_classes(dialect, source, ["age", "se x"], "person", 5),
        "checks/narrowed_base": checks.narrowed_base(
            dialect, NAMES.roll_up(9), NAMES.base, [("q0_1", "q0_1"), ("w0 & 12", "w0"), ("s0", "s0")], 1000
        ),
        "metrics/cells": metrics.cells(
            dialect, NAMES.cells("glm", 0), NAMES.dictionary(0), 0, [(0, "0"), (1, "0.5")], "1"
        ),
        "metrics/cell_sums": metrics.cell_sums(
            dialect, [(0, NAMES.dictionary(0), ["0", "0.5"]), (1, NAMES.dictionary(1), ["0"])]
        ),
        "metrics/smallest_gaps": metrics.smallest_gaps(dialect, doubled),
        "metrics/broken_rules": metrics.broken_rules(
            dialect, [(0, 0, NAMES.dictionary(0), *side, ["q0_0", "q0_1", None])]
        ),
        "metrics/rule_rows": metrics.rule_rows(dialect, [(0, 0, 0, NAMES.dictionary(0), side[0])]),
        "metrics/frequent_values": metrics.frequent_values(dialect, NAMES.raw, "v4", "text", True, 5, 10),
        "metrics/associations": metrics.associations(
            dialect,
            NAMES.base,
            [
                (0, 2, "pearson", NAMES.dictionary(0), NAMES.dictionary(2), "value", "value"),
                (0, 4, "ratio", NAMES.dictionary(0), NAMES.dictionary(4), "value", ""),
                (4, 5, "cramer", NAMES.dictionary(4), NAMES.dictionary(5), "", ""),
            ],
        ),
        "metrics/node_measures": metrics.node_measures(
            dialect,
            SOURCE,
            keys[0],
            PLAIN,
            [(0, NAMES.dictionary(0), ["0", "n * 2"]), (5, NAMES.dictionary(5), ["0", "1"])],
        ),
        "metrics/published": metrics.published(
            dialect, NAMES.published("score"), source, ["cast(age as text)", "'*'"], "ill"
        ),
        "embedded/export_counts": embedded.export_counts(dialect, NAMES.base, [("q0_0", "q0_0"), ("n", "n")]),
        "embedded/import_counts": embedded.import_counts(dialect, NAMES.exported_counts, "read_csv('counts')"),
        "embedded/export_dictionaries": embedded.export_dictionaries(
            dialect, [(0, NAMES.dictionary(0), 2, "value"), (1, NAMES.dictionary(1), 1, None)], 2
        ),
        "embedded/import_dictionary": embedded.import_dictionary(
            dialect, NAMES.dictionary(0), NAMES.exported_dictionaries, 0, 2, numeric=True
        ),
        "embedded/export_combinations": embedded.export_combinations(
            dialect, NAMES.units, ["q0_0", "q1_0"], counted=False, alone=False, repeated=True
        ),
        "embedded/export_combinations.alone": embedded.export_combinations(
            dialect, NAMES.base, ["q0_0", "q1_0"], counted=True, alone=True, repeated=False
        ),
        "embedded/export_combinations.counted": embedded.export_combinations(
            dialect, NAMES.base, ["q0_0", "q1_0"], counted=True, alone=False, repeated=False
        ),
        "embedded/export_groups": embedded.export_groups(dialect, NAMES.work("assignment"), ["rid", "g"], "f", "csv"),
        "embedded/empty_groups": embedded.empty_groups(dialect, NAMES.work("assignment"), ["rid", "g"]),
        "embedded/joined_base": embedded.joined_base(
            dialect, NAMES.base, NAMES.exported_counts, [(0, NAMES.dictionary(0), 2), (1, NAMES.dictionary(1), 1)], 1
        ),
        "levels/raw": statements.levels.raw(dialect, NAMES.raw, source, [("v0", "age"), ("v1", 'in"come')]),
        **{
            f"levels/dictionary.{a.name}": statements.levels.dictionary(dialect, NAMES, i, a)
            for i, a in enumerate(ATTRIBUTES)
        },
        "levels/dictionaries": statements.levels.dictionaries(dialect, NAMES, ATTRIBUTES),
        "levels/dictionary_view": statements.levels.dictionary_view(dialect, NAMES, 5, ATTRIBUTES[5]),
        "levels/all_codes": statements.levels.all_codes(dialect, NAMES, ATTRIBUTES, 101),
        "embedded/export_all_dictionaries": statements.embedded.export_all_dictionaries(
            dialect, NAMES.dictionaries, 2, [(0, "v0")]
        ),
        "levels/columns_view": statements.levels.columns_view(
            dialect,
            NAMES.work("published"),
            source,
            [
                (
                    form.value,
                    dialect.published(dialect.identifier(form.value), form, "numeric" if form is Form.SCALED else None),
                )
                for form in Form
            ]
            + [(f"read_{form.value}", dialect.read(dialect.identifier(form.value), form)) for form in Form],
        ),
        "levels/coverage": statements.levels.coverage(dialect, NAMES, ATTRIBUTES),
        "levels/codes": statements.levels.codes(dialect, NAMES, ATTRIBUTES, 101),
        "levels/sizes": statements.levels.sizes(dialect, NAMES, ATTRIBUTES),
        "levels/base": statements.levels.base(dialect, NAMES, ATTRIBUTES, 1, False, 1000),
        "levels/base.view": statements.levels.base(dialect, NAMES, ATTRIBUTES, 1, False, 1000, as_view=True),
        "levels/level_view": statements.levels.level_view(dialect, NAMES, NAMES.levels, source, ATTRIBUTES, None),
        "levels/level_view.node": statements.levels.level_view(
            dialect, NAMES, NAMES.levels, source, ATTRIBUTES, "kanon_", (1, 2, 0, 4, 0, 1)
        ),
        "checks/frequency_sets": statements.checks.frequency_sets(dialect, SOURCE, keys, PLAIN),
        "checks/frequency_sets.persons": statements.checks.frequency_sets(
            dialect, SOURCE, keys[:1], ClassShape(5, person=True)
        ),
        "checks/frequency_sets.diverse": statements.checks.frequency_sets(dialect, SOURCE, keys, DIVERSE),
        "checks/small_classes": statements.checks.small_classes(
            dialect,
            NAMES.small_classes,
            NAMES.base,
            ["q0_0 + q1_0 * 40"],
            [(0, keys[0], 7, (1, 0), NAMES.base), (1, [], 9, (2, 0), NAMES.roll_up(1))],
            PLAIN,
            {0: NAMES.work("glm_0"), 1: NAMES.work("glm_1")},
            (0.5, 0.5),
            first=True,
            repeated=False,
        ),
        "checks/small_classes.added": statements.checks.small_classes(
            dialect,
            NAMES.small_classes,
            NAMES.base,
            ["q0_0 + q1_0 * 40"],
            [(2, keys[0], 7, (1, 0), NAMES.base)],
            ClassShape(5, person=True),
            {0: NAMES.work("glm_0"), 1: NAMES.work("glm_1")},
            (0.5, 0.5),
            first=False,
            repeated=True,
        ),
        "checks/small_classes_loss": statements.checks.small_classes_loss(
            dialect, NAMES.small_classes, [(0, 7), (1, 9)]
        ),
        "checks/rows_in_small_classes": statements.checks.rows_in_small_classes(
            dialect, NAMES.small_classes, [(0, 0, 3), (0, 1, 3), (1, 1, 5)], 2
        ),
        "checks/measured_nodes": statements.checks.measured_nodes(
            dialect, SOURCE, keys, PLAIN, 10, [NAMES.roll_up(9), *[NAMES.base] * (len(keys) - 1)]
        ),
        "metrics/suppression_steps": statements.metrics.suppression_steps(
            dialect, [(0, NAMES.dictionary(0), ["0", "1"], "1"), (1, NAMES.dictionary(1), ["0"], "1")], 256
        ),
        "checks/suppressed_loss": statements.checks.suppressed_loss(
            dialect,
            SOURCE,
            [(keys[0], DIVERSE, (1, 0)), (keys[1], DIVERSE, (2, 0))],
            {0: NAMES.work("glm_0"), 1: NAMES.work("glm_1")},
            (0.5, 0.5),
        ),
        "release/violating": statements.release.violating(dialect, NAMES.work("violating"), SOURCE, keys[0], PLAIN),
        "release/stage": statements.release.stage(
            dialect,
            Relation(("release", "people__v1")),
            NAMES.work("coded"),
            [("age__0", dialect.as_text("rows.age__0"), "age")],
            NAMES.work("violating"),
            keys[0],
        ),
        "release/stage_counted": statements.release.stage_counted(
            dialect,
            Relation(("release", "people__v1")),
            NAMES.work("coded"),
            [("age__0", dialect.as_text("rows.age__0"), "age"), ("ill", "rows.ill", "ill")],
            NAMES.work("violating"),
            keys[0],
            "kanon_",
        ),
        "release/distinct_values": statements.release.distinct_values(dialect, NAMES.work("coded"), ["ill", "to wn"]),
        "release/verify": statements.release.verify(dialect, Relation(("release", "people__v1")), ["age", "se x"]),
        "release/swap": statements.release.swap(
            dialect, Relation(("release", "people")), Relation(("release", "people__v1")), True
        ),
    }


@pytest.mark.parametrize("engine", DIALECTS)
def test_golden(engine: str, golden: Callable[[Path, str], None]) -> None:
    compare(engine, made(DIALECTS[engine]), golden)


def test_a_key_that_would_pass_62_bits_is_split() -> None:
    sizes = [[1000, 1]] * 9
    keys = packed_keys(DIALECTS["duckdb"], (0,) * 9, (1,) * 9, sizes)
    assert len(keys) == 2
    assert packed_keys(DIALECTS["duckdb"], (1,) * 9, (1,) * 9, sizes) == []


def test_long_names_are_shortened_without_collision() -> None:
    one, two = (shortened("x" * 62 + end, 63, "__3") for end in ("ab", "ac"))
    assert one != two
    assert max(len(one), len(two)) <= 63
    assert shortened("ü" * 40, 63, "__1").endswith("__1")
    assert version_table(Relation(("s", "t")), 3, 63) == Relation(("s", "t__v3"))
