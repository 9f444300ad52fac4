"""The SQL of the privacy models, guards and attacks as it is sent, per dialect; parsed by an independent parser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import sqlglot

from kanon_sql.model.lattice import Node
from kanon_sql.sql import guard_statements, privacy_statements, statements
from kanon_sql.sql.class_shape import ClassColumn, ClassShape
from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.generalized import generalized
from kanon_sql.sql.packed_keys import packed_keys
from kanon_sql.sql.statement import Statement
from tests.sql.test_golden import ATTRIBUTES, DIALECTS, GOLDEN, NAMES, SIZES, SOURCE, STAR

NODE: Node = (1, 1, 2, 2, 1, 1)
SHAPE = ClassShape(
    5,
    columns=(
        ClassColumn("distinct_0", 0, "count(*)"),
        ClassColumn("tail_0", 0, "sum(case when r >= 3 then m else 0 end)"),
        ClassColumn("hierarchical_distance_0", 0, "(sum(abs(m / n - p)) + sum(gp1 * m / gm1)) / 4"),
        ClassColumn("ordered_distance_0", 0, "sum(abs(f)) / (count(*) - 1)", "domain"),
    ),
    conditions=("distinct_0 < 3", "ordered_distance_0 > 0.2", "population < 9"),
    monotone_conditions=("distinct_0 < 3",),
    certain=("n * (ordered_distance_0 - 0.2) / 0.8",),
    hierarchies={0: NAMES.work("sensitive_hierarchy_0")},
    population=NAMES.work("population"),
)


def made(dialect: Dialect) -> dict[str, Statement]:
    staged = Relation(("release", "people__v1"))
    source = Relation(("census", "people"))
    columns = [attribute.name for attribute in ATTRIBUTES]
    keys = packed_keys(dialect, NODE, STAR, SIZES, whole=True)
    at_node = generalized(dialect, source, ATTRIBUTES, NODE, ["person"])
    model = privacy_statements.verify_model
    race = ("race", NAMES.dictionary(5), 5, 1, "label_1", True)
    return {
        "frequency_sets_models": statements.frequency_sets(dialect, SOURCE, [keys], SHAPE),
        "sensitive_hierarchy": privacy_statements.sensitive_hierarchy(
            dialect, NAMES.work("sensitive_hierarchy_0"), NAMES.sensitive(0), NAMES.work("lookup"), 2, 1000
        ),
        "sensitive_codes": privacy_statements.sensitive_codes(dialect, NAMES.sensitive(0), ["it's", "x"]),
        "population_dictionary": privacy_statements.population_dictionary(dialect, NAMES, 5, ATTRIBUTES[5]),
        "population_base": privacy_statements.population_base(dialect, NAMES, ATTRIBUTES),
        "verify_distinct": model(dialect, staged, source, columns, "ill", "distinct"),
        "verify_entropy": model(dialect, staged, source, columns, "ill", "entropy"),
        "verify_recursive": model(dialect, staged, source, columns, "ill", "recursive", l=3, c=0.5),
        "verify_share": model(dialect, staged, source, columns, "ill", "share", values=["it's"]),
        "verify_excess": model(dialect, staged, source, columns, "ill", "excess", beta=1.0),
        "verify_ordered": model(dialect, staged, source, columns, "ill", "ordered", order="s"),
        "verify_hierarchical": model(
            dialect,
            staged,
            source,
            columns,
            "ill",
            "hierarchical",
            lookup=(("flu", "lung"), ("ulcer", "stomach")),
            height=2,
        ),
        "verify_persons": privacy_statements.verify_persons(dialect, staged, columns, at_node, "person"),
        "verify_behind": privacy_statements.verify_behind(
            dialect,
            staged,
            NAMES.work("behind"),
            source,
            quasi=columns,
            columns=[*columns, "ill"],
            person=("kanon_person", "per son"),
            raw=[("kanon_raw_0", "age")],
            side="kanon_side",
        ),
        "verify_population": privacy_statements.verify_population(dialect, staged, columns, at_node),
        "risk": guard_statements.risk(dialect, staged, columns, None, 0.09),
        "node_risk": guard_statements.node_risk(dialect, SOURCE, keys, SHAPE, 0.09),
        "guard_identifiers": guard_statements.guard_identifiers(dialect, source, ["id", "name"]),
        "guard_rare_values": guard_statements.guard_rare_values(dialect, staged, [["visits"], columns], 5),
        "guard_homogeneous": guard_statements.guard_homogeneous(dialect, staged, columns, ["ill"]),
        "guard_totals": guard_statements.guard_totals(dialect, staged, ["age", "race"], at_node, 5),
        "published_levels": guard_statements.published_levels(dialect, staged, "race", NAMES.dictionary(5), 5, 2),
        "linkage": guard_statements.linkage(dialect, staged, columns, at_node, "person", 5),
        "minimality": guard_statements.minimality(dialect, staged, columns, [race], 5, 3, True),
        "unsplit": guard_statements.unsplit(dialect, staged, [("race", NAMES.dictionary(5))], 5),
    }


@pytest.mark.parametrize("engine", DIALECTS)
def test_golden_privacy(engine: str, golden: Callable[[Path, str], None]) -> None:
    for name, statement in made(DIALECTS[engine]).items():
        sqlglot.parse_one(statement.sql, dialect="postgres" if engine == "postgresql" else engine)
        golden(GOLDEN / engine / f"{name}.sql", f"-- {statement.label}\n{statement.sql}\n")
