"""The documentation holds together: every page is in the index, links lead somewhere, and the API reference shows every public name."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import kanon_sql

CHECKOUT = Path(__file__).parents[2]
PAGES = sorted([*CHECKOUT.glob("*.md"), *(CHECKOUT / "docs").glob("*.md")])
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)\s]*)?\)")


def test_the_index_names_every_page() -> None:
    index = (CHECKOUT / "docs" / "index.md").read_text(encoding="utf-8")
    linked = {(CHECKOUT / "docs" / target).resolve() for target in LINK.findall(index) if "://" not in target}
    assert {page for page in PAGES if page.name != "index.md"} <= linked


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    targets = [target for target in LINK.findall(page.read_text(encoding="utf-8")) if "://" not in target]
    assert [target for target in targets if not (page.parent / target).exists()] == []


def test_the_reference_shows_every_public_name(tmp_path: Path) -> None:
    pytest.importorskip("pdoc", reason="the extra `docs` is not installed")
    done = subprocess.run(
        [sys.executable, "-W", "error::UserWarning", str(CHECKOUT / "docs" / "api.py"), str(tmp_path)],
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "kanon_sql.html").read_text(encoding="utf-8")
    shown = set(re.findall(r'<section id="([^"]+)"', page))
    assert set(kanon_sql.__all__) <= shown
    assert 'id="VerificationFailed"' in (tmp_path / "kanon_sql" / "errors.html").read_text(encoding="utf-8")


def test_the_changelog_tells_of_this_version() -> None:
    text = (CHECKOUT / "CHANGELOG.md").read_text(encoding="utf-8")
    sections = re.findall(r"^## \[([^\]]+)\]", text, re.MULTILINE)
    assert sections[0] == "Unreleased"
    assert kanon_sql.__version__ in sections or kanon_sql.__version__ in text.split("## [")[1]


def test_contributing_names_targets_that_exist() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (CHECKOUT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = set(re.findall(r"`make ([a-z-]+)", (CHECKOUT / "CONTRIBUTING.md").read_text(encoding="utf-8")))
    assert named
    assert named <= targets
