"""Numbers at the edge of their types have a label at every level; none ends a run."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.redteam.reader import read_table
from tests.truth.jobs import TARGET, execute, run, write_job

EDGES = {
    "bigint": ("both", ["9223372036854775807", "-9223372036854775807", "0"], 10),
    "decimal(38, 0)": ("both", ["99999999999999999999999999999999999999", "-99999999999999999999999999999999999999", "7"], 10),
    "decimal(38, 30)": ("both", ["99999999.999999999999999999999999999999", "0.000000000000000000000000000001"], 0.5),
    "hugeint": ("duckdb", ["170141183460469231731687303715884105727", "-170141183460469231731687303715884105727", "7"], 10),
    "uhugeint": ("duckdb", ["340282366920938463463374607431768211455", "7"], 10),
    "numeric": ("postgresql", ["'Infinity'", "'-Infinity'", "'NaN'", "1e300", "0.29999999999999999", "1e-30"], 0.1),
    "double precision": ("both", ["1.7e308", "-1.7e308", "5e-324", "1e22", "'Infinity'", "'NaN'"], 0.1),
    "real": ("both", ["3.4e38", "1e-45", "16777217", "'Infinity'", "'NaN'"], 0.1),
}  # fmt: skip


@pytest.mark.parametrize("algorithm", ["exhaustive", "mondrian"])
@pytest.mark.parametrize("type_name", EDGES)
def test_the_edges_of_a_type(engine_url: str, tmp_path: Path, type_name: str, algorithm: str) -> None:
    where, values, width = EDGES[type_name]
    if where != "both" and not engine_url.startswith(where):
        pytest.skip(f"{type_name} is a type of {where} alone")
    rows = [f"insert into t values ({n}, {value})" for n, value in enumerate([*values, *values, *values])]
    execute(engine_url, f"create table t (id integer, x {type_name})", *rows)
    column = {"role": "quasi", "levels": [width, 10 * width, "*"]} | (
        {"min_level": 1} if algorithm == "exhaustive" else {}
    )
    columns = {"id": {"role": "identifier"}, "x": column}
    done = run(write_job(tmp_path, engine_url, columns, search={"algorithm": algorithm}))
    assert done.exit_code == 0, done.err
    assert len(set(read_table(engine_url, TARGET).column("x"))) > 1
