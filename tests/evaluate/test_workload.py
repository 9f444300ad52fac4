"""Random queries: exact on the source itself, and as computed by hand on a small release."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from kanon_sql.errors import JobError
from kanon_sql.evaluate.workload import draw_workload
from kanon_sql.flows.session import reading
from kanon_sql.flows.workload import workload
from kanon_sql.observer import Observer
from tests.cli.commands import kanon
from tests.support import fetch, job_of, make_table

COLUMNS = {
    "age": {"role": "quasi", "levels": [10, "*"]},
    "town": {"role": "quasi", "groups": [{"North": ["a", "b"], "South": ["c", "d"]}, "*"]},
    "sex": {"role": "quasi"},
}


def people(url: str, rows: int = 300) -> None:
    draw = random.Random(1)
    values = [(draw.randrange(20, 60), draw.choice("abcd"), draw.choice("FM")) for _ in range(rows)]
    values += [(None, "a", "F"), (33, None, "M")]
    make_table(url, "people", ["age integer", "town varchar(5)", "sex varchar(1)"], values)


def test_the_source_answers_itself_exactly(engine_url: str) -> None:
    people(engine_url)
    found = workload(job_of(engine_url, "people", COLUMNS), "people", queries=60, attributes=2)
    assert found.count_mean == pytest.approx(0, abs=1e-9)
    assert found.sum_mean == pytest.approx(0, abs=1e-9)
    assert found.summed == "age"
    assert found.empty < found.queries


def test_true_answers_and_uniform_answers(engine_url: str) -> None:
    """Every query by hand: the truth by counting rows, the answer by overlaps of intervals and sets."""
    people(engine_url, 120)
    job = job_of(engine_url, "people", COLUMNS)
    rows = fetch(engine_url, "select age, town, sex from people")
    make_table(
        engine_url,
        "released",
        ["age varchar(20)", "town varchar(20)", "sex varchar(5)"],
        [
            (
                None if age is None else f"{age // 10 * 10}-{age // 10 * 10 + 9}",
                None if town is None else "North" if town in "ab" else "South",
                sex,
            )
            for age, town, sex in rows
        ],
    )
    with reading(job, Observer()) as bench:
        bench.prepare()
        drawn = draw_workload(bench, 40, 2, None, 5)
        parts = {
            (int(q), i): (int(level), int(first), int(last))
            for i in range(3)
            for q, level, first, last in bench.backend.fetch(
                _select(bench.dialect.relation(bench.names.work(f"workload_parts_{i}")))
            )
        }
    ages = sorted({age for age, _, _ in rows if age is not None})
    with_null: list[int | None] = [None, *ages]
    towns: list[list[str | None]] = [[None, "a", "b", "c", "d"], [None, "North", "South"]]
    truth: dict[int, float] = {}
    answers: dict[int, float] = {}
    decades = {age: [other for other in ages if other // 10 == age // 10] for age in ages}
    for query in range(len(drawn.asked)):
        for age, town, sex in rows:
            weight, share = 1.0, 1.0
            for i in drawn.asked[query]:
                level, first, last = parts[query, i]
                if i == 0:
                    picked = [value for value in with_null[first : last + 1] if value is not None]
                    inside = 1.0 if age in picked else 0.0
                    overlap = 0.0
                    if age is not None and picked:
                        low, high = min(decades[age]), max(decades[age])
                        overlap = max(0, min(high, max(picked)) - max(low, min(picked)) + 1) / (high - low + 1)
                elif i == 1:
                    wanted = towns[level][first]
                    group = None if town is None else "North" if town in "ab" else "South"
                    inside = float((town if level == 0 else group) == wanted)
                    overlap = (
                        float(group == wanted)
                        if level
                        else 0.5 * float(wanted in ("ab" if group == "North" else "cd"))
                        if group and wanted
                        else float(group is wanted)
                    )
                else:
                    inside = overlap = float(sex == ["F", "M"][first])
                weight, share = weight * inside, share * overlap
            middle = 0.0 if age is None else (min(decades[age]) + max(decades[age])) / 2
            factors = (1.0, 1.0) if drawn.counts(query) else (float(age or 0), middle)
            truth[query] = truth.get(query, 0.0) + weight * factors[0]
            answers[query] = answers.get(query, 0.0) + share * factors[1]
    for query, true in truth.items():
        assert drawn.truth.get(query, 0.0) == pytest.approx(true), query
    errors = [abs(answers[q] - t) / t for q, t in truth.items() if t and drawn.counts(q)]
    sums = [abs(answers[q] - t) / t for q, t in truth.items() if t and not drawn.counts(q)]
    found = workload(job, "released", queries=40, attributes=2, seed=5)
    assert found.count_mean == pytest.approx(sum(errors) / len(errors))
    assert found.sum_mean == pytest.approx(sum(sums) / len(sums))
    assert found.count_mean > 0


def _select(table: str):  # type: ignore[no-untyped-def]
    from kanon_sql.sql.statement import Statement

    return Statement("test", f"select query, level, first_code, last_code from {table} where query >= 0")


def test_mistakes(duckdb_url: str, tmp_path: Path) -> None:
    people(duckdb_url)
    with pytest.raises(JobError, match="numeric"):
        workload(job_of(duckdb_url, "people", COLUMNS), "people", sum_column="town")
    assert kanon("workload", tmp_path / "none.yml").exit_code == 3
