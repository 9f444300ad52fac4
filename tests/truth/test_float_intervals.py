"""Intervals of floats hold the number that a reader reads: 0.3 lies in [0.3, 0.4), whatever binary fractions make of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.redteam.checker import Promise, broken_promises
from tests.redteam.reader import read_table
from tests.truth.jobs import TARGET, execute, run, write_job

AWKWARD = ("0.3", "0.7", "1.2", "-0.3", "-0.1", "0.29999999999999999", "0.1", "2.3", "4.35", "1e15", "123456.7", "-0.6")


@pytest.mark.parametrize("type_name", ["double precision", "real"])
@pytest.mark.parametrize("width", [0.1, 0.05, 0.3, 7])
def test_a_value_lies_in_its_interval(engine_url: str, tmp_path: Path, type_name: str, width: float) -> None:
    rows = ", ".join(f"({n}, {value})" for n, value in enumerate([*AWKWARD, *AWKWARD]))
    execute(engine_url, f"create table t (id integer, x {type_name})", f"insert into t values {rows}")
    columns = {"id": {"role": "keep"}, "x": {"role": "quasi", "levels": [width, "*"], "min_level": 1}}
    privacy = {"k": 2, "accept": ["nearly_unique_columns"]}
    assert run(write_job(tmp_path, engine_url, columns, privacy=privacy)).exit_code == 0
    release, source = read_table(engine_url, TARGET), read_table(engine_url, "t")
    promise = Promise(k=2, quasi=["x"], columns=["id", "x"], row="id")
    assert broken_promises(release, promise, source) == []
    assert "*" not in release.column("x")


def test_three_tenths(engine_url: str, tmp_path: Path) -> None:
    values = ", ".join(f"({n}, {value})" for n, value in enumerate(["0.3", "0.7", "1.2"] * 2))
    execute(engine_url, "create table t (id integer, x double precision)", f"insert into t values {values}")
    columns = {"id": {"role": "identifier"}, "x": {"role": "quasi", "levels": [0.1, "*"], "min_level": 1}}
    assert run(write_job(tmp_path, engine_url, columns, k=2)).exit_code == 0
    assert set(read_table(engine_url, TARGET).column("x")) == {"[0.3, 0.4)", "[0.7, 0.8)", "[1.2, 1.3)"}
