"""The DAG of docs/operating.md is imported by a real Airflow, and its task runs the command that stands there.

Proven: Airflow's own classes accept every argument, the schedule and the retries are what the page says, and the task's shell ends as the
command does. No scheduler and no Airflow database is started.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.workflow.interpreters import CHECKOUT, interpreter_with

pytestmark = pytest.mark.slow

LOOK = """
import json, sys
from airflow.dag_processing.dagbag import DagBag
bag = DagBag(sys.argv[1])
assert not bag.import_errors, bag.import_errors
(dag,) = bag.dags.values()
(task,) = dag.tasks
task.bash_command = task.bash_command.replace("{{ ts_nodash }}", "now")
ended = "done"
try:
    task.execute({})
except Exception as error:
    ended = type(error).__name__
print("LOOKED " + json.dumps({"dag": dag.dag_id, "schedule": str(dag.schedule), "catchup": dag.catchup, "active": dag.max_active_runs,
    "task": task.task_id, "retries": task.retries, "delay": task.retry_delay.total_seconds(), "ended": ended}))
"""


@pytest.mark.parametrize(("code", "ended"), [(0, "done"), (5, "AirflowException")])
def test_airflow_takes_the_dag_and_runs_its_command(code: int, ended: str, tmp_path: Path) -> None:
    python = interpreter_with("airflow", "airflow.sdk")
    page = (CHECKOUT / "docs" / "operating.md").read_text(encoding="utf-8")
    (snippet,) = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    (tmp_path / "dags").mkdir()
    (tmp_path / "dags" / "people.py").write_text(snippet)
    (tmp_path / "look.py").write_text(LOOK)
    (tmp_path / "bin").mkdir()
    # What the task types is written down: the job file that the page names is nobody's.
    command = tmp_path / "bin" / "kanon"
    command.write_text(f'#!/bin/sh\necho "$@" > "{tmp_path}/typed"\nexit {code}\n')
    command.chmod(0o755)
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"} | {
        "AIRFLOW_HOME": str(tmp_path / "airflow"),
        "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
        "PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}",
    }
    done = subprocess.run(
        [python, str(tmp_path / "look.py"), str(tmp_path / "dags")],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    looked = json.loads(re.findall(r"^LOOKED (.*)$", done.stdout, re.MULTILINE)[-1])
    assert (looked["dag"], looked["task"], looked["schedule"]) == ("kanon_people", "release", "0 2 * * *")
    assert (looked["catchup"], looked["active"], looked["retries"], looked["delay"]) == (False, 1, 2, 600)
    assert (tmp_path / "typed").read_text().split()[:2] == ["run", "/etc/kanon/people.yml"]
    assert looked["ended"] == ended
