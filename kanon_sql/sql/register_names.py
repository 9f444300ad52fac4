"""The register's tables and columns by name."""

from __future__ import annotations

from kanon_sql.frozen import dataclass
from kanon_sql.sql.dialect import Relation

RUN_COLUMNS = (
    "id",
    "job",
    "command",
    "status",
    "started",
    "ended",
    "account",
    "host",
    "pid",
    "program",
    "engine",
    "algorithm",
    "parameters",
    "node",
    "figures",
    "timings",
    "error",
)
RELEASE_COLUMNS = (
    "job",
    "version",
    "run",
    "release_table",
    "release_view",
    "row_count",
    "k",
    "published",
    "state",
    "database",
    "mark",
)


@dataclass(frozen=True)
class RegisterNames:
    """The register's relations in one schema; `place` is the schema with its catalog, where the engine has one."""

    place: Relation

    @property
    def schema(self) -> str:
        return self.place.name

    def _relation(self, name: str) -> Relation:
        return Relation((*self.place.parts, name))

    @property
    def version(self) -> Relation:
        """The revision the register is at: one row."""
        return self._relation("register_version")

    @property
    def runs(self) -> Relation:
        return self._relation("runs")

    @property
    def releases(self) -> Relation:
        return self._relation("releases")

    @property
    def salts(self) -> Relation:
        return self._relation("salts")

    @property
    def ledgers(self) -> Relation:
        """What each ledger held after each release."""
        return self._relation("ledgers")

    @property
    def jobs(self) -> Relation:
        """Which job publishes a target."""
        return self._relation("jobs")

    @property
    def frontiers(self) -> Relation:
        return self._relation("frontiers")
