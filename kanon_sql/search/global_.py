"""global: bisection over the list of all generalization strings sorted by utility (thesis, figure 4)."""

from __future__ import annotations

from kanon_sql.metrics.objective import Objective
from kanon_sql.model.lattice import Lattice
from kanon_sql.search.ledger import Ledger, Steps, conduct
from kanon_sql.search.prune import prune
from kanon_sql.search.questions import Driver
from kanon_sql.search.settings import SearchSettings
from kanon_sql.search.strings import StringList


def global_(lattice: Lattice, objective: Objective, settings: SearchSettings) -> Driver:
    """The node of least loss. Exact: a string leaves the list only when it was checked or cannot be the best."""
    ledger = Ledger(lattice, objective, settings)
    return conduct("global", ledger, _steps(ledger), exact=True)


def _steps(ledger: Ledger) -> Steps:
    if (yield from prune(ledger)) is None:
        return
    strings = StringList(ledger)
    strings.forget_known()
    yield from bisect(ledger, strings)


def bisect(ledger: Ledger, strings: StringList) -> Steps:
    """Lines 2 to 13 of figure 4. Interrupted, what is still listed bounds what may have been missed."""
    while strings:
        ledger.lower_bound = strings.least_bound
        node = strings.midpoint()
        (verdict,) = yield from ledger.evaluate([node])
        strings.remove_after(verdict)
