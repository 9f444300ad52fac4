"""What the ledger may remember, and for how long: as long as a release is kept."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.backends.base import Backend
from kanon_sql.sql import statements

SCHEMA = "kanon_ledger"


def retain(backend: Backend, job: str, versions: Sequence[int]) -> None:
    """Forget what the ledger knows of releases that are not kept any more."""
    tables = [backend.relation(f"{SCHEMA}.{name}") for name in ("memberships", "releases")]
    if all(backend.exists(table) for table in tables):
        with backend.transaction():
            for table in tables:
                backend.execute(statements.ledger.forget(backend.dialect, table, job, versions))
