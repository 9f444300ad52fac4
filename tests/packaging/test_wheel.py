"""The built wheel works outside the checkout: it carries templates and migrations, and its `kanon demo` runs."""

from __future__ import annotations

import json
import os
import site
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[2]
# Bounded, so that a hanging command fails the test instead of the whole run.
SECONDS = 600


def run(command: list[str], directory: Path) -> subprocess.CompletedProcess[str]:
    """Run a command far from the checkout, with nothing of it on the path."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "KANON_"))}
    return subprocess.run(
        command, cwd=directory, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False
    )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from this checkout with the tools that are already installed."""
    output = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(output), str(CHECKOUT)]
    built = run(command, output)
    assert built.returncode == 0, built.stdout + built.stderr
    [path] = output.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment with the wheel in it; its dependencies are those of the running environment, not downloaded.

    Returns the directory of its programs.
    """
    home = tmp_path_factory.mktemp("installed")
    venv.create(home, with_pip=False, symlinks=True)
    scheme = {"base": str(home), "platbase": str(home)}
    packages = Path(sysconfig.get_path("purelib", scheme="venv", vars=scheme))
    programs = Path(sysconfig.get_path("scripts", scheme="venv", vars=scheme))
    command = [sys.executable, "-m", "pip", "--python", str(programs / "python"), "install", "--no-deps", "--no-index"]
    done = run([*command, "--disable-pip-version-check", "--quiet", str(wheel)], home)
    assert done.returncode == 0, done.stdout + done.stderr
    # Appended to the path as plain directories: .pth files in them, such as the editable install's, are not read.
    dependencies = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    (packages / "dependencies.pth").write_text("\n".join(sorted(dependencies)) + "\n")
    return programs


def test_the_wheel_carries_what_lies_outside_the_package(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for directory in ("sql_templates", "migrations"):
        here = {
            path.relative_to(CHECKOUT).as_posix()
            for path in (CHECKOUT / directory).rglob("*")
            if path.is_file() and "__pycache__" not in path.parts
        }
        assert here, f"{directory}/ is empty"
        assert {f"kanon_sql/{name}" for name in here} <= names
    assert {"kanon_sql/py.typed", "kanon_sql/synthetic/job.yml", "kanon_sql/pages/templates/run.html.j2"} <= names
    assert not [name for name in names if name.startswith(("tests/", "bench/", "sql_templates/", "migrations/"))]


def test_the_package_comes_from_the_wheel(installed: Path, tmp_path: Path) -> None:
    done = run([str(installed / "python"), "-c", "import kanon_sql; print(kanon_sql.__file__)"], tmp_path)
    assert done.returncode == 0, done.stderr
    assert Path(done.stdout.strip()).is_relative_to(installed.parent)
    assert not Path(done.stdout.strip()).is_relative_to(CHECKOUT)
    assert site.getsitepackages()[0] not in done.stdout


def test_the_demo_runs_from_the_wheel(installed: Path, tmp_path: Path) -> None:
    done = run([str(installed / "kanon"), "demo", "first-try"], tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "first-try" / "census.duckdb").exists()
    assert (tmp_path / "first-try" / "job.yml").exists()
    # What was published is k-anonymous, whatever the program says: asked of the file itself, in another process.
    question = (
        "import duckdb, json; c = duckdb.connect('first-try/census.duckdb', read_only=True);"
        "print(json.dumps(c.execute('select min(n), sum(n) from (select count(*) as n from release.people group by sex,"
        " birth_date, zip, race, marital_status, education, hours_per_week) as classes').fetchone()))"
    )
    answer = run([str(installed / "python"), "-c", question], tmp_path)
    assert answer.returncode == 0, answer.stderr
    smallest, rows = json.loads(answer.stdout)
    assert smallest >= 5
    assert 49_000 <= rows <= 50_000
