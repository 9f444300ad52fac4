"""The register's statements: runs, releases, frontiers, salts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.register_names import RELEASE_COLUMNS, RUN_COLUMNS, RegisterNames
from kanon_sql.sql.render import render, rendered
from kanon_sql.sql.statement import Statement

Values = Mapping[str, object]


def revision(dialect: Dialect, names: RegisterNames) -> Statement:
    return render(dialect, "register/revision", version=names.version)


@rendered
def lock(dialect: Dialect) -> Statement: ...


@rendered
def insert(dialect: Dialect, table: Relation, values: Values) -> Statement: ...


def finish_run(dialect: Dialect, names: RegisterNames, run: str, values: Values) -> Statement:
    return render(dialect, "register/finish_run", runs=names.runs, run=run, values=values)


def runs(
    dialect: Dialect,
    names: RegisterNames,
    job: str | None = None,
    run: str | None = None,
    limit: int | None = None,
    database: str | None = None,
    ended: Sequence[tuple[str, str]] = (),
) -> Statement:
    which = {"job": job, "run": run, "limit": limit, "database": database, "ended": ended}
    return render(dialect, "register/runs", runs=names.runs, columns=RUN_COLUMNS, **which)


def salt(dialect: Dialect, names: RegisterNames, job: str) -> Statement:
    return render(dialect, "register/salt", salts=names.salts, job=job)


def running(dialect: Dialect, names: RegisterNames, job: str, database: str | None = None) -> Statement:
    return render(dialect, "register/running", runs=names.runs, columns=RUN_COLUMNS, job=job, database=database)


def owner(dialect: Dialect, names: RegisterNames, database: str, target: str) -> Statement:
    return render(dialect, "register/owner", jobs=names.jobs, database=database, target=target)


def forget_owner(dialect: Dialect, names: RegisterNames, database: str, target: str) -> Statement:
    return render(dialect, "register/forget_owner", jobs=names.jobs, database=database, target=target)


@rendered
def rename_job(dialect: Dialect, table: Relation, old: str, new: str) -> Statement: ...


@rendered
def place_run(dialect: Dialect, table: Relation, key: str, run: str, database: str) -> Statement: ...


def next_version(dialect: Dialect, names: RegisterNames, job: str) -> Statement:
    return render(dialect, "register/next_version", releases=names.releases, job=job)


def change_state(
    dialect: Dialect,
    names: RegisterNames,
    job: str,
    new: str,
    version: int | None = None,
    table: str | None = None,
    old: str | None = None,
    database: str | None = None,
) -> Statement:
    which = {"job": job, "version": version, "table": table, "old": old, "database": database}
    return render(dialect, "register/change_state", releases=names.releases, new=new, **which)


def releases(
    dialect: Dialect,
    names: RegisterNames,
    job: str | None = None,
    run: str | None = None,
    state: str | None = None,
    database: str | None = None,
) -> Statement:
    which = {"job": job, "run": run, "state": state, "database": database}
    return render(dialect, "register/releases", releases=names.releases, columns=RELEASE_COLUMNS, **which)


def frontier(dialect: Dialect, names: RegisterNames, run: str) -> Statement:
    return render(dialect, "register/frontier", frontiers=names.frontiers, run=run)


def forget_frontier(dialect: Dialect, names: RegisterNames, run: str) -> Statement:
    return render(dialect, "register/forget_frontier", frontiers=names.frontiers, run=run)


def ledger_state(dialect: Dialect, names: RegisterNames, database: str, scope: str) -> Statement:
    return render(dialect, "register/ledger_state", ledgers=names.ledgers, database=database, scope=scope)


def withdraw_ledger(dialect: Dialect, names: RegisterNames, run: str) -> Statement:
    return render(dialect, "register/withdraw_ledger", ledgers=names.ledgers, run=run)


def set_rows(
    dialect: Dialect, names: RegisterNames, job: str, version: int, rows: int, database: str | None = None
) -> Statement:
    which = {"job": job, "version": version, "database": database}
    return render(dialect, "register/set_rows", releases=names.releases, rows=rows, **which)
