"""Every type of the engines in every role: it works, and the release is what it says; or it is refused before anything is done."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli.commands import kanon
from tests.redteam.checker import Promise, broken_promises
from tests.redteam.reader import read_table
from tests.truth.jobs import TARGET, execute, run, write_job
from tests.truth.types import DUCKDB, DUCKDB_SETUP, POSTGRES, POSTGRES_SETUP

ROLES = ("quasi", "sensitive", "keep", "drop", "identifier")
TYPES = {"duckdb": (DUCKDB_SETUP, DUCKDB), "postgresql": (POSTGRES_SETUP, POSTGRES)}
ROWS = 24
K = 3


@pytest.fixture(scope="module")
def wide(module_engine_url: str) -> tuple[str, list[str]]:
    """A table with one column of every type, c0, c1, ...; its URL and its types."""
    url = module_engine_url
    setup, types = TYPES["duckdb" if url.startswith("duckdb") else "postgresql"]
    columns = ", ".join(f"c{place} {type_name}" for place, type_name in enumerate(types))
    rows = []
    for number in range(ROWS):
        # Values change at different paces, so that columns do not move together.
        values = [of[(number // (1 + place % 3)) % len(of)] for place, of in enumerate(types.values())]
        rows.append(f"({number}, {number // 2}, {', '.join(values)})")
    execute(url, *setup, f"create table t (id integer, person integer, {columns})", *_inserts(rows))
    return url, list(types)


def _inserts(rows: list[str]) -> list[str]:
    return [f"insert into t values {row}" for row in rows]  # a VALUES of many rows would unify types: 1.0 and 1.00


def _job(wide: tuple[str, list[str]], turn: int, folder: Path, algorithm: str) -> tuple[Path, Promise]:
    url, types = wide
    roles = {f"c{place}": ROLES[(place + turn) % len(ROLES)] for place in range(len(types))}
    columns: dict[str, Any] = {"id": {"role": "keep"}, "person": {"role": "identifier"}}
    columns |= {name: {"role": role} for name, role in roles.items()}
    sensitive = [name for name, role in roles.items() if role == "sensitive"]
    privacy = {
        "suppression": 0.5,
        "accept": ["nearly_unique_columns", "rows_per_person"],
        "l_diversity": {sensitive[0]: {"kind": "distinct", "l": 1}},
        "t_closeness": dict.fromkeys(sensitive[1:], 1),
    }
    job = write_job(
        folder,
        url,
        columns,
        k=K,
        privacy={"k": K} | privacy,
        search={"algorithm": algorithm},
        publish={"table": TARGET, "guard": "never"},
    )
    published = ["id", *(name for name, role in roles.items() if role in ("quasi", "sensitive", "keep"))]
    promise = Promise(
        k=K,
        quasi=[name for name, role in roles.items() if role == "quasi"],
        columns=published,
        budget=ROWS // 2,
        row="id",
        forbidden=["never_published"],
    )
    return job, promise


@pytest.mark.parametrize("turn", range(len(ROLES)))
def test_a_run_publishes_what_it_says(wide: tuple[str, list[str]], turn: int, tmp_path: Path) -> None:
    url, types = wide
    job, promise = _job(wide, turn, tmp_path, "datafly")
    done = run(job)
    assert done.exit_code == 0, done.err
    assert broken_promises(read_table(url, TARGET), promise, read_table(url, "t")) == [], types


def test_a_local_recoding_publishes_what_it_says(wide: tuple[str, list[str]], tmp_path: Path) -> None:
    url, types = wide
    job, promise = _job(wide, 2, tmp_path, "mondrian")
    done = run(job)
    assert done.exit_code == 0, done.err
    assert broken_promises(read_table(url, TARGET), promise, read_table(url, "t")) == [], types


def test_check_doctor_and_init_take_every_type(wide: tuple[str, list[str]], tmp_path: Path) -> None:
    url, _ = wide
    job, _ = _job(wide, 0, tmp_path, "datafly")
    for command in ("doctor", "plan"):
        done = kanon(command, job)
        assert done.exit_code == 0, (command, done.out, done.err)
    assert kanon("check", job).exit_code == 1, "every combination of the source is rare"
    made = kanon("init", "--url", url, "--table", "t", "--output", tmp_path / "made.yml")
    assert made.exit_code == 0, made.err
    assert kanon("validate", tmp_path / "made.yml").exit_code == 0


@pytest.mark.parametrize(
    ("engine", "type_name"), [(engine, type_name) for engine, (_, types) in TYPES.items() for type_name in types]
)
@pytest.mark.long
def test_a_type_by_itself_in_every_role(
    engine: str, type_name: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    url = str(request.getfixturevalue("duckdb_url" if engine == "duckdb" else "postgres_url"))
    setup, types = TYPES[engine]
    values = types[type_name]
    rows = [f"({number}, {number % 2}, {values[number % len(values)]})" for number in range(ROWS)]
    execute(url, *setup, f"create table t (id integer, other integer, x {type_name})", *_inserts(rows))
    for role in (*ROLES, "person"):
        columns = {"id": {"role": "keep"}, "other": {"role": "quasi"}, "x": {"role": role}}
        source: dict[str, Any] = {"url": url, "table": "t"}
        if role == "person":
            columns["x"], source["person"] = {"role": "identifier"}, "x"
        privacy = {"k": 2, "suppression": 0.9, "accept": ["nearly_unique_columns", "rows_per_person"]}
        if role == "sensitive":
            privacy["l_diversity"] = {"x": {"kind": "distinct", "l": 2}}
        target = {"table": f"rel.{role}", "guard": "never"}
        job = write_job(tmp_path, url, columns, k=2, source=source, privacy=privacy, publish=target)
        done, examined = run(job), kanon("doctor", job)
        if done.exit_code == 3:
            assert examined.exit_code == 3, (role, done.err, examined.out)
            continue
        assert done.exit_code in (0, 6), (role, done.err)
        if done.exit_code == 0:
            published = {"keep": ["x"], "sensitive": ["x"], "quasi": ["x"]}.get(role, [])
            promise = Promise(
                k=2,
                quasi=["other", *(["x"] if role == "quasi" else [])],
                columns=["id", "other", *published],
                sensitive={"x": {"distinct": 2}} if role == "sensitive" else {},
                budget=21,
                row="id",
                person="x" if role == "person" else None,
                forbidden=["never_published"],
            )
            release = read_table(url, f"rel.{role}")
            assert broken_promises(release, promise, read_table(url, "t")) == [], role
