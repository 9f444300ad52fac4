"""The command line as a user types it, in a process of its own: forked from one that has imported the program (tests/forked.py)."""

from __future__ import annotations

import atexit
import json
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tests.forked import ask

CHECKOUT = Path(__file__).parents[2]
FORKED = CHECKOUT / "tests" / "forked.py"


@dataclass(frozen=True)
class Shown:
    """What a command left on the terminal."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@cache
def forking() -> str:
    """The address of the process that forks commands. It ends with this one: by the end of its standard input."""
    folder = tempfile.mkdtemp(prefix="kanon-fork-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    address = Path(folder, "socket")
    path = os.pathsep.join(part for part in (str(CHECKOUT), os.environ.get("PYTHONPATH")) if part)
    process = subprocess.Popen(
        [sys.executable, str(FORKED), "--serve", str(address)],
        env=os.environ | {"PYTHONPATH": path},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return str(address)


def typed(
    arguments: list[str],
    streams: tuple[int, int, int],
    cwd: Path | None = None,
    env: dict[str, str] | None = None,
    timeout: float = 240,
) -> int:
    """`kanon …` with these standard streams; its exit code."""
    return ask(forking(), arguments, str(cwd or Path.cwd()), dict(os.environ | (env or {})), streams, timeout)


def kanon(
    *arguments: object, cwd: Path | None = None, env: dict[str, str] | None = None, timeout: float = 240
) -> Shown:
    """`kanon …` in a process of its own."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, open(os.devnull, "rb") as nothing:
        code = typed([*map(str, arguments)], (nothing.fileno(), out.fileno(), err.fileno()), cwd, env, timeout)
        out.seek(0)
        err.seek(0)
        return Shown(code, out.read().decode(), err.read().decode())


@cache
def _demonstration() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="kanon-demo-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    shown = kanon("demo", folder, "--rows", 1000, "--json")
    assert shown.code == 0, shown.err
    return folder


def demonstration(folder: Path) -> Path:
    """What `kanon demo FOLDER --rows 1000` leaves, made once in this process; its job file."""
    shutil.copytree(_demonstration(), folder, dirs_exist_ok=True)
    return folder / "job.yml"
