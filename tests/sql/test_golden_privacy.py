"""The SQL of the privacy models, guards and attacks as it is sent, per dialect; parsed by an independent parser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from kanon_sql.model.lattice import Node
from kanon_sql.model.privacy.alpha_k import AlphaK
from kanon_sql.model.privacy.beta_likeness import BetaLikenessModel
from kanon_sql.model.privacy.l_diversity import DistinctLDiversity, EntropyLDiversity, RecursiveLDiversity
from kanon_sql.model.privacy.model import PrivacyModel
from kanon_sql.model.privacy.t_closeness import TClosenessModel
from kanon_sql.sql import statements
from kanon_sql.sql.class_shape import ClassColumn, ClassShape
from kanon_sql.sql.dialect import CountedRelation, Dialect, Relation
from kanon_sql.sql.generalized import generalized
from kanon_sql.sql.packed_keys import packed_keys
from kanon_sql.sql.statement import Statement
from tests.sql.golden_files import DIALECTS, compare
from tests.sql.test_golden import ATTRIBUTES, NAMES, SIZES, SOURCE, STAR

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

HIERARCHY = (("flu", "lung", "inside"), ("ulcer", "stomach", "inside"))
VERIFIED: dict[str, PrivacyModel] = {
    "distinct": DistinctLDiversity("ill", 3),
    "entropy": EntropyLDiversity("ill", 2.5),
    "recursive": RecursiveLDiversity("ill", 3, 0.5),
    "share": AlphaK("ill", 0.5, ("it's",)),
    "gain": BetaLikenessModel("ill", 1.0, "basic"),
    "excess": BetaLikenessModel("ill", 1.0),
    "equal": TClosenessModel("ill", 0.2),
    "ordered": TClosenessModel("ill", 0.2, "ordered"),
    "hierarchical": TClosenessModel("ill", 0.2, "hierarchical", rows=HIERARCHY),
}


def made(dialect: Dialect) -> dict[str, Statement]:
    staged = Relation(("release", "people__v1"))
    source = Relation(("census", "people"))
    columns = [attribute.name for attribute in ATTRIBUTES]
    keys = packed_keys(dialect, NODE, STAR, SIZES, whole=True)
    at_node = generalized(dialect, source, ATTRIBUTES, NODE, "person")

    def verified(model: PrivacyModel) -> Statement:
        (asked,) = model.verification()
        return statements.release.verify_model(
            dialect,
            staged,
            source,
            columns,
            "ill",
            asked,
            order=dialect.ordered("whole.s", "text") if asked.ordered else None,
            values=model.named_values,
            lookup=model.hierarchy,
        )

    race = ("race", NAMES.dictionary(5), 5, 1, "label_1", True)
    return {
        "checks/frequency_sets.models": statements.checks.frequency_sets(dialect, SOURCE, [keys], SHAPE),
        "levels/sensitive_hierarchy": statements.levels.sensitive_hierarchy(
            dialect, NAMES.work("sensitive_hierarchy_0"), NAMES.sensitive(0), NAMES.work("lookup"), 2, 1000
        ),
        "levels/sensitive_codes": statements.levels.sensitive_codes(dialect, NAMES.sensitive(0), ["it's", "x"]),
        "levels/population_dictionary": statements.levels.population_dictionary(dialect, NAMES, 5, ATTRIBUTES[5]),
        "levels/population_base": statements.levels.population_base(dialect, NAMES, ATTRIBUTES, True),
        **{f"release/verify_model.{name}": verified(model) for name, model in VERIFIED.items()},
        "release/verify_one_row": statements.release.verify_one_row(dialect, source, "per son"),
        "release/verify_one_row.close": statements.release.verify_one_row(dialect, source, "per son", -7),
        "release/verify_persons": statements.release.verify_persons(dialect, staged, columns, at_node, "person"),
        "release/verify_source": statements.release.verify_source(dialect, staged, columns, at_node),
        "release/verify_staged_persons": statements.release.verify_staged_persons(
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
        "release/verify_population": statements.release.verify_population(
            dialect, staged, columns, at_node, [("worst_0", "max(case when fits > 0 then c / fits else 1e300 end)")]
        ),
        "checks/risk": statements.checks.risk(dialect, staged, columns, None, 0.09),
        "checks/node_risk": statements.checks.node_risk(dialect, SOURCE, keys, SHAPE, 0.09),
        "release/counts": statements.release.counts(
            dialect, CountedRelation(("kanon_work", "r1_staged_counts"), "kanon_n"), staged, [*columns, "ill"]
        ),
        "release/guard_homogeneous.counts": statements.release.guard_homogeneous(
            dialect, CountedRelation(("kanon_work", "r1_staged_counts"), "kanon_n"), columns, ["ill"]
        ),
        "release/guard_identifiers": statements.release.guard_identifiers(dialect, source, ["id", "name"]),
        "release/guard_rare_values": statements.release.guard_rare_values(dialect, staged, [["visits"], columns], 5),
        "release/guard_homogeneous": statements.release.guard_homogeneous(dialect, staged, columns, ["ill"]),
        "release/guard_totals": statements.release.guard_totals(dialect, staged, ["age", "race"], at_node, 5),
        "checks/published_levels": statements.checks.published_levels(
            dialect, staged, "race", NAMES.dictionary(5), 5, 2
        ),
        "checks/linkage": statements.checks.linkage(dialect, staged, columns, at_node, "person", 5),
        "checks/minimality": statements.checks.minimality(dialect, staged, columns, [race], 5, 3, True),
        "checks/unsplit": statements.checks.unsplit(dialect, staged, [("race", NAMES.dictionary(5))], 5),
    }


@pytest.mark.parametrize("engine", DIALECTS)
def test_golden_privacy(engine: str, golden: Callable[[Path, str], None]) -> None:
    compare(engine, made(DIALECTS[engine]), golden)
