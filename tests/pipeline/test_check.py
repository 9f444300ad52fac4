"""`check` measures what an independent package measures."""

from __future__ import annotations

import pandas
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pycanon import anonymity

import kanon_sql
from tests.support import execute, job_of, make_table


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.lists(st.tuples(st.integers(0, 2), st.sampled_from("abc")), min_size=3, max_size=40))
def test_k_agrees_with_pycanon(duckdb_url: str, rows: list[tuple[int, str]]) -> None:
    execute(duckdb_url, "drop table if exists people")
    make_table(duckdb_url, "people", ["age integer", "word varchar"], rows)
    result = kanon_sql.check(job_of(duckdb_url, "people", {"age": {"role": "quasi"}, "word": {"role": "quasi"}}, k=3))
    frame = pandas.DataFrame(rows, columns=["age", "word"])
    assert result.k == anonymity.k_anonymity(frame, ["age", "word"])
    assert result.rows == len(rows)
    assert result.classes == len(set(rows))
    assert result.passes == (result.k >= 3)


def test_k_agrees_with_pycanon_on_postgres(postgres_url: str) -> None:
    rows = [(i % 4, "ab"[i % 2]) for i in range(50)]
    make_table(postgres_url, "people", ["age integer", "word varchar"], rows)
    result = kanon_sql.check(job_of(postgres_url, "people", {"age": {"role": "quasi"}, "word": {"role": "quasi"}}, k=3))
    assert result.k == anonymity.k_anonymity(pandas.DataFrame(rows, columns=["age", "word"]), ["age", "word"])
