"""Interpreters that have dbt or Airflow: this one, one named in the environment, or a virtual environment that `make test-workflow` made.

Both pin packages that kanon_sql uses in other versions, so each has an environment of its own; nothing of ours imports them.
"""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[2]


@cache
def interpreter_with(name: str, module: str) -> str:
    """A Python that imports the module, or the test is skipped saying why."""
    own = CHECKOUT / ".venv" / "workflow" / name / "bin" / "python"
    for candidate in (os.environ.get(f"KANON_{name.upper()}_PYTHON"), str(own), sys.executable):
        if candidate and Path(candidate).exists():
            looked = [
                candidate,
                "-c",
                f"import importlib.util, sys; sys.exit(importlib.util.find_spec({module!r}) is None)",
            ]
            if subprocess.run(looked, capture_output=True, timeout=60, check=False).returncode == 0:
                return candidate
    pytest.skip(f"no {name}: `make test-workflow` installs it into an environment of its own")
