"""Unverified is unseen: a staged table can be read by nobody, and the page names nothing that was suppressed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from sqlalchemy.engine import make_url

import kanon_sql
from kanon_sql.errors import KanonError
from kanon_sql.observer import Observer
from tests.cli.commands import kanon
from tests.nightly.runs import forked_runs
from tests.support import execute, fetch, make_table
from tests.truth.hundred import make, tables, write_job

RARE = "Zanzibar"


def test_default_privileges_show_nothing_staged(postgres_url: str, tmp_path: Path) -> None:
    make(postgres_url)
    reader = f"kanon_peek_{os.getpid()}"
    execute(
        postgres_url,
        f"create role {reader} login",
        "create schema rel",
        "create schema kanon_work",
        f"grant usage on schema rel, kanon_work to {reader}",
        f"alter default privileges grant select on tables to {reader}",
    )
    own = make_url(postgres_url).set(username=reader).render_as_string(hide_password=False)
    seen: list[str] = []

    def heard(step: str) -> None:
        if step.startswith(("verifying", "comparing", "publishing")):
            found = fetch(
                postgres_url,
                "select n.nspname || '.' || c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace "
                "where c.relkind in ('r', 'v') and n.nspname in ('rel', 'kanon_work')",
            )
            for (name,) in found:
                try:
                    fetch(own, f"select * from {name} limit 1")
                    seen.append(str(name))
                except KanonError:
                    pass

    try:
        kanon_sql.run(kanon_sql.load_job(write_job(tmp_path, postgres_url)), Observer(step=heard))
        assert seen == []
        assert fetch(own, "select count(*) from rel.t") == [(100,)]
    finally:
        execute(postgres_url, f"drop owned by {reader} cascade", f"drop role {reader}")


@pytest.mark.parametrize("label", ["release/stage", "release/verify", "release/swap"])
def test_a_killed_run_leaves_nothing_to_read(engine_url: str, tmp_path: Path, label: str) -> None:
    make(engine_url)
    job = write_job(tmp_path, engine_url)
    with forked_runs() as runs:
        assert runs.run(job, at=label, when="after", who="client")["status"] == -9
        assert tables(engine_url, "rel") == []
        assert runs.run(job)["exit"] == 0
    assert tables(engine_url, "rel") == ["t", "t__v1"]


def persons(url: str) -> None:
    """Countries that many have, and one that one person has; two rows each."""
    countries = [f"C{i % 4}" for i in range(40)] + [RARE]
    rows = [(person, countries[person], "flu" if person % 3 else "cold") for person in range(41) for _ in range(2)]
    make_table(url, "t", ["id integer", "country varchar(20)", "illness varchar(20)"], rows)


def page_of(url: str, directory: Path, **sections: object) -> str:
    pytest.importorskip("altair")
    pytest.importorskip("vl_convert")
    page = directory / "page.html"
    job = write_job(directory, url, **sections)  # type: ignore[arg-type]
    text = job.read_text().split("columns:\n")
    _, after = text[1].split("search:\n")
    columns = text[1][text[1].index("  country:") : text[1].index("search:\n")]
    job.write_text(f"{text[0]}columns:\n  id:\n    role: identifier\n{columns}search:\n{after}")
    said = kanon("run", job, "--report", page)
    assert said.exit_code == 0, said.err
    released = fetch(url, "select * from rel.t")
    assert not any(RARE in str(row) for row in released)
    return page.read_text(encoding="utf-8")


def test_groups_named_in_the_job_are_not_on_the_page(duckdb_url: str, tmp_path: Path) -> None:
    persons(duckdb_url)
    groups = [{"C0": "north", "C1": "north", "C2": "south", "C3": "south", RARE: "island"}]
    page = page_of(
        duckdb_url,
        tmp_path,
        source={"person": "id"},
        privacy={"suppression": 0.1},
        columns={
            "country": {
                "role": "quasi",
                "groups": [
                    {
                        label: [v for v, name in groups[0].items() if name == label]
                        for label in ("north", "south", "island")
                    }
                ],
                "min_level": 1,
                "max_level": 1,
            },
            "illness": {"role": "drop"},
        },
    )
    assert RARE not in page
    assert "island" not in page


def test_an_order_named_in_the_job_is_not_on_the_page(duckdb_url: str, tmp_path: Path) -> None:
    persons(duckdb_url)
    execute(duckdb_url, f"update t set illness = '{RARE}' where country = '{RARE}'")
    page = page_of(
        duckdb_url,
        tmp_path,
        source={"person": "id"},
        privacy={
            "suppression": 0.1,
            "t_closeness": {"illness": {"t": 0.9, "distance": "ordered", "order": ["cold", "flu", RARE]}},
        },
        columns={"country": {"role": "quasi", "max_level": 0}, "illness": {"role": "sensitive"}},
    )
    assert RARE not in page


def test_rules_of_local_recoding_are_not_on_the_page(duckdb_url: str, tmp_path: Path) -> None:
    persons(duckdb_url)
    execute(duckdb_url, f"delete from t where country = '{RARE}'")  # that the job names it is enough
    page = page_of(
        duckdb_url,
        tmp_path,
        privacy={"suppression": 0.1, "accept": ["rows_per_person"]},
        search={"algorithm": "mondrian"},
        columns={"country": {"role": "quasi", "rules": [{"apart": ["C0", RARE]}]}, "illness": {"role": "drop"}},
    )
    assert RARE not in page


@pytest.mark.parametrize(
    ("sql", "shown"),
    [
        (
            "select 'a''b', \"x'y\" from t where n > 17.5 and q0_1 = 1",
            "select '…', \"x'y\" from t where n > … and q0_1 = 1",
        ),
        ("values ('*', -3e5, `b'ad`)", "values ('*', -…, `b'ad`)"),
        ("x = 'a\\'b'", "-- not shown: it holds a backslash, so where its values end is not certain"),
        ("substr(sha256('***'), 1, 32)", "substr(sha256('…'), 1, …)"),
    ],
)
def test_masked_statements(sql: str, shown: str) -> None:
    from kanon_sql.pages.masked_sql import masked_sql

    assert masked_sql(sql) == shown
