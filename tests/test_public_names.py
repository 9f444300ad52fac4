"""The public names, and that asking for one does not import the world."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from pathlib import Path

import kanon_sql
from kanon_sql.flows import VERBS

OTHERS = {
    "CheckResult",
    "ExitCode",
    "Job",
    "KanonError",
    "Observer",
    "PlanResult",
    "RunResult",
    "__version__",
    "load_job",
    "simulate_shapes",
}


def test_the_public_names_are_the_verbs_and_what_they_speak_of() -> None:
    assert set(kanon_sql.__all__) == OTHERS | set(VERBS)


def test_a_type_checker_sees_every_public_name() -> None:
    tree = ast.parse(Path(kanon_sql.__file__).read_text(encoding="utf-8"))
    checked = next(node for node in tree.body if isinstance(node, ast.If))
    typed = {name.asname for node in checked.body if isinstance(node, ast.ImportFrom) for name in node.names}
    assert typed == set(kanon_sql.__all__) - {"__version__"}


def test_every_public_name_has_a_docstring() -> None:
    for name in kanon_sql.__all__:
        if name != "__version__":
            assert inspect.getdoc(getattr(kanon_sql, name)), name


def test_a_verb_stays_a_verb_after_the_command_line_was_imported() -> None:
    """A subpackage of the same name would take its place."""
    code = (
        "import pkgutil, importlib, kanon_sql\n"
        "for module in pkgutil.walk_packages(kanon_sql.__path__, 'kanon_sql.'):\n"
        "    if module.name.count('.') == 1 and not module.name.endswith('__main__'): importlib.import_module(module.name)\n"
        "print([verb for verb in kanon_sql.flows.VERBS if not callable(getattr(kanon_sql, verb))])"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert shown.stdout.strip() == "[]"


def test_a_cold_plan_imports_no_sqlalchemy_or_alembic() -> None:
    heavy = ("sqlalchemy", "alembic", "psycopg", "pandas", "numpy", "altair", "duckdb")
    code = (
        "import sys, kanon_sql.cli.app as a; a.load_commands(); import kanon_sql.flows.lattice, kanon_sql.backends.duckdb; "
        f"print([m for m in {heavy} if m in sys.modules])"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert shown.stdout.strip() == "[]"
