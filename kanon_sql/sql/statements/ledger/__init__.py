"""The ledger of cells: who has one history over all releases, so that releasing again singles nobody out."""

from kanon_sql.sql.statements.ledger.composing import *  # noqa: F403
from kanon_sql.sql.statements.ledger.entries import *  # noqa: F403
from kanon_sql.sql.statements.ledger.names import *  # noqa: F403
