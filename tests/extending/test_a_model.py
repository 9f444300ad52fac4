"""A privacy model is one file (repeated.py) and one entry in `model/privacy/registry.py` (with_a_model.py makes it).

With these alone a job file asks for it, searches keep it, the staged release is verified against it, and every verb names it.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest

from kanon_sql.model.privacy.model import Keeps, PrivacyModel, Verification
from kanon_sql.model.privacy.registry import JobKey
from tests.extending.repeated import Repeated
from tests.support import fetch, make_table

# What the tests share takes longer to make than they do: on one worker it is made once.
pytestmark = pytest.mark.xdist_group("model")

LABEL = "repeated values of diagnosis, 2"


@pytest.fixture(scope="module")
def url(module_engine_url: str) -> str:
    """120 people of whom few share a diagnosis with their neighbours."""
    chance = random.Random(5)
    rows = [
        (chance.randrange(20, 80), chance.choice(["north", "east", "south", "west"]), f"d{chance.randrange(12)}")
        for _ in range(120)
    ]
    make_table(module_engine_url, "people", ["age integer", "region varchar", "diagnosis varchar"], rows)
    return module_engine_url


@pytest.fixture(scope="module")
def told(url: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    command = [sys.executable, "-m", "tests.extending.with_a_model", url, str(tmp_path_factory.mktemp("told"))]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=120, cwd=Path(__file__).parents[2], check=False
    )
    assert done.returncode == 0, done.stderr
    document: dict[str, Any] = json.loads(done.stdout)
    return document


def least_repeated(rows: list[tuple[Any, ...]], quasi: int = 2) -> int:
    """By brute force: of all classes, the fewest values that occur twice. The diagnosis comes last."""
    classes: dict[tuple[Any, ...], Counter[str]] = {}
    for row in rows:
        classes.setdefault(row[:quasi], Counter())[row[-1]] += 1
    return min(sum(count >= 2 for count in values.values()) for values in classes.values())


def test_the_job_file_takes_it(told: dict[str, Any]) -> None:
    assert told["schema"]["additionalProperties"] == {"$ref": "#/$defs/Repeated"}
    assert told["refused"].startswith("job.yml:4: privacy.repeated.diagnosis.values: ")
    assert "privacy.repeated.age: that column does not have the role sensitive" in told["not sensitive"]


def test_searches_keep_it_and_plan_and_page_name_it(told: dict[str, Any], url: str) -> None:
    assert told["plan"]["node"] == told["exhaustive"] != told["without"]
    assert told["plan"]["guarantees"][-1]["label"] == LABEL
    assert "In every class 2 values of diagnosis occur twice." in told.get(
        "page", told["plan"]["guarantees"][-1].values()
    )
    assert least_repeated(fetch(url, "select age, region, diagnosis from release.people")) >= 2
    assert least_repeated(fetch(url, "select age, region, diagnosis from release.locally")) >= 2


def test_the_release_is_verified_and_any_table_checked_against_it(told: dict[str, Any], url: str) -> None:
    released = least_repeated(fetch(url, "select age, region, diagnosis from release.people"))
    finding = {
        "model": "repeated_values",
        "label": LABEL,
        "column": "diagnosis",
        "worst": released,
        "threshold": 2,
        "passes": True,
    }
    assert told["verified"] == told["checked"] == [finding]
    assert told["of the source"] == [finding | {"worst": 0, "passes": False}]
    assert told["locally"][0]["passes"]


@pytest.mark.parametrize("algorithm", ["best-first", "mondrian"])
def test_a_search_that_lies_is_caught(told: dict[str, Any], url: str, algorithm: str) -> None:
    assert told[f"lying {algorithm}"].startswith(f"VerificationFailed: the staged release fails {LABEL}")
    with pytest.raises(Exception, match="lies"):
        fetch(url, "select * from release.lies")


def test_it_is_emitted(told: dict[str, Any], url: str) -> None:
    assert f"and {LABEL}" in told["emitted"]
    emitted = fetch(url, told["emitted"])
    assert Counter(emitted) == Counter(fetch(url, "select age, region, diagnosis from release.people"))


@dataclass(frozen=True)
class Unverified(PrivacyModel):
    name: ClassVar[str] = "unverified"
    citation: ClassVar[str] = "nobody"


def test_a_model_without_a_verification_cannot_be_registered() -> None:
    with pytest.raises(TypeError, match="Unverified has no verification"):
        JobKey(Repeated, (Unverified,), lambda column, asked, _: Unverified(column))
    with pytest.raises(ValueError, match="measures something"):
        Verification(" ", Keeps.AT_LEAST, 2)
