"""hybrid: local first, striking strings from the full list as it goes, then global on what is left (thesis)."""

from __future__ import annotations

from kanon_sql.metrics.objective import Objective
from kanon_sql.model.lattice import Lattice
from kanon_sql.search.global_ import bisect
from kanon_sql.search.ledger import Ledger, Steps, conduct
from kanon_sql.search.local import move_pointers
from kanon_sql.search.prune import prune
from kanon_sql.search.questions import Driver
from kanon_sql.search.settings import SearchSettings
from kanon_sql.search.strings import StringList


def hybrid(lattice: Lattice, objective: Objective, settings: SearchSettings) -> Driver:
    """The node of least loss. Exact for the reason that global is."""
    ledger = Ledger(lattice, objective, settings)
    return conduct("hybrid", ledger, _steps(ledger), exact=True)


def _steps(ledger: Ledger) -> Steps:
    if (yield from prune(ledger)) is None:
        return
    strings = StringList(ledger)
    yield from move_pointers(ledger)
    strings.forget_known()
    ledger.figures["strings_left_by_local"] = len(strings)
    yield from bisect(ledger, strings)
