"""The choice in words: what is published, an example that k rows share, what it costs, and what else could be taken."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest

from tests.cli.kanon import kanon
from tests.cli.test_terminal import on_a_terminal

COLUMNS = """
  age: {role: quasi, levels: [10, "*"]}
  town: {role: quasi, groups: [{North: [A, B], South: [C, D]}, "*"]}
  mark: {role: quasi, levels: [{prefix: 1}, "*"]}
"""


def job_of(folder: Path, source: str, more: str = "", columns: str = COLUMNS, k: int = 5) -> Path:
    folder.mkdir(exist_ok=True)
    with duckdb.connect(str(folder / "t.duckdb")) as connection:
        connection.execute(source)
    job = folder / "job.yml"
    job.write_text(
        f"version: 1\nsource: {{url: 'duckdb:///t.duckdb', table: t{more}}}\nprivacy: {{k: {k}}}\n"
        f"columns:{columns}publish: {{table: rel.t}}\n"
    )
    return job


SOURCE = """create table t as select (20 + i % 40)::int age, ['A', 'B', 'C', 'D'][1 + i % 4] town, 'x' || i mark from range(400) r(i)"""


@pytest.fixture(scope="module")
def job(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return job_of(tmp_path_factory.mktemp("choice"), SOURCE)


def by_column(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {line["column"]: line for line in document["choice"]}


def test_the_choice_is_told_in_words(job: Path) -> None:
    document = kanon("plan", job, "--json").json
    choice = by_column(document)
    assert {name: line["level"] for name, line in choice.items()} == document["node"]
    assert choice["mark"]["published"] == "first character"
    assert choice["mark"]["example"] == "x*"
    assert sum(line["share_of_loss"] for line in choice.values()) == pytest.approx(1)
    shown = kanon("plan", job, "--quiet").out
    assert shown.index("for example") < shown.index("glm = ")
    assert "first character" in shown
    assert f"the example is the largest class: {document['example_rows']} rows share all of it" in shown


def test_a_lost_column_is_said_in_red_on_a_terminal_and_in_words_elsewhere(job: Path) -> None:
    lost = ("--set", "columns.mark.min_level=2")
    sentence = "withheld: mark is published as `*` in every row: nothing is left of it"
    piped = kanon("plan", job, "--quiet", *lost).out
    assert sentence in piped
    assert "\x1b" not in piped
    assert f"\x1b[31m{sentence}\x1b[0m" in on_a_terminal("plan", job, *lost)
    assert "\x1b[31m" not in on_a_terminal("plan", job, *lost, env={"NO_COLOR": "1"})
    assert "withheld:" not in kanon("plan", job, "--quiet").out


def test_no_example_is_shown_that_fewer_than_k_people_share(tmp_path: Path) -> None:
    """One person with a hundred rows is no class of a hundred: with a person key, persons are counted."""
    source = """create table t as select 'secret' town, 1 who from range(100)
        union all select ['A', 'B', 'C', 'D'][1 + i % 4], 100 + i from range(40) r(i)"""
    columns = "\n  who: {role: identifier}\n  town: {role: quasi}\n"
    job = job_of(tmp_path, source, ", person: who", columns)
    extra = ("--set", "privacy.suppression=0.9")
    document = kanon("plan", job, "--json", *extra).json
    assert by_column(document)["town"]["example"] in "ABCD"
    assert document["example_rows"] == 10
    assert "secret" not in kanon("plan", job, *extra).out


def test_alternatives_are_near_or_keep_a_column_and_pass_by_themselves(tmp_path: Path) -> None:
    source = """create table t as select (20 + i % 60)::int age, ['A', 'B', 'C', 'D'][1 + (i // 7) % 4] town,
        ['p', 'q', 'r'][1 + (i // 11) % 3] || (i % 10) mark from range(500) r(i)"""
    job = job_of(tmp_path, source)
    document = kanon("plan", job, "--json").json
    assert document["alternatives"]
    for other in document["alternatives"]:
        chosen = other["loss"] - other["more"]
        keeps = any(part["keeps"] for part in other["differs"])
        assert 0 <= other["more"] <= chosen * (0.6 if keeps else 0.15) + 1e-9
        assert any(part["finer"] for part in other["differs"])  # it keeps something that the choice does not
        fixed = [
            part
            for name, level in other["node"].items()
            for part in ("--set", f"columns.{name}.min_level={level}", "--set", f"columns.{name}.max_level={level}")
        ]
        again = kanon("plan", job, "--json", *fixed).json
        assert again["node"] == other["node"]
        assert (again["k"], again["suppressed"]) == (other["k"], other["suppressed"])
    assert "instead of" in kanon("plan", job, "--quiet").out.split("alternatives")[1]
    shown = on_a_terminal("plan", job, "--quiet", env={"COLUMNS": "80", "NO_COLOR": "1"})
    assert max(map(len, shown.splitlines())) <= 80
    run = kanon("run", job, "--json").json
    assert by_column(run) == by_column(document)


def test_groups_are_told_in_words(job: Path) -> None:
    shown = kanon("plan", job, "--quiet", "--set", "search.algorithm=mondrian")
    assert shown.code == 0, shown.err
    head = shown.out.splitlines()[0]
    assert "groups of" in head
    assert "typically" in head
    assert "of the range" in shown.out or "nearly as stored" in shown.out
    document = kanon("plan", job, "--json", "--set", "search.algorithm=mondrian").json
    assert document["example_rows"] >= 5
    assert sum(line["share_of_loss"] for line in document["choice"]) == pytest.approx(1)


def test_measures_that_are_no_sum_over_columns_have_shares_as_well(job: Path) -> None:
    document = kanon("plan", job, "--json", "--set", "utility.metric=discernibility").json
    assert sum(line["share_of_loss"] for line in document["choice"]) == pytest.approx(1)
