"""The house rules hold: style, types and the direction of imports, as `make lint` checks them."""

from __future__ import annotations

import re
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
import yaml

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


def test_the_hooks_before_a_commit_are_what_make_lint_runs() -> None:
    pytest.importorskip("pre_commit", reason="the extra `lint` is not installed")
    command = [sys.executable, "-m", "pre_commit", "validate-config", str(CHECKOUT / ".pre-commit-config.yaml")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    repositories = yaml.safe_load((CHECKOUT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"]
    assert [repository["repo"] for repository in repositories] == ["local"], "nothing is downloaded"
    hooks = {hook["entry"].split()[0] for repository in repositories for hook in repository["hooks"]}
    recipe = (CHECKOUT / "Makefile").read_text(encoding="utf-8").partition("\nlint:")[2].partition("\n\n")[0]
    assert hooks == {f".venv/bin/{program}" for program in re.findall(r"\$\(BIN\)/([a-z-]+)", recipe)}
