"""One run at a time per job: the second names the holder and gives up; what a dead holder held is taken over.

PostgreSQL: an advisory lock of the session, which ends with it. DuckDB: one process writes to a file, so the lock is a file beside
the database, locked by the operating system, which frees it when the process ends, however it ends.
"""

from __future__ import annotations

import datetime
import errno
import json
import os
import platform
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import IO

from kanon_sql.backends.base import Backend
from kanon_sql.backends.connect import duckdb_path, spill_directory
from kanon_sql.config.schema import Job
from kanon_sql.errors import ConnectionFailed, KanonError, LockedByAnotherRun
from kanon_sql.frozen import dataclass
from kanon_sql.release.entries import RunEntry, account, utc_now
from kanon_sql.release.register import Register

LOCK_SUFFIX = ".kanon-lock"
DEAD_HOLDER_SECONDS = 15.0
"""How long the server may take to notice that the client of a session is gone."""
WAIT = "wait for it, or end that process; its lock ends with it"


@dataclass(frozen=True)
class Holder:
    """Who runs a job, and since when (UTC)."""

    job: str
    run: str = ""
    account: str = ""
    host: str = ""
    pid: int = 0
    since: str = ""

    def __str__(self) -> str:
        who = f" by {self.account}" if self.account else ""
        where = f" on {self.host}" if self.host else ""
        process = f", process {self.pid}" if self.pid else ""
        since = f" since {self.since} UTC" if self.since else ""
        return f"{'run ' + self.run if self.run else 'another run'} of {self.job}{since}{who}{where}{process}"


def this_process(job: Job, run: str) -> Holder:
    since = utc_now().strftime("%Y-%m-%d %H:%M:%S")
    return Holder(job.name, run, account(), platform.node(), os.getpid(), since)


# -- an embedded database: a file beside it


@contextmanager
def file_lock(job: Job, run: str, say: Callable[[str], None]) -> Iterator[None]:
    """Hold the lock file of an embedded database while it is open for a run; nothing to hold on a server or in memory."""
    path = _database_file(job)
    if path is None:
        yield
        return
    lock = _locked_file(path)
    if lock is None:
        raise _locked(holder_of(path) or Holder(job.name))
    with lock:
        dead = _read_holder(lock)
        if dead is not None:
            say(f"{dead} is dead: its lock was taken over")
            # What it spilled to disk holds data, and nobody else would remove it.
            shutil.rmtree(spill_directory(path), ignore_errors=True)
        lock.seek(0)
        lock.truncate()
        lock.write(json.dumps(asdict(this_process(job, run))))
        lock.flush()
        try:
            yield
        finally:
            # Removed while still locked: whoever opened it meanwhile finds that it is not the file of that name any more.
            with suppress(OSError):
                lock_file(path).unlink()


def lock_file(database: Path) -> Path:
    return database.with_name(database.name + LOCK_SUFFIX)


def holder_of(database: Path) -> Holder | None:
    """The run that holds an embedded database now; none when its lock is free."""
    import fcntl

    try:
        descriptor = os.open(lock_file(database), os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
        with os.fdopen(descriptor, "r", encoding="utf-8") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return _read_holder(lock)
    except OSError:
        pass
    return None


def explain_open_error(job: Job, error: ConnectionFailed) -> KanonError:
    """The engine's "another process has it open" as a lock, when that process is a run of ours."""
    path = _database_file(job)
    holder = holder_of(path) if path is not None else None
    return error if holder is None else _locked(holder)


def _locked_file(database: Path) -> IO[str] | None:
    import fcntl

    path = lock_file(database)
    for _ in range(100):
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o660)
        except OSError as error:
            if error.errno == errno.ELOOP:
                raise ConnectionFailed(
                    f"the lock file {path} is a symbolic link: it is not followed", "remove the link; it is not ours"
                ) from error
            raise ConnectionFailed(
                f"cannot make the lock file {path}: {error.strerror}", "a run writes beside the database: grant it"
            ) from error
        lock = os.fdopen(descriptor, "r+", encoding="utf-8")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.close()
            return None
        with suppress(FileNotFoundError):
            if os.fstat(lock.fileno()).st_ino == path.stat().st_ino:
                return lock
        lock.close()  # its holder removed it between our opening and our locking: open the one that is there now
    return None


