"""What docs/operating.md tells people to paste is well-formed, and speaks of options that exist."""

from __future__ import annotations

import ast
import configparser
import re
import shlex
from pathlib import Path

import typer.main
import yaml

from kanon_sql.cli.app import load_commands

PAGE = (Path(__file__).parents[2] / "docs" / "operating.md").read_text(encoding="utf-8")


def snippets(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def check_command(words: list[str]) -> None:
    """`kanon COMMAND … --option …`: the command and every option exist."""
    group = typer.main.get_command(load_commands())
    command = group.commands[words[1]]  # type: ignore[attr-defined]
    options = {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)}
    for word in words[2:]:
        if word.startswith("--"):
            assert word.partition("=")[0] in options, word


def test_cron() -> None:
    (text,) = snippets("cron")
    lines = [line for line in text.splitlines() if line and "=" not in line.split()[0]]
    for line in lines:
        fields = line.split(None, 6)
        assert all(re.fullmatch(r"[\d*,/-]+", field) for field in fields[:5])
        words = shlex.split(" ".join(fields[6:]))
        assert fields[5] == "kanon-run"
        assert Path(words[0]).name == "kanon"
        check_command(words)


def test_systemd() -> None:
    units = []
    for text in snippets("ini"):
        unit = configparser.ConfigParser(strict=True, interpolation=None)
        unit.optionxform = str  # type: ignore[assignment, method-assign]
        unit.read_string(text)
        units.append(unit)
    service, timer = units
    assert service["Service"]["Type"] == "oneshot"
    check_command(shlex.split(service["Service"]["ExecStart"]))
    assert re.fullmatch(r"\*-\*-\* \d\d:\d\d:\d\d", timer["Timer"]["OnCalendar"])
    assert timer["Install"]["WantedBy"] == "timers.target"


def test_airflow() -> None:
    (text,) = snippets("python")
    tree = ast.parse(text)
    commands = [
        keyword.value.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        for keyword in node.keywords
        if keyword.arg == "bash_command" and isinstance(keyword.value, ast.Constant)
    ]
    assert len(commands) == 1
    check_command(shlex.split(str(commands[0]).replace("{{ ts_nodash }}", "now")))


def test_dbt() -> None:
    (text,) = snippets("yaml")
    document = yaml.safe_load(text)
    assert document["sources"][0]["tables"][0]["name"] == "people"
    (line,) = (text for text in snippets("sh") if text.startswith("dbt"))
    for part in line.strip().split(" && "):
        if part.startswith("kanon"):
            check_command(shlex.split(part))


def test_commands_named_in_the_text_exist() -> None:
    for text in re.findall(r"`(kanon [a-z]+[^`]*)`", PAGE):
        check_command([word for word in shlex.split(text.replace("[", "").replace("]", "")) if word])
