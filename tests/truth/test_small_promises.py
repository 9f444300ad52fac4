"""Small promises: foreign columns in a checked table, persons of a population, typed intervals, NaN, names that statements use themselves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.commands import kanon
from tests.redteam.checker import Promise, broken_promises
from tests.redteam.reader import read_table
from tests.truth.jobs import TARGET, execute, figures, run, write_job

PEOPLE = "create table t as select i as id, i % 4 as a, i % 2 as b, i % 5 as s from {numbers}"
NUMBERS = {"duckdb": "range(60) r(i)", "postgresql": "generate_series(0, 59) r(i)"}


def _numbers(url: str) -> str:
    return NUMBERS["duckdb" if url.startswith("duckdb") else "postgresql"]


# -- check


@pytest.mark.parametrize(
    ("extra", "named"), [("id", "id"), ("1 as surprise", "surprise"), ("id as gone", "gone"), ("1 as gone", "gone")]
)
def test_check_fails_a_table_with_a_column_that_should_not_be_there(
    engine_url: str, tmp_path: Path, extra: str, named: str
) -> None:
    execute(
        engine_url,
        PEOPLE.format(numbers=_numbers(engine_url)),
        "alter table t add column gone integer",
        f"create table out as select a, b, {extra} from t",
        "create table good as select a, b from t",
    )
    columns = {
        "id": {"role": "identifier"},
        "gone": {"role": "drop"},
        "a": {"role": "quasi"},
        "b": {"role": "quasi"},
        "s": {"role": "drop"},
    }
    job = write_job(tmp_path, engine_url, columns)
    assert kanon("check", job, "--table", "good").exit_code == 0
    failed = kanon("check", job, "--table", "out", "--json")
    assert failed.exit_code == 1
    assert json.loads(failed.out)["passes"] is False
    assert named in failed.out
    assert named in kanon("check", job, "--table", "out").out


def test_check_of_the_source_leaves_out_what_a_release_leaves_out(engine_url: str, tmp_path: Path) -> None:
    execute(engine_url, PEOPLE.format(numbers=_numbers(engine_url)))
    roles = {"id": "identifier", "a": "quasi", "b": "quasi", "s": "drop"}
    job = write_job(tmp_path, engine_url, {name: {"role": role} for name, role in roles.items()})
    assert kanon("check", job).exit_code == 0
    assert kanon("check", job, "--table", "t").exit_code == 1


# -- a population


@pytest.mark.parametrize("said", [True, False])
def test_a_population_is_counted_by_persons(engine_url: str, tmp_path: Path, said: bool) -> None:
    """One person in twenty rows is one person; the key is the job's, or the source's where the population has it."""
    execute(
        engine_url,
        f"create table t as select i as id, i % 2 as a from {_numbers(engine_url)}",
        f"create table everyone as select 1 as {'citizen' if said else 'id'}, i % 2 as a from {_numbers(engine_url)}",
    )
    columns = {"id": {"role": "identifier"}, "a": {"role": "quasi", "max_level": 0}}
    population: dict[str, Any] = {"table": "everyone"} | ({"person": "citizen"} if said else {})
    job = write_job(
        tmp_path,
        engine_url,
        columns,
        source={"url": engine_url, "table": "t", "person": "id"},
        privacy={"k": 2, "k_map": 11, "population": population},
    )
    assert run(job).exit_code == 6
    measured = kanon("check", job, "--json")
    assert measured.exit_code == 1
    (model,) = [one for one in json.loads(measured.out)["models"] if one["model"] == "k_map"]
    assert model["worst"] == 1


def test_a_population_of_many_persons_passes(engine_url: str, tmp_path: Path) -> None:
    execute(
        engine_url,
        f"create table t as select i as id, i % 2 as a from {_numbers(engine_url)}",
        f"create table everyone as select i as citizen, i % 2 as a from {_numbers(engine_url)}",
    )
    columns = {"id": {"role": "identifier"}, "a": {"role": "quasi", "max_level": 0}}
    population = {"table": "everyone", "person": "citizen"}
    job = write_job(tmp_path, engine_url, columns, privacy={"k": 2, "k_map": 11, "population": population})
    assert run(job).exit_code == 0
    execute(engine_url, "create table alone as select * from t")
    missing = write_job(
        tmp_path, engine_url, columns, privacy={"k": 2, "k_map": 11, "population": {"table": "everyone", "person": "x"}}
    )
    assert run(missing).exit_code == 3


# -- typed intervals


@pytest.mark.parametrize("intervals", ["typed", "both"])
def test_typed_intervals_are_unchanged_on_the_second_night(engine_url: str, tmp_path: Path, intervals: str) -> None:
    execute(engine_url, PEOPLE.format(numbers=_numbers(engine_url)))
    roles = {"id": "identifier", "a": "quasi", "b": "quasi", "s": "drop"}
    job = write_job(
        tmp_path,
        engine_url,
        {name: {"role": role} for name, role in roles.items()},
        search={"algorithm": "mondrian"},
        publish={"table": TARGET, "intervals": intervals},
    )
    assert run(job).exit_code == 0
    assert figures(run(job))["unchanged"] is True


@pytest.mark.parametrize("intervals", ["text", "typed", "both"])
def test_nan_and_infinity_in_groups(engine_url: str, tmp_path: Path, intervals: str) -> None:
    values = ["0.5", "1.5", "2.5", "'NaN'", "'Infinity'", "null", "7", "8", "9", "'-Infinity'"] * 2
    rows = ", ".join(f"({n}, {value})" for n, value in enumerate(values))
    execute(engine_url, "create table t (id integer, x double precision)", f"insert into t values {rows}")
    job = write_job(
        tmp_path,
        engine_url,
        {"id": {"role": "keep"}, "x": {"role": "quasi"}},
        privacy={"k": 3, "accept": ["nearly_unique_columns"]},
        search={"algorithm": "mondrian"},
        publish={"table": TARGET, "intervals": intervals},
    )
    assert run(job).exit_code == 0
    quasi = {"text": ["x"], "typed": ["x_lo", "x_hi"], "both": ["x", "x_lo", "x_hi"]}[intervals]
    promise = Promise(k=3, quasi=quasi, columns=["id", *quasi], row="id")
    assert broken_promises(read_table(engine_url, TARGET), promise, read_table(engine_url, "t")) == []


# -- names

OWN_NAMES = [
    "kanon_m", "KANON_S", "kanon_n", "kanon_published", "kanon_persons", "kanon_size", "kanon_fits", "kanon_released",
    "kanon_source_rows", "kanon_person", "kanon_place", "kanon_side", "kanon_raw_0", "kanon_q0_0", "kanon_", "n", "c", "m", "class",
    "rows", "source", "value", "label", "s", "v0", "q0_0", "key0", "person", "a__0", "a__1", "labels", "place",
]  # fmt: skip


@pytest.mark.parametrize("algorithm", ["exhaustive", "mondrian"])
@pytest.mark.parametrize("turn", range(2))
def test_columns_may_be_named_like_those_of_statements(
    engine_url: str, tmp_path: Path, algorithm: str, turn: int
) -> None:
    names = OWN_NAMES[turn::2]
    shown = ", ".join(f'i % {2 + place % 2} as "{name}"' for place, name in enumerate(names))
    execute(
        engine_url, f"create table t as select i as id, i % 3 as a, i % 5 as ill, {shown} from {_numbers(engine_url)}"
    )
    roles = ["quasi", "sensitive", "keep", "quasi", "keep"]
    columns: dict[str, Any] = {"id": {"role": "identifier"}, "a": {"role": "quasi", "levels": [2, "*"]}}
    columns |= {"ill": {"role": "sensitive"}}
    columns |= {name: {"role": roles[(place + turn) % len(roles)]} for place, name in enumerate(names)}
    sensitive = [name for name, column in columns.items() if column["role"] == "sensitive"]
    job = write_job(
        tmp_path,
        engine_url,
        columns,
        source={"url": engine_url, "table": "t", "person": "id"},
        privacy={"k": 2, "suppression": 0.3, "l_diversity": {name: {"l": 1} for name in sensitive}},
        search={"algorithm": "datafly" if algorithm == "exhaustive" else algorithm},
    )
    for command in (["run"], ["check"], ["check", "--table", TARGET], ["attack"], ["score"], ["doctor"]):
        done = kanon(command[0], job, *command[1:])
        assert done.exit_code in (0, 1), (command, done.err)
        assert "Traceback" not in done.err
    quasi = [name for name, column in columns.items() if column["role"] == "quasi"]
    published = [name for name, column in columns.items() if column["role"] in ("quasi", "sensitive", "keep")]
    promise = Promise(k=2, quasi=quasi, columns=published, budget=18)
    assert broken_promises(read_table(engine_url, TARGET), promise, read_table(engine_url, "t")) == []


# -- the fingerprint


@pytest.mark.parametrize(
    ("before", "change"),
    [
        ("decimal(10, 2)", "alter table t alter column x type bigint using cast(x * 100 as bigint)"),
        ("integer", "alter table t alter column x type date using (date '1970-01-01' + cast(x as integer))"),
        # DuckDB leaves a value alone that an UPDATE sets to an equal one.
        ("double precision", "delete from t where id = 0; insert into t values (0, 0, '-0')"),
        ("interval", "delete from t where id = 1; insert into t values (1, 1, interval '24 hours')"),
    ],
)
def test_a_change_of_type_or_of_what_is_read_is_a_change(
    engine_url: str, tmp_path: Path, before: str, change: str
) -> None:
    unit = {"interval": "cast(i || ' days' as interval)"}.get(before, f"cast(i as {before})")
    execute(engine_url, f"create table t as select i as id, i % 2 as a, {unit} as x from {_numbers(engine_url)}")
    columns = {"id": {"role": "identifier"}, "a": {"role": "quasi"}, "x": {"role": "keep"}}
    privacy = {"k": 3, "accept": ["nearly_unique_columns"]}
    job = write_job(tmp_path, engine_url, columns, privacy=privacy, publish={"table": TARGET, "guard": "never"})
    assert run(job).exit_code == 0
    assert figures(run(job))["unchanged"] is True
    execute(engine_url, change)
    assert figures(run(job)).get("unchanged") is not True
    released = sorted(map(str, read_table(engine_url, TARGET).column("x")))
    assert released == sorted(map(str, read_table(engine_url, "t").column("x")))
