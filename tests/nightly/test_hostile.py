"""Hostile names and values: nothing executes, nothing breaks, on either engine."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import kanon_sql
from kanon_sql.backends.connect import open_backend
from kanon_sql.errors import JobError, KanonError
from kanon_sql.model.names import written_name
from kanon_sql.sql.statement import Statement
from tests.support import execute, fetch, job_of

CLASSICS = [
    "Robert'); drop table canary;--",
    '"; drop table canary; --',
    "' or '1'='1",
    "'; insert into canary values (666); --",
    "1; select pg_sleep(60)",
    "\\'; drop table canary; --",
    "$$; drop table canary; $$",
    "E'\\x27; drop table canary",
    "/* */ union select * from canary",
    "{{ 7 * 7 }}",
    "{% for x in y %}",
    "%s %(name)s %%",
    ":name ?",
    "${HOME}",
    "back`tick",
    "new\nline\ttab",
    "ünïcødé 漢字 🙂",
    "select",
    "a.b.c",
    "x" * 200,
    "\u202eright to left",
    " leading and trailing ",
]


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def prepared(url: str, columns: list[str], values: list[str], table: str) -> None:
    """A table whose names and values are what is given: each value in four rows, so that k = 2 holds as it stands."""
    backend = open_backend(url, Path.cwd(), read_only=False)
    try:
        run = lambda sql: backend.execute(Statement("test", sql))  # noqa: E731
        for name in ("canary", quoted(table)):
            run(f"drop table if exists {name} cascade")
        run("create table canary (a integer)")
        run("insert into canary values (1)")
        run(f"create table {quoted(table)} ({', '.join(f'{quoted(name)} varchar' for name in columns)})")
        for value in values:
            row = f"({', '.join([backend.dialect.text_literal(value)] * len(columns))})"
            run(f"insert into {quoted(table)} values {', '.join([row] * 4)}")
    finally:
        backend.close()


def released(url: str, columns: list[str], values: list[str], table: str = "people", **sections: Any) -> None:
    """Whatever the names and values, the run publishes exactly the values, and the canary sings."""
    prepared(url, columns, values, table)
    described: dict[str, Any] = {name: {"role": "quasi"} for name in columns}
    job = job_of(url, written_name([table]), described, k=2, privacy={"accept": ACCEPT}, **sections)
    result = kanon_sql.run(job)
    assert result.verified["rows"] == 4 * len(values)
    first = quoted(columns[0])
    assert sorted(str(value) for (value,) in fetch(url, f"select distinct {first} from release.people")) == sorted(
        values
    )
    assert fetch(url, "select * from canary") == [(1,)]


ACCEPT = ["nearly_unique_columns", "rows_per_person"]


def test_classic_values(engine_url: str) -> None:
    released(engine_url, ["name"], CLASSICS)


@pytest.mark.parametrize("name", [name for name in CLASSICS if len(name) < 60])
def test_classic_names(module_engine_url: str, name: str) -> None:
    execute(module_engine_url, "drop schema if exists release cascade", "drop schema if exists kanon cascade")
    described = {name: {"role": "quasi"}}  # `$` is special in values, not in keys
    prepared(module_engine_url, [name], ["a", "b"], name[:40])
    job = job_of(
        module_engine_url, written_name([name[:40].replace("$", "$$")]), described, k=2, privacy={"accept": ACCEPT}
    )
    result = kanon_sql.run(job)
    assert result.verified["rows"] == 8
    assert fetch(module_engine_url, f"select distinct {quoted(name)} from release.people order by 1") == [
        ("a",),
        ("b",),
    ]
    assert fetch(module_engine_url, "select * from canary") == [(1,)]
    execute(module_engine_url, f"drop table {quoted(name[:40])} cascade")


@pytest.mark.parametrize("text", CLASSICS[:5])
def test_classic_job_strings(engine_url: str, text: str) -> None:
    """Where a job says a name or a label, a hostile one is a name or a label, or a plain error."""
    prepared(engine_url, ["name"], ["a", "b", "c"], "people")
    groups = [{text: ["a", "b"], "other": ["c"]}, "*"]
    columns: dict[str, Any] = {"name": {"role": "quasi", "groups": groups, "min_level": 1, "max_level": 1}}
    job = job_of(engine_url, "people", columns, k=2, privacy={"accept": ACCEPT}, search={"reuse": False})
    kanon_sql.run(job, accept_composition=text)
    assert sorted(fetch(engine_url, "select distinct name from release.people")) == sorted([("other",), (text,)])
    for section in (
        {"source": {"table": text}},
        {"source": {"person": text}},
        {"publish": {"table": text}},
        {"source": {"work_schema": text}},
        {"register": {"schema": text}},
    ):
        safe = {key: {k: v.replace("$", "$$") for k, v in value.items()} for key, value in section.items()}
        with contextlib.suppress(KanonError):
            kanon_sql.run(
                job_of(engine_url, "people", {"name": {"role": "quasi"}}, k=2, privacy={"accept": ACCEPT}, **safe)
            )
        assert fetch(engine_url, "select * from canary") == [(1,)]


def test_nul_is_refused(duckdb_url: str) -> None:
    prepared(duckdb_url, ["name"], ["a"], "people")
    with pytest.raises(JobError, match="NUL"):
        kanon_sql.plan(job_of(duckdb_url, "a\x00b", {"x": {"role": "quasi"}}))


texts = st.text(st.characters(exclude_characters="\x00", exclude_categories=("Cs",)), min_size=1, max_size=12)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(values=st.lists(texts, min_size=1, max_size=5, unique=True), name=texts)
def test_any_value_under_any_name(module_engine_url: str, values: list[str], name: str) -> None:
    execute(module_engine_url, "drop schema if exists release cascade", "drop schema if exists kanon cascade")
    prepared(module_engine_url, ["v", f"c {name}"], values, "people")
    columns = {"v": {"role": "quasi"}, f"c {name}": {"role": "keep"}}
    job = job_of(module_engine_url, "people", columns, k=2, privacy={"accept": ACCEPT}, search={"reuse": False})
    result = kanon_sql.run(job)
    assert result.verified["rows"] == 4 * len(values)
    found = fetch(module_engine_url, f"select distinct v, {quoted('c ' + name)} from release.people")
    assert sorted(found) == sorted((value, value) for value in values)
    assert fetch(module_engine_url, "select * from canary") == [(1,)]
