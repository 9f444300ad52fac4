"""What the register holds beside runs and releases: frontiers, the salts of ledgers, and what a ledger held when it was last written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kanon_sql.backends.base import Backend
from kanon_sql.release.entries import LedgerState, account, document, dumped, utc_now
from kanon_sql.sql import statements
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.register_names import RegisterNames
from kanon_sql.sql.statement import Statement


class RegisterNotes:
    """The part of a register that runs write beside their rows."""

    backend: Backend
    names: RegisterNames
    database: str | None

    # -- frontiers

    def save_frontier(self, run: str, frontier: Mapping[str, Any]) -> None:
        """Keep a frontier under its run; saved again, the last one counts."""
        self.backend.execute(statements.register.forget_frontier(self.backend.dialect, self.names, run))
        self._insert(self.names.frontiers, {"run": run, "frontier": dumped(frontier)})

    def load_frontier(self, run: str) -> dict[str, Any] | None:
        rows = self.backend.fetch(statements.register.frontier(self.backend.dialect, self.names, run))
        return document(str(rows[0][0]), "frontier", run) if rows else None

    # -- ledgers

    def salt(self, of: str) -> str | None:
        """The salt of a ledger (or, from earlier versions, of a job)."""
        rows = self.backend.fetch(statements.register.salt(self.backend.dialect, self.names, of))
        return str(rows[0][0]) if rows else None

    def new_salt(self, of: str, salt: str) -> None:
        insert = statements.register.insert(self.backend.dialect, self.names.salts, {"job": of, "salt": salt})
        self.backend.execute(Statement(insert.label, insert.sql, insert.sql.replace(salt, "***")))

    def ledger_state(self, scope: str) -> LedgerState | None:
        """What a ledger held when it was last written, as far as this register knows."""
        statement = statements.register.ledger_state(self.backend.dialect, self.names, self.database or "", scope)
        rows = self.backend.fetch(statement)
        if not rows:
            return None
        row = rows[0]
        return LedgerState(int(row.sequence), int(row.entries), str(row.checksum), str(row.how), str(row.run))

    def add_ledger_state(self, scope: str, job: str, state: LedgerState, why: str | None = None) -> None:
        """Register what a ledger holds now, within the transaction that changes it."""
        place = {"database": self.database or "", "scope": scope, "job": job}
        told = {"why": why, "account": account(), "recorded": utc_now()}
        self._insert(self.names.ledgers, place | vars(state) | told)

    def withdraw_ledger(self, run: str) -> None:
        """Take back what a run said of the ledger: its release never came to be."""
        self.backend.execute(statements.register.withdraw_ledger(self.backend.dialect, self.names, run))

    def _insert(self, table: Relation, values: Mapping[str, object]) -> None:
        self.backend.execute(statements.register.insert(self.backend.dialect, table, values))
