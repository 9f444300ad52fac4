"""Every command block of README and docs is typed, page by page, as a reader would: in one shell, from the top.

A block that cannot be typed here (it needs a server, or is the suite itself) has a comment before it that a reader does not see,
`<!-- not run: why -->`; its kanon commands are held against the options that exist.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.cli.kanon import FORKED, demonstration, forking
from tests.nightly.test_operating_docs import check_command

CHECKOUT = Path(__file__).parents[2]
PAGES = sorted([*CHECKOUT.glob("*.md"), *(CHECKOUT / "docs").glob("*.md")])
FENCE = re.compile(r"^(?:<!-- not run: (?P<why>[^\n]+) -->\n)?```(?P<language>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)  # fmt: skip
SHELL = ("sh", "bash", "console")


@dataclass(frozen=True)
class Block:
    language: str
    text: str
    not_run: str | None


def blocks(page: Path) -> list[Block]:
    found = FENCE.finditer(page.read_text(encoding="utf-8"))
    return [Block(each["language"], each["text"], each["why"]) for each in found]


TYPED = {page.name: [b for b in blocks(page) if b.language in SHELL and b.not_run is None] for page in PAGES}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_block_says_what_it_is(page: Path) -> None:
    assert [block.text for block in blocks(page) if not block.language] == []
    assert page.read_text(encoding="utf-8").count("\n```") == 2 * len(blocks(page))
    for block in blocks(page):
        if block.language in SHELL and block.not_run:
            for command in re.split(r"\n|&&|;", block.text):
                words = shlex.split(command, comments=True)
                if words and Path(words[0]).name == "kanon":
                    check_command(words)


@pytest.fixture
def typist(tmp_path: Path) -> dict[str, str]:
    """An environment in which `kanon` is this checkout's, forked (tests/forked.py)."""
    (tmp_path / "bin").mkdir()
    command = tmp_path / "bin" / "kanon"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -I -S "{FORKED}" "{forking()}" "$@"\n')
    command.chmod(0o755)
    path = os.pathsep.join(part for part in (str(CHECKOUT), os.environ.get("PYTHONPATH")) if part)
    return os.environ | {"PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": path}


@pytest.mark.parametrize("page", [name for name, typed in TYPED.items() if typed])
def test_the_blocks_of_a_page_are_typed(page: str, tmp_path: Path, typist: dict[str, str]) -> None:
    """The README begins with nothing; the other pages begin where its first day ends: beside the demonstration's job file."""
    folder = tmp_path / "desk"
    folder.mkdir()
    if page != "README.md":
        demonstration(folder)
    script = "set -euo pipefail\n"
    for place, block in enumerate(TYPED[page], start=1):
        script += f'echo "=== block {place} of {page}" >&2\n{block.text}\n'
    done = subprocess.run(
        ["bash", "-c", script], cwd=folder, env=typist, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stderr.count("=== block") == len(TYPED[page])


def test_enough_is_typed() -> None:
    typed = sum(map(len, TYPED.values()))
    left_out = sum(block.language in SHELL and block.not_run is not None for page in PAGES for block in blocks(page))
    print(f"{typed} command blocks are typed, {left_out} are not run")
    assert len(TYPED["README.md"]) >= 5
    assert typed > left_out
