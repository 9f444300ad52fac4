"""The papers' own small examples, and what each of their algorithms promises beyond k."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import kanon_sql
from kanon_sql.cluster.block_questions import StartGrowing
from kanon_sql.flows.session import opened
from kanon_sql.observer import Observer
from kanon_sql.sql.relations import GroupTable
from kanon_sql.sql.statement import Statement
from kanon_sql.sql.statements.cluster.spatial import SCALE
from kanon_sql.workbench.coding import build_coding
from kanon_sql.workbench.group_answers import GroupAnswers
from kanon_sql.workbench.objectives import build_weights
from kanon_sql.workbench.spatial import SpatialGrowing
from kanon_sql.workbench.workbench import Workbench
from tests.cluster.people import job, load, people, released
from tests.support import fetch, job_of, make_table

GROWN = ["k-member", "spatial-distance"]
MERGED = ["bottom-up", "udrv", "euclidean"]
SIX = {"a": (10, 60), "b": (20, 70), "c": (20, 50), "d": (50, 20), "e": (50, 15), "f": (60, 10)}


def six_points(url: str, base: Path, **search: object) -> Counter[tuple[object, ...]]:
    """The published classes of the six points with their rows."""
    make_table(url, "points", ["x integer", "y integer"], SIX.values())
    columns: dict[str, Any] = {"x": {"role": "quasi"}, "y": {"role": "quasi"}}
    kanon_sql.run(job_of(url, "points", columns, 2, base, search=search))
    return Counter(fetch(url, "select x, y from release.people"))


def uncertainty(classes: Counter[tuple[object, ...]]) -> int:
    """The sum of interval sizes over all rows (Xu et al. 2006, example 1)."""
    total = 0
    for labels, rows in classes.items():
        for label in labels:
            low, high = map(int, str(label)[1:-1].split("-"))
            total += rows * (high - low)
    return total


@pytest.mark.parametrize(
    "search",
    [
        {"algorithm": "bottom-up"},
        {"algorithm": "bottom-up", "objective": "merged"},
        {"algorithm": "bottom-up", "rounds": 0},
        {"algorithm": "euclidean", "rounds": 0},
        {"algorithm": "top-down", "rounds": 0},
    ],
    ids=lambda search: "-".join(str(value) for value in search.values()),
)
def test_the_six_points_of_example_1(duckdb_url: str, tmp_path: Path, search: dict[str, Any]) -> None:
    classes = six_points(duckdb_url, tmp_path, **search)
    assert classes == {("[10-20]", "[50-70]"): 3, ("[50-60]", "[10-20]"): 3}  # {a, b, c} and {d, e, f}
    assert uncertainty(classes) == 150 < 190


def test_the_similarity_of_nations_beside_men(duckdb_url: str, tmp_path: Path) -> None:
    """SpatialDistance, figure 1 and table 3: beside men, Korea is as frequent as Japan and China is not: 1/4 and 1/2."""
    counts = {("1 male", "Japan"): 5, ("1 male", "Korea"): 5, ("1 male", "China"): 1}
    counts |= {("2 female", "Japan"): 3, ("2 female", "China"): 6}
    rows = [pair for pair, n in counts.items() for _ in range(n)]
    make_table(duckdb_url, "nations", ["gender varchar(10)", "nation varchar(10)"], rows)
    columns: dict[str, Any] = {"gender": {"role": "quasi"}, "nation": {"role": "quasi"}}
    asked = job_of(duckdb_url, "nations", columns, 3, tmp_path, search={"algorithm": "spatial-distance"})
    with opened(asked, Observer(), read_only=True, run="t") as backend, Workbench(backend, asked, "t") as bench:
        bench.prepare()
        rounds = GroupAnswers(bench, build_coding(bench, build_weights(bench)), 3)
        growing = SpatialGrowing(rounds, StartGrowing(whole=True, spatial=True))
        assert growing.grow().done == 1
        table = backend.dialect.relation(rounds.tables[GroupTable.SEED_DISTANCES])
        units = backend.dialect.relation(rounds.coded.units)
        words = [backend.dialect.relation(bench.names.dictionary(index)) for index in (0, 1)]
        found = backend.fetch(
            Statement(
                "test",
                f"select distinct g.label_0, n.label_0, f.e0, f.e1 from {table} f join {units} u on u.rid = f.rid "
                f"join {words[0]} g on g.q0_0 = u.q0_0 join {words[1]} n on n.q1_0 = u.q1_0",
            )
        )
    distances = {(str(gender), str(nation)): (int(e0), int(e1)) for gender, nation, e0, e1 in found}
    assert distances["1 male", "Korea"] == (0, SCALE // 4)
    assert distances["1 male", "China"] == (0, SCALE // 2)
    assert distances["2 female", "Japan"] == (SCALE, 0)
    assert distances["2 female", "China"] == (SCALE, SCALE // 2)


@pytest.mark.parametrize("intervals", ["text", "typed"])
def test_a_row_is_not_singled_out_by_a_blank(engine_url: str, intervals: str, tmp_path: Path) -> None:
    """udrv-suppress blanks values, and a plain count of what is published still finds k rows in every class."""
    load(engine_url, people(200, seed=5))
    publish = {"table": "release.people", "intervals": intervals}
    result = kanon_sql.run(job(engine_url, "udrv-suppress", 4, base=tmp_path, publish=publish))
    shown = "age, income" if intervals == "text" else "age_lo, age_hi, income_lo, income_hi"
    out = released(engine_url, f"{shown}, city, job")
    assert any(value in ("*", None) for row in out for value in row[:-2])
    assert min(Counter(out).values()) == result.verified["k"] >= 4


@pytest.mark.parametrize("algorithm", [*GROWN, *MERGED, "top-down"])
def test_a_rule_is_kept_wherever_it_can_be(duckdb_url: str, algorithm: str, tmp_path: Path) -> None:
    load(duckdb_url, people(120))
    columns = {"age": {"rules": [{"cut": 65}]}}
    plan = kanon_sql.plan(job(duckdb_url, algorithm, base=tmp_path, columns=columns))
    assert plan.rules[0]["broken_groups"] == 0


@pytest.mark.parametrize("algorithm", ["k-member", "bottom-up", "top-down", "udrv"])
def test_with_weights_the_loss_moves_to_the_light_attributes(duckdb_url: str, algorithm: str, tmp_path: Path) -> None:
    """Weights 8, 4, 2, 1 (Xu et al. 2006, section 5.3.2)."""
    load(duckdb_url, people(160))
    search = {"rounds": 2}
    weighted = {"age": {"weight": 8}, "city": {"weight": 4}, "job": {"weight": 2}, "income": {"weight": 1}}
    equal = kanon_sql.plan(job(duckdb_url, algorithm, base=tmp_path, search=search)).figures["attributes"]
    heavy = kanon_sql.plan(job(duckdb_url, algorithm, base=tmp_path, search=search, columns=weighted)).figures[
        "attributes"
    ]
    assert heavy["age"]["glm"] < equal["age"]["glm"]
    assert heavy["income"]["glm"] > equal["income"]["glm"]


@pytest.mark.parametrize("algorithm", [*GROWN, "bottom-up"])
def test_blocks_cost_little(duckdb_url: str, algorithm: str, tmp_path: Path) -> None:
    """The whole table as one block is the paper's algorithm; small blocks come near it."""
    load(duckdb_url, people(120))
    whole = kanon_sql.plan(job(duckdb_url, algorithm, base=tmp_path, search={"block": 120}))
    blocks = kanon_sql.plan(job(duckdb_url, algorithm, base=tmp_path, search={"block": 40}))
    assert whole.k >= 4 and blocks.k >= 4
    assert blocks.utility["ncp"] < whole.utility["ncp"] * 1.5


