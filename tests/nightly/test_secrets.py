"""Passwords come from the environment, .pgpass or a service file, never show, and TLS options reach the driver."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

import kanon_sql
from kanon_sql.config import load_job
from kanon_sql.errors import ConnectionFailed
from kanon_sql.observer import Observer
from tests.cli.commands import kanon
from tests.nightly.nights import COLUMNS, people, write_job
from tests.servers import PostgresServer

pytestmark = pytest.mark.postgresql

SECRET = "corr3ct-h0rse/b@ttery"


@pytest.fixture(scope="module")
def guarded() -> Iterator[PostgresServer]:
    """A server that asks one user for a password."""
    with PostgresServer() as server:
        with psycopg.connect(server.url().replace("+psycopg", ""), autocommit=True) as connection:
            connection.execute(f"create role careful login superuser password '{SECRET}'")
            connection.execute(f"create table people ({', '.join(COLUMNS)})")
            for row in people(120):
                connection.execute("insert into people values (%s, %s, %s, %s)", row)
            rules = server.data / "pg_hba.conf"
            rules.write_text("host all careful 127.0.0.1/32 scram-sha-256\n" + rules.read_text())
            connection.execute("select pg_reload_conf()")
        yield server


def place(server: PostgresServer) -> str:
    return f"127.0.0.1:{server.port}/postgres"


def test_the_environment(guarded: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    job = write_job(tmp_path, "postgresql+psycopg://careful@" + place(guarded))
    with pytest.raises(ConnectionFailed, match="password"):
        kanon_sql.plan(load_job(job))
    monkeypatch.setenv("PGPASSWORD", SECRET)
    assert kanon_sql.plan(load_job(job)).k >= 4


def test_pgpass(guarded: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "pgpass"
    file.write_text(f"127.0.0.1:{guarded.port}:postgres:careful:{SECRET}\n")
    file.chmod(0o600)
    monkeypatch.setenv("PGPASSFILE", str(file))
    assert kanon_sql.plan(load_job(write_job(tmp_path, "postgresql+psycopg://careful@" + place(guarded)))).k >= 4


def test_a_service_file(guarded: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "services"
    file.write_text(
        f"[warehouse]\nhost=127.0.0.1\nport={guarded.port}\ndbname=postgres\nuser=careful\npassword={SECRET}\n"
    )
    monkeypatch.setenv("PGSERVICEFILE", str(file))
    assert kanon_sql.plan(load_job(write_job(tmp_path, "postgresql+psycopg:///?service=warehouse"))).k >= 4


def test_tls_options_reach_the_driver(guarded: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGPASSWORD", SECRET)
    url = "postgresql+psycopg://careful@" + place(guarded)
    assert kanon_sql.plan(load_job(write_job(tmp_path, url + "?sslmode=disable"))).k >= 4
    with pytest.raises(ConnectionFailed) as refused:  # this server speaks no TLS
        kanon_sql.plan(load_job(write_job(tmp_path, url + "?sslmode=require")))
    assert "SSL" in str(refused.value.__cause__)


def test_a_password_shows_nowhere(guarded: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from urllib.parse import quote

    monkeypatch.setenv("KANON_PASSWORD", quote(SECRET, safe=""))
    monkeypatch.setenv("KANON_SALT", "a salt that nobody should see")
    job = write_job(tmp_path, "postgresql+psycopg://careful:${KANON_PASSWORD}@" + place(guarded))
    typed = [
        kanon(
            "run", job, "--json", "--debug", "--sql", "--results", tmp_path / "r.json", "--metrics", tmp_path / "m.prom"
        ),
        kanon("history", job, "--json"),
        kanon("show", "2", job, "--json"),
        kanon("run", job, "--log-format", "json", "--debug", "--set", "source.fingerprint=false"),
        kanon("grants", job),
        kanon("doctor", job),
        kanon("plan", job, "--set", "source.table=nowhere"),
        kanon("run", job, "--set", "source.table=nowhere", "--debug"),
    ]
    said = "".join(one.out + one.err for one in typed)
    with psycopg.connect(guarded.url().replace("+psycopg", "")) as connection:
        said += str(connection.execute("select * from kanon.runs").fetchall())
    said += (tmp_path / "r.json").read_text() + (tmp_path / "m.prom").read_text()
    monkeypatch.setenv("KANON_PASSWORD", "wr0ng-s3cret")
    failed = kanon("run", job, "--debug")
    assert failed.exit_code == 4
    said += failed.out + failed.err
    for secret in (SECRET, quote(SECRET, safe=""), "wr0ng-s3cret", "nobody should see"):
        assert secret not in said
    assert typed[0].exit_code == 0, typed[0].err


def test_the_application_is_named_after_the_run(
    guarded: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGPASSWORD", SECRET)
    seen: list[str] = []

    def look(step: str) -> None:
        with psycopg.connect(guarded.url().replace("+psycopg", "")) as connection:
            seen.extend(
                str(name) for (name,) in connection.execute("select application_name from pg_stat_activity").fetchall()
            )

    observer = Observer(step=look)
    kanon_sql.plan(load_job(write_job(tmp_path, "postgresql+psycopg://careful@" + place(guarded))), observer)
    assert f"kanon_sql {observer.run}" in seen
    assert os.environ.get("PGAPPNAME") is None
