"""The tables that outlive a night of kept groups. A run that keeps none imports this, and nothing of how groups are kept."""

from __future__ import annotations

from kanon_sql.frozen import dataclass
from kanon_sql.sql.dialect import Relation

STATE = ("members", "labels", "values")
"""The tables that outlive a night."""


@dataclass(frozen=True)
class KeptTables:
    """What a night begins with: the tables of the version before."""

    version: int
    members: Relation
    labels: Relation
    values: Relation
