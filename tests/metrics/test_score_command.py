"""`kanon score` as a user types it, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from kanon_sql.evaluate.score import score_release
from kanon_sql.model.measures import MEASURES
from tests.cli.commands import kanon
from tests.metrics.benches import bench_of
from tests.metrics.tables import write
from tests.support import execute, make_table

PEOPLE = [(age, sex, ill) for age in (24, 25, 30, 30, 32, 32) for sex, ill in (("f", "flu"), ("m", "cold"))]


def written(url: str, folder: Path, **changes: Any) -> Path:
    make_table(url, "people", ["age integer", "sex varchar(9)", "ill varchar(9)"], PEOPLE)
    document: dict[str, Any] = {
        "version": 1,
        "source": {"url": url, "table": "people"},
        "privacy": {"k": 3},
        "columns": {
            "age": {"role": "quasi", "levels": [10, "*"], "rules": [{"cut": 30, "importance": 5}]},
            "sex": {"role": "quasi"},
            "ill": {"role": "sensitive"},
        },
        "utility": {"metric": "rv", "target": "ill"},
        "publish": {"table": "release.people"},
    } | changes
    job = folder / "job.yml"
    job.write_text(yaml.safe_dump(document, sort_keys=False))
    return job


def test_a_release_of_a_run(engine_url: str, tmp_path: Path) -> None:
    job = written(engine_url, tmp_path)
    ran = kanon("run", job, "--json")
    assert ran.exit_code == 0, ran.err
    typed = kanon("score", job, "--json")
    assert typed.exit_code == 0, typed.err
    score, plan = json.loads(typed.out), json.loads(ran.out)
    assert set(MEASURES) <= set(score["measures"])
    assert {name: score["measures"][name] for name in plan["utility"]} == {
        name: pytest.approx(value) for name, value in plan["utility"].items()
    }
    assert {column: figures["level"] for column, figures in score["attributes"].items()} == plan["node"]
    assert score["rules"] == plan["rules"]
    shown = kanon("score", job)
    assert shown.exit_code == 0
    assert "a global recoding" in shown.out
    assert "discernibility" in shown.out


def test_another_release_with_typed_ends(engine_url: str, tmp_path: Path) -> None:
    """Figure 1(c) of Xu et al.: ages published as two columns, age_lo and age_hi."""
    job = written(engine_url, tmp_path)
    rows = [(24, 30) if n < 6 else (30, 32) for n in range(12)]
    make_table(
        engine_url,
        "elsewhere",
        ["age_lo integer", "age_hi integer", "sex varchar(9)", "ill varchar(9)"],
        [(*ends, "*", person[2]) for ends, person in zip(rows, PEOPLE, strict=True)],
    )
    typed = kanon("score", job, "--release", "elsewhere", "--json")
    assert typed.exit_code == 0, typed.err
    score = json.loads(typed.out)
    assert score["recoding"] == "local"
    assert score["attributes"]["age"]["ncp"] == pytest.approx((6 / 8 + 2 / 8) / 2)
    assert score["measures"]["discernibility"] == 36 + 36
    assert score["measures"]["classification"] == pytest.approx(0.5)
    assert "height" not in score["measures"]


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ([("24", "f")] * 13, "13 rows, the source 12"),
        ([("young", "f")] * 3, "1 label of the release is"),
        ([("[90-99]", "f")] * 3, "1 label of the release is"),
        ([("24", "{f, x}")] * 3, "columns.sex: 1 label of"),
    ],
)
def test_what_is_not_a_release_of_this_table(engine_url: str, tmp_path: Path, rows: list[Any], says: str) -> None:
    job = written(engine_url, tmp_path)
    make_table(engine_url, "elsewhere", ["age varchar(9)", "sex varchar(9)"], rows)
    typed = kanon("score", job, "--release", "elsewhere", "--json")
    assert typed.exit_code == 3
    assert says in json.loads(typed.err)["error"]["message"]


def test_a_release_that_is_not_there(engine_url: str, tmp_path: Path) -> None:
    job = written(engine_url, tmp_path)
    typed = kanon("score", job, "--release", "nowhere")
    assert typed.exit_code == 3
    assert "nowhere" in typed.err
    execute(engine_url, "create table other (x integer)")
    typed = kanon("score", job, "--release", "other")
    assert typed.exit_code == 3
    assert "none of the job's quasi-identifiers" in typed.err


def test_blanks_are_worth_nothing_and_a_missing_column_counts_as_star(engine_url: str) -> None:
    """NULL where the source has none, or has fewer, is a blank."""
    columns = {"x": {"role": "quasi"}, "y": {"role": "quasi"}, "z": {"role": "quasi"}}
    rows = [(n, None if n < 2 else "b", "c" if n % 2 else "d") for n in range(6)]
    with bench_of(engine_url, ["x integer", "y varchar(9)", "z varchar(9)"], rows, columns) as bench:
        write(bench.backend, "blanked", ["x integer", "y varchar(9)"], [(None, None)] * 6)
        score = score_release(bench, bench.backend.relation("blanked"))
    assert {name: figures["ncp"] for name, figures in score.attributes.items()} == {"x": 1, "y": 1, "z": 1}
    assert score.measures["rv"] == 0
    assert any("no column z" in note for note in score.notes)


def test_plan_says_which_rules_hold_and_what_is_wrong_with_them(engine_url: str, tmp_path: Path) -> None:
    age = {"role": "quasi", "levels": [5, 10, "*"], "rules": [{"cut": 30, "importance": 5}, {"cut": 200}]}
    columns = {"age": age, "sex": {"role": "quasi"}, "ill": {"role": "sensitive"}}
    job = written(engine_url, tmp_path, columns=columns)
    typed = kanon("plan", job, "--json")
    assert typed.exit_code == 0, typed.err
    plan = json.loads(typed.out)
    assert {rule["rule"] for rule in plan["rules"]} == {"cut at 30", "cut at 200"}
    assert all(set(rule) == {"column", "rule", "importance", "holds"} for rule in plan["rules"])
    assert any("cut at 200" in note and "above every value" in note for note in plan["notes"])


def test_plan_shows_the_matrix_behind_automatic_weights(engine_url: str, tmp_path: Path) -> None:
    job = written(engine_url, tmp_path)
    typed = kanon("plan", job, "--json", "--set", "utility.weights=auto")
    assert typed.exit_code == 0, typed.err
    shown = json.loads(typed.out)["figures"]["associations"]
    assert shown["columns"] == ["age", "sex"]
    assert shown["matrix"] == [[1, pytest.approx(0, abs=1e-9)], [pytest.approx(0, abs=1e-9), 1]]
    assert shown["weights"] == {"age": pytest.approx(0.5), "sex": pytest.approx(0.5)}
    typed = kanon("plan", job, "--set", "utility.weights=auto")
    assert "associations and the weights" in typed.out
