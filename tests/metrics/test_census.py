"""A release of nine attributes, as large a lattice as Adult's: every measure in one command, and cheap."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

import kanon_sql
from bench.generate import generate
from kanon_sql.config import load_job


def test_every_measure_of_one_release_in_one_command(tmp_path: Path) -> None:
    """What the plan said is what the release scores; in less than 2 seconds of the processor's time."""
    file = generate("adult-like", tmp_path / "census.duckdb", rows=10_000, k=5, suppression=0.01)
    job = load_job(file, ["search.algorithm=best-first"])
    planned = kanon_sql.run(job).plan
    started = time.process_time()
    observer = kanon_sql.Observer()
    score = kanon_sql.score(job, observer=observer)
    assert time.process_time() - started < 2
    assert score.recoding == "global"
    assert {name: score.measures[name] for name in planned.utility} == {
        name: pytest.approx(value) for name, value in planned.utility.items()
    }
    assert score.measures["suppressed"] == planned.suppressed > 0
    labels = [entry.label for entry in observer.statements]
    assert labels.count("metrics/published") == 1
    assert labels.count("metrics/score") == 1
