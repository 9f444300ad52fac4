"""A command is its flow, its command line, its name in a section of `flows/__init__.py`, and the import that type checkers read: the
program's help and the Python API follow. A copy of the program is given one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import kanon_sql
from tests.extending.people import job_text, people

FLOW = '''"""kanon rows: how many rows the source has."""

from __future__ import annotations

from kanon_sql.config.schema import Job
from kanon_sql.flows.session import reading
from kanon_sql.observer import Observer
from kanon_sql.sql import statements


def rows(job: Job, observer: Observer | None = None) -> int:
    """The rows of the source."""
    with reading(job, observer or Observer()) as bench:
        bench.open_source()
        return int(bench.backend.fetch_one(statements.checks.table_rows(bench.dialect, bench.source)).rows)
'''
COMMAND = '''"""kanon rows."""

from __future__ import annotations

from kanon_sql.cli.output import JobFile, Json, print_json


def rows(job: JobFile, json: Json = False) -> None:
    """Count the rows of the source."""
    from kanon_sql.config.load import load_job
    from kanon_sql.flows import rows as flow

    found = flow.rows(load_job(job))
    print_json({"rows": found}) if json else print(found)
'''
SECTION = '"Look": ('
TYPED = "    from kanon_sql.flows.run import run as run\n"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of the program with one more command."""
    package = Path(kanon_sql.__file__).parent
    copy = tmp_path / "kanon_sql"
    shutil.copytree(package, copy, ignore=shutil.ignore_patterns("__pycache__"))
    for beside in ("sql_templates", "migrations"):
        (tmp_path / beside).symlink_to(package.parent / beside)
    (copy / "flows" / "rows.py").write_text(FLOW)
    (copy / "cli" / "rows.py").write_text(COMMAND)
    for file, place, line in (
        (copy / "flows" / "__init__.py", SECTION, SECTION + '"rows", '),
        (copy / "__init__.py", TYPED, TYPED.replace("run", "rows") + TYPED),
    ):
        text = file.read_text(encoding="utf-8")
        assert text.count(place) == 1
        file.write_text(text.replace(place, line), encoding="utf-8")
    return tmp_path


def test_it_is_a_command_with_its_help_and_a_verb_of_the_api(checkout: Path) -> None:
    (checkout / "job.yml").write_text(job_text(people(checkout)))
    code = (
        "import sys, kanon_sql, kanon_sql.cli as cli\n"
        "print(kanon_sql.rows(kanon_sql.load_job('job.yml')), 'rows' in kanon_sql.__all__)\n"
        "for typed in (['rows', 'job.yml', '--json'], ['--help']):\n"
        "    sys.argv[1:] = typed\n"
        "    try: cli.main()\n"
        "    except SystemExit as end: assert not end.code, end.code\n"
    )
    environment = os.environ | {"PYTHONPATH": str(checkout), "PYTHONDONTWRITEBYTECODE": "1"}
    shown = subprocess.run(
        [sys.executable, "-c", code], cwd=checkout, env=environment, capture_output=True, text=True, timeout=60
    )
    assert shown.returncode == 0, shown.stderr
    api, out = shown.stdout.split("\n", 1)
    assert api == "240 True"
    assert out.startswith('{\n  "rows": 240\n}\n')
    assert "rows       Count the rows of the source." in out.split("Look:")[1]
