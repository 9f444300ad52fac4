"""The commands as a user types them, in the test's own process."""

from __future__ import annotations

import contextlib
import io
import sys
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from kanon_sql.cli.app import main


@dataclass(frozen=True)
class Typed:
    """What a command said, and how it ended."""

    exit_code: int
    out: str
    err: str


def kanon(*arguments: object, cwd: Path | None = None) -> Typed:
    """Type `kanon ...`."""
    out, err = io.StringIO(), io.StringIO()
    code = 0
    words = ["kanon", *map(str, arguments)]
    place = contextlib.chdir(cwd) if cwd is not None else contextlib.nullcontext()
    with place, mock.patch.object(sys, "argv", words), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main()
        except SystemExit as stop:
            code = int(stop.code or 0)
    return Typed(code, out.getvalue(), err.getvalue())
