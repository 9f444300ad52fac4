"""The register: which runs there were, with which parameters and figures, and which releases they published.

Rows are written through the engine's own connection, so that a view's swap and its register row are one transaction where the
register lives in the source's database. No password is ever written.
"""

from __future__ import annotations

import dataclasses
import os
import platform
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Any

from kanon_sql.backends.base import Backend
from kanon_sql.config.schema import Job
from kanon_sql.config.secrets import redact_text
from kanon_sql.errors import JobError, KanonError, RegisterError
from kanon_sql.model.names import written_name
from kanon_sql.release.entries import (
    CURRENT,
    DROPPED,
    FAILED,
    KEPT,
    PUBLISHED,
    RELEASE_STATES,
    ROLLED_BACK,
    RUN_STATES,
    RUNNING,
    Owner,
    ReleaseEntry,
    RunEntry,
    account,
    dumped,
    job_parameters,
    release_mark,
    step_timings,
    utc_now,
)
from kanon_sql.release.migrate import check_revision, migrate, revision_of
from kanon_sql.release.register_notes import RegisterNotes
from kanon_sql.results import RunResult
from kanon_sql.sql import statements
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.register_names import RegisterNames
from kanon_sql.version import VERSION


class Register(RegisterNotes):
    """The register in one schema of one database.

    `own` says that the backend was opened for the register alone; closing the register closes it. `secrets` are hidden in
    whatever is written.
    """

    def __init__(
        self, backend: Backend, schema: str = "kanon", *, own: bool = False, secrets: Sequence[str] = ()
    ) -> None:
        if not backend.capabilities.holds_register:
            raise JobError(
                "the register cannot live on this engine: it has no transactions",
                "name a DuckDB or PostgreSQL database for it: register: {url: duckdb:///register.duckdb}",
            )
        self.backend = backend
        self.own = own
        self.secrets = tuple(secrets)
        self.engine = ""
        self.database: str | None = None
        self._together = False
        # The engine fills in the catalog, where it has one.
        quoted = '"' + schema.replace('"', '""') + '"'
        self.names = RegisterNames(Relation(backend.relation(f"{quoted}.runs").parts[:-1]))

    def __enter__(self) -> Register:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        if self.own:
            self.backend.close()

    # -- its revision

    def ensure(self) -> list[str]:
        """Make the register, or migrate an older one; refuse a newer one. Returns the revisions applied (usually none)."""
        return migrate(self.backend, self.names)

    def readable(self) -> bool:
        """Whether there is a register to read; one of another revision is refused, and nothing is written."""
        revision = revision_of(self.backend, self.names)
        if revision is not None and check_revision(revision, self.names):
            raise RegisterError(
                f"the register in schema {self.names.schema} is at the older revision {revision}",
                "`kanon migrate` brings it to this version",
            )
        return revision is not None

    def outdated(self) -> bool:
        """Whether there is a register of an older revision."""
        revision = revision_of(self.backend, self.names)
        return revision is not None and bool(check_revision(revision, self.names))

    # -- whose it is

    def _place(self) -> dict[str, str]:
        return {} if self.database is None else {"database": self.database}

    def owner(self, target: str) -> Owner | None:
        """The job that publishes a target of this database."""
        rows = self.backend.fetch(
            statements.register.owner(self.backend.dialect, self.names, self.database or "", target)
        )
        return Owner(str(rows[0].source), rows[0].file, str(rows[0].run)) if rows else None

    def set_owner(self, target: str, owner: Owner, known: Owner | None = None) -> None:
        """From now on, this job publishes the target; `known`: who did so far."""
        if known is not None and known == dataclasses.replace(owner, run=known.run):
            return
        with self.backend.transaction():
            dialect, place = self.backend.dialect, self.database or ""
            self.backend.execute(statements.register.forget_owner(dialect, self.names, place, target))
            values = {"database": place, "target": target, "since": utc_now(), **vars(owner)}
            self._insert(self.names.jobs, values)

    def adopt(self, job: Job) -> None:
        """Bring what an earlier version filed under another spelling, or without its database, to this job."""
        assert job.publish is not None
        dialect = self.backend.dialect
        if job.publish.table != job.name:
            for table in (self.names.runs, self.names.releases, self.names.salts):
                self.backend.execute(statements.register.rename_job(dialect, table, job.publish.table, job.name))
        if self.database is None:
            return
        url = job_parameters(job).get("source", {}).get("url")
        found = self.backend.fetch(statements.register.releases(dialect, self.names, job.name))
        for run in {str(row.run) for row in found}:
            if self.show(run).parameters.get("source", {}).get("url") == url:
                for table, key in ((self.names.runs, "id"), (self.names.releases, "run")):
                    self.backend.execute(statements.register.place_run(dialect, table, key, run, self.database))

    def knows_run(self, run: str) -> bool:
        return any(entry.id == run for entry in self._runs(job=None, run=run, limit=2))

    # -- runs

    def start_run(self, run: str, job: Job, *, command: str = "run") -> None:
        """Register that a run has begun."""
        values = {
            "id": run,
            "job": job.name,
            "command": command,
            "status": RUNNING,
            "started": utc_now(),
            "account": account(),
            "host": platform.node(),
            "pid": os.getpid(),
            "program": f"kanon_sql {VERSION}",
            "engine": self.engine,
            "algorithm": job.search.algorithm,
            "parameters": dumped(job_parameters(job)),
        }
        self._insert(self.names.runs, values | self._place())

    def finish_run(
        self,
        run: str,
        status: str,
        *,
        node: Mapping[str, int] | None = None,
        figures: Mapping[str, Any] | None = None,
        timings: Mapping[str, Any] | None = None,
        error: str | None = None,
    ) -> None:
        """Register how a run ended: done, failed or published."""
        _known(status, RUN_STATES)
        values = {
            "status": status,
            "ended": utc_now(),
            "node": dumped(node),
            "figures": dumped(figures),
            "timings": dumped(timings),
            "error": None if error is None else redact_text(error.replace("\x00", ""), self.secrets),
        }
        self.backend.execute(statements.register.finish_run(self.backend.dialect, self.names, run, values))

    def publish_run(self, run: str, job: Job, result: RunResult, table: Relation) -> None:
        """Register a run's release as the current one, and the run as published, within the caller's transaction."""
        assert job.publish is not None
        self.add_release(
            run=run,
            job=job.name,
            version=result.version,
            table=written_name(table.parts[-2:]),
            view=job.publish.table,
            rows=int(result.verified["rows"]),
            k=int(result.verified["k"]),
            mark=release_mark(run),
        )
        timings = {"seconds": round(result.plan.seconds, 3), "statements": step_timings(self.backend.trace.entries)}
        figures = result.to_dict() | {"tried": result.plan.tried}
        self.finish_run(run, PUBLISHED, node=result.plan.node, figures=figures, timings=timings)

    def fail_run(self, run: str, error: BaseException) -> None:
        """Register that a run failed, and take back a release whose view was never switched.

        It speaks of a failure already under way, so a database that cannot be written any more is passed over: the run then
        stands as running, with the process that held it.
        """
        if isinstance(error, KanonError):
            text = error.message
        elif isinstance(error, KeyboardInterrupt):
            text = str(error) or "interrupted"
        else:
            text = type(error).__name__  # a foreign message may quote data
        try:
            if self._together and self.show(run).status == PUBLISHED:
                return  # the view was switched in the same transaction: what failed came after
            with self.backend.transaction():
                self._withdraw(run)
                timings = {"statements": step_timings(self.backend.trace.entries)}
                self.finish_run(run, FAILED, timings=timings, error=text)
        except Exception:  # whatever the engine says now, the first error is the one to report
            return

    def _withdraw(self, run: str) -> None:
        self.withdraw_ledger(run)
        for release in self.releases(run=run, state=CURRENT):
            self.set_state(release.job, DROPPED, version=release.version)
            if earlier := self.releases(release.job, state=KEPT):
                self.set_state(release.job, CURRENT, version=earlier[0].version)

    @contextmanager
    def publishing(self, backend: Backend) -> Iterator[None]:
        """The transaction that switches the view on `backend` and registers it.

        With the register elsewhere, its rows are committed first: should the switch then fail, `fail_run` takes them back.
        """
        self._together = backend is self.backend
        with backend.transaction():
            if self._together:
                yield
                return
            with self.backend.transaction():
                yield

    def running(self, job: str) -> list[RunEntry]:
        """The runs of a job that have not ended, newest first; those whose process died among them."""
        return [
            RunEntry.of(row)
            for row in self.backend.fetch(
                statements.register.running(self.backend.dialect, self.names, job, self.database)
            )
        ]

    def history(self, job: str | None = None, limit: int | None = 50) -> list[RunEntry]:
        """Runs, newest first."""
        return self._runs(job=job, run=None, limit=limit)

    def show(self, run: str) -> RunEntry:
        """One run by its id, or by the beginning of it when only one run begins so."""
        found = self._runs(job=None, run=run, limit=2) if run else []
        if exact := [entry for entry in found if entry.id == run]:
            return exact[0]
        if not found:
            raise JobError(
                f"the register in schema {self.names.schema} has no run {run!r}", "`kanon history` lists the runs"
            )
        if len(found) > 1:
            raise JobError(
                f"more than one run begins with {run!r}", "give more letters: `kanon history` lists the runs"
            )
        return found[0]

    def newest(self, job: str, ended: Sequence[tuple[str, str]]) -> RunEntry | None:
        """The newest run of a job with one of these commands and states."""
        found = self._runs(job=job, run=None, limit=1, ended=ended)
        return found[0] if found else None

    def _runs(
        self, *, job: str | None, run: str | None, limit: int | None, ended: Sequence[tuple[str, str]] = ()
    ) -> list[RunEntry]:
        statement = statements.register.runs(self.backend.dialect, self.names, job, run, limit, self.database, ended)
        return [RunEntry.of(row) for row in self.backend.fetch(statement)]

    # -- releases

    def next_version(self, job: str) -> int:
        """The number of a job's next release."""
        version = self.backend.fetch_one(statements.register.next_version(self.backend.dialect, self.names, job))[0]
        return int(str(version))

    def add_release(
        self, *, run: str, job: str, version: int, table: str, view: str, rows: int, k: int, mark: str | None = None
    ) -> None:
        """Register a release as the current one; the current one so far is kept.

        Call it within the transaction that swaps the view: both happen, or neither. A version number that another run took in
        the meantime is refused by the table's key.
        """
        self.set_state(job, KEPT, old=CURRENT)
        values = {
            "job": job,
            "version": version,
            "run": run,
            "release_table": table,
            "release_view": view,
            "row_count": rows,
            "k": k,
            "published": utc_now(),
            "state": CURRENT,
            "mark": mark,
        }
        self._insert(self.names.releases, values | self._place())

    def set_state(
        self, job: str, new: str, *, version: int | None = None, table: str | None = None, old: str | None = None
    ) -> None:
        """Change the state of one release, or of all that are in a state: current, kept, dropped, rolled back."""
        _known(new, RELEASE_STATES)
        statement = statements.register.change_state(
            self.backend.dialect, self.names, job, new, version, table, old, self.database
        )
        self.backend.execute(statement)

    def set_rows(self, job: str, version: int, rows: int) -> None:
        """A kept release has fewer rows than it had."""
        statement = statements.register.set_rows(self.backend.dialect, self.names, job, version, rows, self.database)
        self.backend.execute(statement)

    def beyond_keep(self, job: str, keep: int) -> list[ReleaseEntry]:
        """The releases older than the `keep` that are kept beside the current one, oldest first."""
        spare = [r for r in self.releases(job) if r.state in (KEPT, ROLLED_BACK)]
        return list(reversed(spare[keep:]))

    def dropped(self, job: str, table: str) -> None:
        """Register that a release's table is gone."""
        self.set_state(job, DROPPED, table=table)

    def releases(
        self, job: str | None = None, *, run: str | None = None, state: str | None = None
    ) -> list[ReleaseEntry]:
        """Releases, newest first."""
        statement = statements.register.releases(self.backend.dialect, self.names, job, run, state, self.database)
        return [ReleaseEntry(*row) for row in self.backend.fetch(statement)]

    def current_release(self, job: str) -> ReleaseEntry | None:
        """The release the view points at."""
        found = self.releases(job, state=CURRENT)
        return found[0] if found else None


def _known(state: str, states: tuple[str, ...]) -> None:
    if state not in states:
        raise ValueError(f"{state!r} is not one of {', '.join(states)}")
