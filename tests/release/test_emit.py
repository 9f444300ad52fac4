"""`kanon emit`: the statement alone gives the release row for row, for every kind of level and every model, NULLs included."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import sqlglot
import yaml

import kanon_sql
from kanon_sql.config import Job
from kanon_sql.config.privacy import GUARDS
from kanon_sql.errors import JobError
from tests.support import execute, fetch, job_of, make_table

ROWS = 400
TABLE = [
    "person bigint",
    "age bigint",
    "income double precision",
    "born date",
    "zip varchar",
    "race varchar",
    "sex varchar",
    "illness varchar",
    "note varchar",
]
COLUMNS: dict[str, Any] = {
    "person": {"role": "identifier"},
    "age": {"role": "quasi", "levels": [5, 20, "*"]},
    "income": {"role": "quasi", "levels": [{"cuts": [10.5, 20, 30]}, {"cuts": [20]}, "*"]},
    "born": {"role": "quasi", "type": "date", "levels": ["year", "decade", "*"]},
    "zip": {"role": "quasi", "levels": [{"prefix": 2}, "*"]},
    "race": {"role": "quasi", "groups": [{"it's a": ["a", "b"], "{c}": ["c", "d"]}, "*"]},
    "sex": {"role": "quasi", "levels": ["*"]},
    "illness": {"role": "sensitive"},
    "note": {"role": "keep"},
}
NODE = (2, 2, 2, 1, 1, 0)
"""Published without a search: the statement is the subject."""
SPREAD = {"kind": "distinct", "l": 2}
MODELS: dict[str, dict[str, Any]] = {
    "k": {},
    "distinct": {"l_diversity": {"illness": SPREAD}},
    "entropy": {"l_diversity": {"illness": {"kind": "entropy", "l": 1.8}}},
    "recursive": {"l_diversity": {"illness": {"kind": "recursive", "l": 2, "c": 3}}},
    "equal": {"t_closeness": {"illness": 0.6}},
    "ordered": {
        "t_closeness": {"illness": {"t": 0.4, "distance": "ordered", "order": ["flu", "cold", "gout", "rash"]}}
    },
    "hierarchical": {"t_closeness": {"illness": {"t": 0.5, "distance": "hierarchical", "hierarchy": "illness.csv"}}},
    "alpha": {"alpha": {"illness": 0.7}},
    "alpha named": {"alpha": {"illness": {"alpha": 0.5, "values": ["gout", "never"]}}},
    "beta": {"beta_likeness": {"illness": {"beta": 3}}},
    "p-sensitive": {"p_sensitive": {"illness": 2}},
    "k-map": {"k_map": 4, "population": {"table": "everybody"}},
    "delta-presence": {"delta_presence": {"max": 0.6}, "population": {"table": "everybody"}},
    "margin": {"margin": 2},
}


def rows(seed: int) -> list[tuple[object, ...]]:
    draw = random.Random(seed)

    def sometimes(value: object) -> object:
        return None if draw.random() < 0.04 else value

    return [
        (
            number // 2,
            sometimes(draw.randrange(20, 60)),
            sometimes(round(draw.uniform(0, 40), 2)),
            sometimes(f"19{draw.randrange(60, 80)}-0{draw.randrange(1, 10)}-11"),
            sometimes(f"{draw.randrange(10, 13)}{draw.randrange(10)}"),
            sometimes(draw.choice("abcd")),
            sometimes(draw.choice("fm")),
            sometimes(draw.choices(("flu", "cold", "gout", "rash"), (5, 4, 2, 1))[0]),
            f"n{number}",
        )
        for number in range(ROWS)
    ]


@pytest.fixture(scope="module")
def tables(module_engine_url: str) -> str:
    make_table(module_engine_url, "people", TABLE, rows(3))
    make_table(module_engine_url, "everybody", TABLE, rows(3) + rows(4))
    return module_engine_url


def job(url: str, base: Path, privacy: dict[str, Any], **sections: Any) -> Job:
    (base / "illness.csv").write_text("flu;short;*\ncold;short;*\ngout;long;*\nrash;long;*\n", encoding="utf-8")
    privacy = {"suppression": 0.9, "accept": list(GUARDS), **privacy}
    sections = {"search": {"algorithm": "datafly"}, **sections}
    return job_of(url, "people", COLUMNS, 3, base, privacy=privacy, **sections)


def compared(url: str, asked: Job) -> int:
    """Rows of the release, after holding it against the emitted statement."""
    emitted = kanon_sql.emit(asked)
    assert "the current release" in emitted.origin
    released = fetch(url, f"select * from {asked.publish.table}" if asked.publish else "")
    stated = fetch(url, emitted.sql)
    assert Counter(map(repr, released)) == Counter(map(repr, stated))
    return len(released)


@pytest.mark.parametrize("model", MODELS)
def test_the_statement_gives_the_release(tables: str, tmp_path: Path, model: str) -> None:
    asked = job(
        tables, tmp_path, MODELS[model], publish={"table": f"release.{model.replace(' ', '_').replace('-', '_')}"}
    )
    run = kanon_sql.run(asked, at=NODE)
    assert compared(tables, asked) == ROWS - run.plan.suppressed
    assert run.plan.suppressed > 0, "a filter that drops nothing proves nothing"


def test_persons_are_counted_where_the_job_names_them(tables: str, tmp_path: Path) -> None:
    asked = job(
        tables, tmp_path, {}, source={"person": "person"}, publish={"table": "release.persons", "guard": "never"}
    )
    kanon_sql.run(asked, at=NODE)
    assert compared(tables, asked) > 0
    assert "count(distinct person)" in kanon_sql.emit(asked).sql


def test_without_a_release_the_search_decides_and_groups_are_refused(tables: str, tmp_path: Path) -> None:
    asked = job(tables, tmp_path, {}, publish={"table": "release.nothing_yet"})
    emitted = kanon_sql.emit(asked)
    assert "a search now" in emitted.origin and emitted.node == kanon_sql.plan(asked).node
    steps: list[str] = []
    with pytest.raises(JobError, match="groups of rows"):
        kanon_sql.emit(asked.with_algorithm("mondrian"), kanon_sql.Observer(step=steps.append))
    assert not steps  # nothing was searched first


def test_other_dialects_are_translated_and_say_that_nobody_ran_them(tables: str, tmp_path: Path) -> None:
    asked = job(tables, tmp_path, {"l_diversity": {"illness": SPREAD}})
    for dialect in ("snowflake", "bigquery", "redshift", "tsql", "databricks"):
        emitted = kanon_sql.emit(asked, dialect=dialect)
        assert emitted.sql.startswith("-- translated from") and "never run" in emitted.sql
        sqlglot.parse_one(emitted.sql, dialect=dialect)
    with pytest.raises(JobError, match="cannot write the dialect cobol"):
        kanon_sql.emit(asked, dialect="cobol")


def test_a_dbt_model_has_its_source_and_its_test(tables: str, tmp_path: Path) -> None:
    emitted = kanon_sql.emit(job(tables, tmp_path, {}), format="dbt")
    written = emitted.write(tmp_path / "project")
    assert {path.name for path in written} == {"people.sql", "people.yml", "kanon_k_anonymous.sql"}
    model = (tmp_path / "project/models/people.sql").read_text(encoding="utf-8")
    schema = yaml.safe_load((tmp_path / "project/models/people.yml").read_text(encoding="utf-8"))
    assert model.count("{{ source(") == 1 and "{% endraw %}{{ source(" in model
    assert schema["models"][0]["data_tests"][0]["kanon_k_anonymous"]["arguments"]["k"] == 3
    assert schema["sources"][0]["tables"] == [{"name": "people"}]


def test_the_statement_stands_alone(tables: str, tmp_path: Path) -> None:
    """It reads the source, and no table of ours."""
    sql = kanon_sql.emit(job(tables, tmp_path, {"l_diversity": {"illness": SPREAD}})).sql
    assert "kanon_work" not in sql
    execute(tables, f"create table kept_{tmp_path.name.replace('-', '_')} as {sql}")


def test_rows_that_a_release_withholds_are_told_of(duckdb_url: str, tmp_path: Path) -> None:
    """One who moves alone waits for company; a statement over the source cannot know that, and says so."""
    columns = ["id integer", "age integer"]
    make_table(duckdb_url, "people", columns, [(number, number % 4) for number in range(40)])
    asked = job_of(
        duckdb_url,
        "people",
        {"id": {"role": "identifier"}, "age": {"role": "quasi"}},
        4,
        tmp_path,
        source={"person": "id"},
        privacy={"suppression": 0.2},
        publish={"guard": "always"},
    )
    kanon_sql.run(asked)
    assert "withholds" not in kanon_sql.emit(asked).sql
    execute(duckdb_url, "update people set age = 2 where id = 1")
    withheld = kanon_sql.run(asked).plan.withheld
    notes: list[str] = []
    sql = kanon_sql.emit(asked, kanon_sql.Observer(note=notes.append)).sql
    assert withheld > 1
    assert (
        f"-- The release withholds {withheld} more rows for the sake of earlier releases; this statement does not."
        in sql
    )
    assert f"withholds {withheld} rows" in notes[0]
    assert len(fetch(duckdb_url, sql)) == len(fetch(duckdb_url, "select * from release.people")) + withheld
