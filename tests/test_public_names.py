"""The public names, and that asking for one does not import the world."""

from __future__ import annotations

import inspect
import subprocess
import sys

import kanon_sql

PUBLIC = [
    "CheckResult",
    "ExitCode",
    "Job",
    "KanonError",
    "PlanResult",
    "RunResult",
    "__version__",
    "check",
    "load_job",
    "plan",
    "run",
]


def test_the_public_names() -> None:
    assert sorted(kanon_sql.__all__) == PUBLIC


def test_every_public_name_has_a_docstring() -> None:
    for name in PUBLIC:
        if name != "__version__":
            assert inspect.getdoc(getattr(kanon_sql, name)), name


def test_a_cold_plan_imports_no_sqlalchemy_or_alembic() -> None:
    heavy = ("sqlalchemy", "alembic", "psycopg", "pandas", "numpy", "altair")
    code = (
        "import sys, kanon_sql.cli.app as a; a.load_commands(); import kanon_sql.flows.lattice; "
        f"print([m for m in {heavy} if m in sys.modules])"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert shown.stdout.strip() == "[]"
