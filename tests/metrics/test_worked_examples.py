"""The figures that the papers work out by hand."""

from __future__ import annotations

import pytest

from kanon_sql.evaluate.score import Score, score_release
from kanon_sql.metrics.objective import SeparableObjective
from kanon_sql.metrics.research_value import attribute_value, combined, numeric_granularity, rules_factor
from kanon_sql.search.questions import ScoreNodes
from kanon_sql.workbench.answers import Answers
from kanon_sql.workbench.objectives import build_objective
from kanon_sql.workbench.privacy_shape import build_shape
from kanon_sql.workbench.rules import rules_at
from tests.metrics.benches import bench_of
from tests.metrics.tables import write


def test_the_thesis_numeric_example_by_formula() -> None:
    granularity = numeric_granularity(125, 25 * 10 + 45 * 15 + 55 * 25)
    assert attribute_value(0.2, granularity, rules_factor([50], [50, 50])) == pytest.approx(0.0054, abs=5e-5)


def test_the_thesis_numeric_example_in_sql(engine_url: str) -> None:
    """Three groups of 25, 45 and 55 rows spanning 10, 15 and 25 values; rules of 50 of 100 hold; weight 0.2."""
    rows = [(n % 10,) for n in range(25)] + [(10 + n % 15,) for n in range(45)] + [(25 + n % 25,) for n in range(55)]
    columns = {
        "x": {
            "role": "quasi",
            "weight": 2,
            "levels": [{"cuts": [10, 25]}, "*"],
            "rules": [{"cut": 10, "importance": 40}, {"cut": 5, "importance": 50}],
        },
        "y": {"role": "quasi", "weight": 8},
    }
    defined = ["x integer", "y integer"]
    with bench_of(
        engine_url, defined, [(x, 1) for (x,) in rows], columns, utility={"metric": "rv", "base": 10}
    ) as bench:
        objective = build_objective(bench).objective
        assert isinstance(objective, SeparableObjective)
        assert objective.ceiling == pytest.approx(1)
        value = 0.2 - objective.parts[0][1]
        assert value == pytest.approx(0.2 * 125 / 2300 * 0.5)
        assert value == pytest.approx(0.0054, abs=5e-5)
        assert objective.parts[0] == pytest.approx((0, 0.2 - value, 0.2)), "`*` is worth nothing"


def test_the_thesis_race_rules(engine_url: str) -> None:
    """Rules of 5, 20, 10 and 5; Hispanic and Black are mixed: 30/40 = 0.75."""
    pairs = [("White", "Hispanic", 5), ("White", "Black", 20), ("Hispanic", "Black", 10), ("Hispanic", "Asian", 5)]
    columns = {
        "race": {
            "role": "quasi",
            "groups": [{"W": ["White"], "HB": ["Hispanic", "Black"], "A": ["Asian"]}, "*"],
            "rules": [{"apart": [a, b], "importance": importance} for a, b, importance in pairs],
        }
    }
    rows = [(race,) for race in ("White", "Black", "Hispanic", "Asian") for _ in range(3)]
    with bench_of(engine_url, ["race varchar(9)"], rows, columns, utility={"metric": "rv"}) as bench:
        assert rules_factor((5, 20, 5), (5, 20, 10, 5)) == 0.75
        objective = build_objective(bench).objective
        assert 1 - objective.bound((1,)) == pytest.approx(3 / 4 * 0.75)
        assert [rule["holds"] for rule in rules_at(bench, (1,))] == [True, True, False, True]
        assert [rule["holds"] for rule in rules_at(bench, (2,))] == [False] * 4
        assert rules_at(bench, (0,))[1] == {
            "column": "race",
            "rule": "White apart from Black",
            "importance": 20.0,
            "holds": True,
        }


def test_the_importance_factor_leans_on_granularity_or_on_rules() -> None:
    assert combined(0.25, 0.5, 0.5) == pytest.approx(0.25 * 0.5)
    assert combined(0.25, 0.5, 0.0) == pytest.approx(0.25**2)
    assert combined(0.25, 0.5, 1.0) == pytest.approx(0.5**2)


