"""A real dbt (dbt-core, dbt-duckdb) builds what `kanon emit --format dbt` writes: parsed, compiled, run and tested by dbt itself.

Proven on DuckDB: the model is the release, row for row, and the schema test fails where a class is below k. Other warehouses are not.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections import Counter
from pathlib import Path

import duckdb
import pytest
import yaml

from tests.cli.kanon import demonstration, kanon
from tests.workflow.interpreters import interpreter_with

pytestmark = [pytest.mark.slow, pytest.mark.duckdb]


def dbt(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """`dbt …` in a project that has its profile beside it."""
    code = "import sys; from dbt.cli.main import cli; cli(sys.argv[1:])"
    folders = ["--project-dir", str(project), "--profiles-dir", str(project)]
    return subprocess.run(
        [interpreter_with("dbt", "dbt.adapters.duckdb"), "-c", code, *arguments, *folders],
        cwd=project,
        env={key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
        | {"DBT_SEND_ANONYMOUS_USAGE_STATS": "false"},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )


def test_dbt_builds_the_emitted_model_and_its_test_can_fail(tmp_path: Path) -> None:
    interpreter_with("dbt", "dbt.adapters.duckdb")
    demonstration(tmp_path)
    project = tmp_path / "project"
    emitted = kanon("emit", tmp_path / "job.yml", "--format", "dbt", "--out", project)
    assert emitted.code == 0, emitted.err
    database = tmp_path / "census.duckdb"
    (project / "dbt_project.yml").write_text(
        json.dumps({"name": "warehouse", "version": "1.0", "profile": "warehouse", "model-paths": ["models"]})
    )
    target = {"type": "duckdb", "path": str(database), "schema": "marts", "threads": 1}
    (project / "profiles.yml").write_text(json.dumps({"warehouse": {"target": "dev", "outputs": {"dev": target}}}))

    built = dbt(project, "build")
    assert built.returncode == 0, built.stdout + built.stderr
    assert "PASS=2" in built.stdout, built.stdout  # the model, and its test
    with duckdb.connect(str(database), read_only=True) as connection:
        columns = [row[0] for row in connection.execute("describe marts.people").fetchall()]
        names = ", ".join(f'cast("{name}" as varchar)' for name in columns)
        model = Counter(connection.execute(f"select {names} from marts.people").fetchall())
        release = Counter(connection.execute(f"select {names} from release.people").fetchall())
    assert model == release
    assert sum(model.values()) > 900

    schema = project / "models" / "people.yml"
    document = yaml.safe_load(schema.read_text())
    document["models"][0]["data_tests"][0]["kanon_k_anonymous"]["arguments"]["k"] = 100_000
    schema.write_text(yaml.safe_dump(document))
    refused = dbt(project, "test")
    assert refused.returncode == 1, refused.stdout
    assert "ERROR=1" in refused.stdout
