"""The PostgreSQL of docker-compose.yml: its census, its job file and the rights of its user."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest
import sqlalchemy as sa
import yaml

from kanon_sql.synthetic import CENSUS_COLUMNS, census_sql, demo_job
from tests.servers import PostgresServer

CHECKOUT = Path(__file__).parents[2]
CENSUS = CHECKOUT / "docker" / "census.sql"
JOB = CHECKOUT / "docker" / "job.yml"

HEADER = """\
-- A synthetic census to try kanon on, and a user with no more rights than kanon needs:
-- it reads the source and creates schemas of its own (work tables, register, releases).
-- Written by the test suite (pytest --regenerate), not by hand.
create role anonymizer login password 'anonymizer';
grant create on database census to anonymizer;
create schema census;
"""
FOOTER = """\
;
grant usage on schema census to anonymizer;
grant select on census.people to anonymizer;
analyze census.people;
"""


def test_the_census_is_the_demos(golden: Callable[[Path, str], None]) -> None:
    golden(CENSUS, HEADER + census_sql("census.people", rows=50_000, seed=1, dialect="postgresql") + FOOTER)


def test_the_job_is_the_demos_but_for_the_database(golden: Callable[[Path, str], None]) -> None:
    lines = demo_job().splitlines()
    source = lines.index("source:")
    lines[source + 1 : source + 3] = [
        "  url: postgresql+psycopg://anonymizer:${KANON_PASSWORD}@127.0.0.1:5433/census    # see docker-compose.yml",
        "  table: census.people",
    ]
    golden(JOB, "\n".join(lines) + "\n")
    job, demo = yaml.safe_load(JOB.read_text()), yaml.safe_load(demo_job())
    assert job.pop("source")["table"] == "census.people"
    del demo["source"]
    assert job == demo


def test_compose_mounts_the_census_and_waits_for_it() -> None:
    service = yaml.safe_load((CHECKOUT / "docker-compose.yml").read_text())["services"]["postgres"]
    assert service["image"] == "postgres:18"
    assert "./docker/census.sql:/docker-entrypoint-initdb.d/census.sql:ro" in service["volumes"]
    assert "select 1 from census.people limit 1" in service["healthcheck"]["test"]


def test_the_user_reads_the_census_and_cannot_change_it(own_postgres_server: PostgresServer) -> None:
    server = own_postgres_server
    with psycopg.connect(host="127.0.0.1", port=server.port, user="postgres", autocommit=True) as connection:
        connection.execute("create database census")
    with psycopg.connect(host="127.0.0.1", port=server.port, user="postgres", dbname="census") as connection:
        connection.execute(CENSUS.read_bytes())
    url = sa.make_url(server.url("census")).set(username="anonymizer", password="anonymizer")
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        result = connection.execute(sa.text("select * from census.people"))
        assert tuple(result.keys()) == CENSUS_COLUMNS
        assert len(result.all()) == 50_000
        connection.execute(sa.text("create schema kanon_work"))
    with engine.connect() as connection, pytest.raises(sa.exc.ProgrammingError, match="permission denied"):
        connection.execute(sa.text("delete from census.people"))
    engine.dispose()
