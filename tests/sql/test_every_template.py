"""One name through all rooms: every template has a function of its name, and a golden file on every dialect that runs it."""

from __future__ import annotations

import importlib
import inspect

import pytest

from kanon_sql.sql import statements
from kanon_sql.sql.dialect import Dialect
from kanon_sql.sql.render import template_root
from tests.sql.golden_files import DIALECTS, GOLDEN, runs_on, templates


@pytest.mark.parametrize("engine", DIALECTS)
def test_every_template_has_a_golden_file(engine: str) -> None:
    wanted = {template for template in templates() if engine in runs_on(template)}
    files = (path.relative_to(GOLDEN / engine) for path in (GOLDEN / engine).rglob("*.sql"))
    have = {str(path.with_name(path.name.partition(".")[0])) for path in files}
    assert sorted(wanted - have) == [], "templates without a golden file: add them to a test of tests/sql"
    assert sorted(have - wanted) == [], "golden files of statements that this dialect does not run"


def test_every_template_has_a_function_of_its_name() -> None:
    families = {template.rpartition("/")[0] for template in templates()}
    made = set()
    for family in families:
        module = importlib.import_module(f"kanon_sql.sql.statements.{family.replace('/', '.')}")
        made |= {
            f"{family}/{name}"
            for name, function in inspect.getmembers(module, inspect.isfunction)
            if function.__module__.startswith(module.__name__)
            and (hasattr(function, "__wrapped__") or f'"{family}/{name}"' in inspect.getsource(function))
        }
    assert made == set(templates())
    assert {family.partition("/")[0] for family in families} == set(statements.__all__)
    assert {family.partition("/")[2] for family in families if "/" in family} == set(statements.cluster.__all__)


def test_every_template_has_a_header() -> None:
    for template in sorted(template_root().rglob("*.j2")):
        assert template.read_text(encoding="utf-8").startswith("{#"), template


def test_an_override_is_of_a_template_and_gives_its_reason() -> None:
    root = template_root()
    for override in sorted((root / "dialects").rglob("*.sql.j2")):
        relative = override.relative_to(root / "dialects")
        assert relative.parts[0] in DIALECTS
        assert (root / "/".join(relative.parts[1:])).exists(), override


def test_every_dialect_is_held() -> None:
    assert set(DIALECTS) == {cls.name for cls in Dialect.__subclasses__()}
