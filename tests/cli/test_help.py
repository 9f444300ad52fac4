"""`kanon --help`: every command under what one does with it, no sentence cut off."""

from __future__ import annotations

import re

import typer.main

from kanon_sql.cli.app import load_commands
from kanon_sql.flows import SECTIONS
from tests.cli.kanon import kanon


def test_no_sentence_is_cut_off_and_no_line_is_too_long() -> None:
    shown = kanon("--help", env={"COLUMNS": "80"})
    assert shown.code == 0
    assert "..." not in shown.out.split("Start:")[1]
    assert max(map(len, shown.out.splitlines())) <= 80
    assert re.findall(r"^(\w[\w ]*):$", shown.out, re.MULTILINE) == ["Options", *SECTIONS]
    words = " ".join(shown.out.split())
    for name, command in typer.main.get_command(load_commands()).commands.items():  # type: ignore[attr-defined]
        assert f"{name} {' '.join(str(command.help).split())}" in words