def test_an_expert_gives_the_research_value_of_each_level(engine_url: str) -> None:
    """Table 4 of the thesis; a value is taken as it is given, weight and all, and one that rises is pointed out."""
    columns = {
        "race": {"role": "quasi", "weight": 7, "groups": [{"WO": ["W", "O"], "B": ["B"]}, "*"], "rv": [0.95, 0.1, 0.0]},
        "sex": {"role": "quasi", "weight": 3, "rv": [0.65, 0.85]},
    }
    rows = [(race, sex) for race in "WBO" for sex in "MF" for _ in range(2)]
    defined = ["race varchar(9)", "sex varchar(9)"]
    with bench_of(engine_url, defined, rows, columns, utility={"metric": "rv"}) as bench:
        built = build_objective(bench)
        assert isinstance(built.objective, SeparableObjective)
        assert built.objective.ceiling == pytest.approx(0.95 + 0.65)
        assert built.objective.ceiling - built.objective.bound((1, 1)) == pytest.approx(0.1 + 0.85)
        assert not built.objective.monotone
        assert any("sex" in warning for warning in built.warnings)


SIX_POINTS = {"a": (10, 70), "b": (20, 60), "c": (20, 50), "d": (50, 20), "e": (60, 10), "f": (50, 15)}


def six_points(url: str, groups: list[str]) -> Score:
    """The score of a local recoding of the six points of Xu et al., example 1."""
    columns = {"x": {"role": "quasi"}, "y": {"role": "quasi"}}
    with bench_of(url, ["x integer", "y integer"], list(SIX_POINTS.values()), columns) as bench:
        rows = []
        for group in groups:
            labels = []
            for axis in (0, 1):
                values = [SIX_POINTS[point][axis] for point in group]
                labels.append(f"[{min(values)}-{max(values)}]" if min(values) < max(values) else str(min(values)))
            rows += [tuple(labels) for _ in group]
        write(bench.backend, "points", ["x varchar(9)", "y varchar(9)"], rows)
        return score_release(bench, bench.backend.relation("points"))


@pytest.mark.parametrize(("groups", "uncertainty"), [(["ab", "cd", "ef"], 190), (["abc", "def"], 150)])
def test_the_six_points(engine_url: str, groups: list[str], uncertainty: float) -> None:
    score = six_points(engine_url, groups)
    total = 6 * (score.attributes["x"]["ncp"] * (60 - 10) + score.attributes["y"]["ncp"] * (70 - 10))
    assert total == pytest.approx(uncertainty)
    assert score.recoding == "local"
    assert score.measures["discernibility"] == sum(len(group) ** 2 for group in groups)


def test_the_hierarchy_example(engine_url: str) -> None:
    """Xu et al., example 3: d and e have a common ancestor over 6 of 7 values, a and d only the root."""
    columns = {"v": {"role": "quasi", "groups": [{"a": ["a"], "not a": list("bcdefg")}, "*"]}}
    with bench_of(engine_url, ["v varchar(9)"], [(v,) for v in "abcdefg"], columns) as bench:
        for place, (label, pair, penalty) in enumerate([("not a", "de", 6 / 7), ("*", "ad", 1.0)]):
            rows = [(label if v in pair else v,) for v in "abcdefg"]
            write(bench.backend, f"lifted_{place}", ["v varchar(9)"], rows)
            score = score_release(bench, bench.backend.relation(f"lifted_{place}"))
            bench.backend.drop_work([("table", bench.names.work("published"))])
            assert score.attributes["v"]["ncp"] * 7 == pytest.approx(2 * penalty)


def test_table_1_of_poka(engine_url: str) -> None:
    """ZIP at level 1, SEX at `*`, SALARY as it is: 3-anonymous, two classes of three."""
    rows = [
        ("12345", "M", "<50K"),
        ("12346", "M", "<50K"),
        ("12345", "F", "<50K"),
        ("12355", "F", ">=50K"),
        ("12355", "M", ">=50K"),
        ("12356", "M", ">=50K"),
    ]
    columns = {
        "zip": {"role": "quasi", "levels": [{"prefix": 4}, "*"]},
        "sex": {"role": "quasi"},
        "salary": {"role": "quasi"},
    }
    defined = ["zip varchar(9)", "sex varchar(9)", "salary varchar(9)"]
    with bench_of(engine_url, defined, rows, columns, k=3, utility={"target": "salary"}) as bench:
        built = build_objective(bench)
        answers = Answers(bench, built.objective, built.cells, build_shape(bench, built.sums, built.columns).shape)
        (verdict,) = answers.answer(ScoreNodes(((1, 1, 0),)))
        assert (verdict.k, verdict.classes, verdict.passes) == (3, 2, True)
        found = built.utility(verdict)
    assert found["glm"] == pytest.approx((1 / 3 + 1 + 0) / 3)
    assert found["ncp"] == pytest.approx((2 / 4 + 1 + 0) / 3)
    assert found["discernibility"] == 9 + 9
    assert found["c_avg"] == 1
    assert found["average_class_size"] == 3
    assert found["height"] == 2
    assert found["classification"] == 0
