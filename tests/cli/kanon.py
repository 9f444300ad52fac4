"""The command line as a user types it, in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Shown:
    """What a command left on the terminal."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def kanon(
    *arguments: object, cwd: Path | None = None, env: dict[str, str] | None = None, timeout: float = 240
) -> Shown:
    """`kanon …` in a fresh process."""
    command = [sys.executable, "-m", "kanon_sql", *map(str, arguments)]
    path = os.pathsep.join(part for part in (str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH")) if part)
    done = subprocess.run(
        command,
        cwd=cwd,
        env=os.environ | {"PYTHONPATH": path} | (env or {}),
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    return Shown(done.returncode, done.stdout, done.stderr)
