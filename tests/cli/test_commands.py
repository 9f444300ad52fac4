"""The commands as a user types them: exit codes, --json, what goes where."""

from __future__ import annotations

import importlib
import json
from pathlib import Path

import pytest

import kanon_sql
import kanon_sql.cli
from kanon_sql.cli.app import load_commands
from kanon_sql.errors import ExitCode
from kanon_sql.flows import VERBS
from tests.cli.kanon import kanon
from tests.support import make_table

# What the tests share takes longer to make than they do: on one worker it is made once.
pytestmark = pytest.mark.xdist_group("commands")

PLAN_KEYS = {"algorithm", "exact", "gap", "k", "rows", "suppressed", "classes", "node", "utility", "rules", "checks", "nodes", "statements",
             "seconds", "runners_up"}  # fmt: skip


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("demo")
    shown = kanon("demo", directory, "--rows", 1000, "--json")
    assert shown.code == 0, shown.err
    assert shown.json["verified"]["k"] >= 5
    return directory / "job.yml"


def test_the_demo_can_be_made_again(demo: Path) -> None:
    again = kanon("demo", demo.parent, "--rows", 1000, "--json")
    assert (again.code, again.json["unchanged"]) == (0, True), again.err


def test_run_reports_the_documented_shape(demo: Path) -> None:
    shown = kanon("run", demo, "--json")
    assert shown.code == 0, shown.err
    document = shown.json
    assert set(document) >= PLAN_KEYS | {"run", "release", "version", "verified"}
    assert document["release"] == "release.people"


def test_plan_publishes_nothing_and_can_print_its_sql(demo: Path) -> None:
    before = kanon("history", demo, "--json").out
    shown = kanon("plan", demo, "--sql")
    assert shown.code == 0, shown.err
    assert "-- checks/frequency_sets" in shown.out
    assert "group by" in shown.out
    assert "searching" in shown.err
    assert kanon("history", demo, "--json").out == before


def test_plan_takes_overrides_and_a_chosen_node(demo: Path) -> None:
    settings = [
        "privacy.k=8",
        "search.algorithm=exhaustive",
        *(f"columns.{name}.min_level=2" for name in ("zip", "education", "marital_status", "hours_per_week")),
    ]
    overrides = [part for setting in settings for part in ("--set", setting)]
    best = kanon("plan", demo, "--json", *overrides).json
    assert best["k"] >= 8
    assert best["exact"]
    second = kanon("plan", demo, "--json", *overrides, "--choose", 2).json
    assert second["node"] == best["runners_up"][0]["node"]
    assert not second["exact"]


def test_check_is_a_gate(demo: Path) -> None:
    source = kanon("check", demo, "--json")
    assert source.code == ExitCode.PRIVACY_GATE
    assert source.json["passes"] is False
    assert source.json["unique_rows"] > 0
    release = kanon("check", demo, "--table", "release.people", "--json")
    assert release.code == 0
    assert release.json["k"] >= 5


def test_validate_is_offline(demo: Path, tmp_path: Path) -> None:
    copied = tmp_path / "job.yml"
    copied.write_text(demo.read_text())
    shown = kanon("validate", copied)
    assert shown.code == 0
    assert "valid" in shown.out
    copied.write_text(demo.read_text() + "\nsurprise: 1\n")
    shown = kanon("validate", copied, "--json")
    assert shown.code == ExitCode.JOB_FILE
    error = json.loads(shown.err)["error"]
    assert set(error) == {"type", "message", "hint", "exit_code"}
    assert "unknown key surprise" in error["message"]


def test_schema_is_json() -> None:
    assert kanon("schema").json["properties"]["privacy"]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["plan", "no-such.yml"], ExitCode.JOB_FILE),
        (["plan"], ExitCode.USAGE),
        (["plan", "--no-such-option", "x"], ExitCode.USAGE),
        (["nonsense"], ExitCode.USAGE),
        (["--version"], ExitCode.DONE),
        (["--help"], ExitCode.DONE),
    ],
)
def test_exit_codes(arguments: list[str], code: ExitCode) -> None:
    assert kanon(*arguments).code == code


def test_a_lost_server_is_exit_4_and_no_solution_is_exit_6(tmp_path: Path) -> None:
    job = tmp_path / "job.yml"
    text = "version: 1\nsource: {url: 'URL', table: people}\nprivacy: {k: 5}\ncolumns: {age: {role: quasi, max_level: 0}}\n"
    job.write_text(text.replace("URL", "postgresql+psycopg://nobody:hidden-word@127.0.0.1:1/nothing"))
    shown = kanon("plan", job)
    assert shown.code == ExitCode.CONNECTION
    assert "hidden-word" not in shown.err + shown.out
    make_table(f"duckdb:///{tmp_path / 'x.duckdb'}", "people", ["age integer"], [(i,) for i in range(10)])
    job.write_text(text.replace("URL", "duckdb:///x.duckdb"))
    shown = kanon("plan", job)
    assert shown.code == ExitCode.NO_SOLUTION
    assert "hint:" in shown.err


def commands() -> list[str]:
    """What a user can type after `kanon`."""
    registered = load_commands().registered_commands
    return [command.name or command.callback.__name__ for command in registered if command.callback]


def test_every_command_is_a_flow_and_a_verb_of_the_api() -> None:
    shared = {"__init__", "app", "choice", "help", "output", "registered", "terminal"}
    assert {path.stem for path in Path(kanon_sql.cli.__file__).parent.glob("*.py")} - shared == set(VERBS)
    assert sorted(commands()) == sorted(VERBS)
    for verb in VERBS:
        flow = getattr(importlib.import_module(f"kanon_sql.flows.{verb}"), verb)
        assert getattr(kanon_sql, verb) is flow, f"kanon {verb} is not kanon_sql.{verb}"
        assert f"flows import {verb} as flow" in Path(kanon_sql.cli.__file__).with_name(f"{verb}.py").read_text()


def test_every_command_is_documented_where_the_readme_points() -> None:
    checkout = Path(__file__).parents[2]
    assert "(docs/commands.md)" in (checkout / "README.md").read_text(encoding="utf-8")
    page = (checkout / "docs" / "commands.md").read_text(encoding="utf-8")
    for name in commands():
        assert f"| `kanon {name}" in page, name