def _read_holder(lock: IO[str]) -> Holder | None:
    lock.seek(0)
    text = lock.read()
    try:
        return Holder(**json.loads(text)) if text else None
    except (ValueError, TypeError):
        return Holder("an unknown job")


def _database_file(job: Job) -> Path | None:
    return duckdb_path(job.url, job.base) if job.url.lower().startswith("duckdb:") else None


# -- an engine without sessions that hold anything: a file where its tables are


@contextmanager
def engine_lock(backend: Backend, job: Job, run: str, say: Callable[[str], None]) -> Iterator[None]:
    """Hold the job's lock where an engine without transactions keeps its tables, and see what stands there once it is held."""
    if backend.capabilities.holds_register:
        yield
        return
    name, mine = f"job {job.name}", json.dumps(asdict(this_process(job, run)))
    for _ in range(2):
        found = backend.take(name, mine)
        if found is None:
            break
        try:
            holder = Holder(**json.loads(found))
        except (ValueError, TypeError):
            holder = Holder(job.name)
        if not _is_dead(holder):
            raise _locked(holder)
        say(f"{holder} is dead: its lock was taken over")
        backend.give(name)
    else:
        raise _locked(Holder(job.name))
    backend.refresh()
    try:
        yield
    finally:
        with suppress(Exception):  # a cluster that is gone cannot be told; the next run finds the holder dead
            backend.give(name)


# -- a server: an advisory lock of the session


@contextmanager
def session_lock(backend: Backend, register: Register, job: Job, say: Callable[[str], None]) -> Iterator[None]:
    """Hold the job's lock on a server while the session lasts."""
    name = f"job {job.name}"
    if not backend.capabilities.holds_register:
        backend = register.backend  # an engine without claims: the job is locked where it is registered
    if not backend.claim(name):
        holder = _session_holder(backend, register, job, name)
        if not (_is_dead(holder) and _claimed_within(backend, name, DEAD_HOLDER_SECONDS)):
            raise _locked(holder)
    if backend.capabilities.persistent_work:  # on an embedded engine the lock file told already
        for entry in register.running(job.name):
            say(f"{_holder(entry)} is dead: its lock was taken over")
    try:
        yield
    finally:
        with suppress(KanonError):  # a lost connection has lost its locks too
            backend.disclaim(name)


def _session_holder(backend: Backend, register: Register, job: Job, name: str) -> Holder:
    lock_holder = backend.lock_holder(name)
    run = lock_holder.application.partition(" ")[2] if lock_holder is not None else ""
    for entry in register.running(job.name):
        if entry.id == run or not run:
            return _holder(entry)
    if lock_holder is None:
        return Holder(job.name)
    return Holder(job.name, run, lock_holder.user, lock_holder.address, 0, _shown(lock_holder.since))


def _holder(entry: RunEntry) -> Holder:
    since = _shown(entry.started)
    return Holder(entry.job, entry.id, entry.account or "", entry.host or "", entry.pid or 0, since)


def _is_dead(holder: Holder) -> bool:
    """Whether the holder was a process of this machine that is gone; its session on the server may take a moment to follow."""
    if not holder.pid or holder.host != platform.node():
        return False
    try:
        os.kill(holder.pid, 0)
    except ProcessLookupError:
        return True
    except OSError:
        pass
    return False


def _claimed_within(backend: Backend, name: str, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        time.sleep(0.25)
        if backend.claim(name):
            return True
    return False


def _locked(holder: Holder) -> LockedByAnotherRun:
    return LockedByAnotherRun(f"locked by {holder}", WAIT)


def _shown(when: datetime.datetime | None) -> str:
    return "" if when is None else when.strftime("%Y-%m-%d %H:%M:%S")
