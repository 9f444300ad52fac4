"""One version, said in two places."""

from __future__ import annotations

import tomllib
from pathlib import Path

import kanon_sql


def test_the_version_is_the_projects() -> None:
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]
    assert kanon_sql.__version__ == project["version"]