@pytest.mark.parametrize("algorithm", ["k-member", "bottom-up", "top-down", "udrv-suppress"])
def test_fewer_than_2k_rows_are_one_group(duckdb_url: str, algorithm: str, tmp_path: Path) -> None:
    load(duckdb_url, people(7))
    plan = kanon_sql.plan(job(duckdb_url, algorithm, base=tmp_path))
    assert (plan.groups, plan.k, plan.suppressed) == (1, 7, 0)
    assert plan.rules == []


@pytest.mark.parametrize("algorithm", ["k-member", "udrv-suppress", "top-down"])
def test_other_privacy_models_and_a_budget_hold(duckdb_url: str, algorithm: str, tmp_path: Path) -> None:
    load(duckdb_url, people(120))
    privacy = {"suppression": 0.05, "l_diversity": {"illness": {"kind": "distinct", "l": 3}}}
    result = kanon_sql.run(job(duckdb_url, algorithm, base=tmp_path, search={"rounds": 2}, privacy=privacy))
    assert result.plan.suppressed <= 6
    by_class: dict[object, list[object]] = {}
    for *quasi, illness in released(duckdb_url, "age, income, city, job, illness"):
        by_class.setdefault(tuple(quasi), []).append(illness)
    assert min(len(set(words)) for words in by_class.values()) >= 3
    assert min(map(len, by_class.values())) >= 4
