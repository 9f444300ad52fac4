"""The process of a command ends without taking itself apart, and still does all that an ending one owes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

CODE = """
import atexit, sys, threading, time
atexit.register(print, 'left')
from kanon_sql import cli
{before}
sys.argv = ['kanon', {arguments}]
cli.process()
"""


def ended(arguments: str, before: str = "", out: int = subprocess.PIPE) -> subprocess.CompletedProcess[str]:
    code = CODE.format(before=before, arguments=arguments)
    return subprocess.run(
        [sys.executable, "-c", code], stdout=out, stderr=subprocess.PIPE, text=True, timeout=60, check=False
    )


def test_what_was_written_arrives_and_what_is_registered_runs() -> None:
    done = ended("'--version'")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("kanon_sql ")
    assert done.stdout.endswith("\nleft\n")
    assert done.stderr == ""


def test_its_exit_code_is_the_commands(tmp_path: Path) -> None:
    done = ended(f"'validate', {str(tmp_path / 'job.yml')!r}")
    assert (done.returncode, done.stdout) == (3, "left\n")
    assert "there is no job file" in done.stderr


def test_a_thread_at_work_is_waited_for() -> None:
    late = "threading.Thread(target=lambda: (time.sleep(0.3), print('late'))).start()"
    assert "late\n" in ended("'--version'", late).stdout


def test_who_profiles_it_sees_the_end() -> None:
    command = [sys.executable, "-m", "cProfile", "-s", "cumulative", "-m", "kanon_sql", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert "cumtime" in done.stdout


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a device that is always full is Linux's")
def test_what_cannot_be_written_is_no_success() -> None:
    with open("/dev/full", "w") as full:
        assert ended("'--version'", out=full.fileno()).returncode != 0
