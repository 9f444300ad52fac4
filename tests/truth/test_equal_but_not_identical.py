"""A class is what a reader can tell apart: values that the engine takes for equal, and that print differently, are never one class."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.redteam.checker import Promise, broken_promises
from tests.redteam.reader import read_table
from tests.truth.jobs import TARGET, execute, figures, run, write_job
from tests.truth.types import CITEXT

SMITHS = ["'Smith'", "'SMITH'", "'smith'", "'x'", "'x'", "'x'"]
CASES = {
    "postgresql": {
        "numeric": ["1.0", "1.00", "1.000", "2", "2.0", "2"],
        "citext": SMITHS,
        "float8": ["0", "'-0'", "0", "5", "5", "5"],
        "float4": ["0", "'-0'", "0", "5", "5", "5"],
        "interval": ["'1 day'", "'24 hours'", "'1440 minutes'", "'1 month'", "'30 days'", "'720 hours'"],
        "bpchar": ["'a'", "'a '", "'a  '", "'b'", "'b'", "'b'"],
        "jsonb": ["'1.0'", "'1.00'", "'1'", "'2'", "'2'", "'2'"],
        "numeric[]": ["'{1.0}'", "'{1.00}'", "'{1}'", "'{2}'", "'{2}'", "'{2}'"],
    },
    "duckdb": {
        "varchar collate nocase": SMITHS,
        "varchar collate noaccent": ["'e'", "'é'", "'è'", "'x'", "'x'", "'x'"],
        "double": ["0.0", "'-0.0'", "0.0", "'nan'", "'-nan'", "'nan'"],
        "float": ["0.0", "'-0.0'", "0.0", "'nan'", "'-nan'", "'nan'"],
        "interval": ["'1 day'", "'24 hours'", "'1440 minutes'", "'1 month'", "'30 days'", "'720 hours'"],
        "double[]": ["[0.0]", "['-0.0'::double]", "[0.0]", "[1]", "[1]", "[1]"],
    },
}
ALL = [(engine, type_name) for engine, cases in CASES.items() for type_name in cases]


@pytest.fixture
def table(request: pytest.FixtureRequest, engine: str, type_name: str) -> str:
    """The URL of a database with a table t of six rows; its column x is of the type asked for."""
    url = str(request.getfixturevalue("duckdb_url" if engine == "duckdb" else "postgres_url"))
    setup = [CITEXT] if type_name == "citext" else []
    rows = ", ".join(f"({place}, {value})" for place, value in enumerate(CASES[engine][type_name]))
    execute(url, *setup, f"create table t (id integer, x {type_name})", f"insert into t values {rows}")
    return url


def _identical(url: str, k: int = 3) -> None:
    promise = Promise(k=k, quasi=["x"], columns=["x"])
    assert broken_promises(read_table(url, TARGET), promise, read_table(url, "t")) == []


@pytest.mark.parametrize(("engine", "type_name"), ALL)
def test_a_lattice_search(table: str, tmp_path: Path) -> None:
    columns = {"id": {"role": "identifier"}, "x": {"role": "quasi"}}
    assert figures(run(write_job(tmp_path, table, columns)))["verified"]["k"] >= 3
    _identical(table)


@pytest.mark.parametrize(("engine", "type_name"), ALL)
def test_a_local_recoding(table: str, tmp_path: Path) -> None:
    columns = {"id": {"role": "identifier"}, "x": {"role": "quasi"}}
    assert run(write_job(tmp_path, table, columns, search={"algorithm": "mondrian"})).exit_code == 0
    _identical(table)


@pytest.mark.parametrize(("engine", "type_name"), [("duckdb", "varchar collate nocase"), ("postgresql", "citext")])
def test_prefixes_of_a_case_insensitive_text(table: str, tmp_path: Path) -> None:
    levels = {"role": "quasi", "levels": [{"prefix": 3}, "*"], "min_level": 1}
    assert run(write_job(tmp_path, table, {"id": {"role": "identifier"}, "x": levels})).exit_code == 0
    _identical(table)


@pytest.mark.parametrize(("engine", "type_name"), ALL)
def test_check_counts_what_a_reader_reads(table: str, tmp_path: Path) -> None:
    from tests.cli.commands import kanon

    job = write_job(tmp_path, table, {"id": {"role": "identifier"}, "x": {"role": "quasi"}})
    execute(table, "create table bare as select x from t")
    smallest = min(Counter(read_table(table, "bare").column("x")).values())
    checked = kanon("check", job, "--table", "bare", "--json")
    assert checked.exit_code == (0 if smallest >= 3 else 1), checked.err
    assert f'"k": {smallest}' in checked.out
