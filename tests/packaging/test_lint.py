"""The house rules hold: style, types and the direction of imports, as `make lint` checks them."""

from __future__ import annotations

import subprocess
import sysconfig
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[2]
PROGRAMS = Path(sysconfig.get_path("scripts"))


@pytest.mark.parametrize(
    "command", [("ruff", "check", "."), ("ruff", "format", "--check", "."), ("mypy",), ("lint-imports",)]
)
def test_it_finds_nothing(command: tuple[str, ...]) -> None:
    program, *arguments = command
    done = subprocess.run(
        [str(PROGRAMS / program), *arguments], cwd=CHECKOUT, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
